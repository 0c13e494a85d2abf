#include "dovetail/backends/gpu/testing/opencl_shim.h"

#include <dlfcn.h>

#include <cstdlib>

namespace dovetail::gpu {
namespace {

// Tests start in the folder of their data.
constexpr char kPath[] = "backends/gpu/testing/libopencl_shim.so";

}  // namespace

const OpenClShim* UseOpenClShim() {
  static const OpenClShim* const shim = []() -> const OpenClShim* {
    void* const library = dlopen(kPath, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return nullptr;
    using Control = const OpenClShim* (*)();
    const auto control = reinterpret_cast<Control>(
        dlsym(library, "dovetail_opencl_shim_control"));
    if (control == nullptr) return nullptr;
    setenv("DOVETAIL_OPENCL_LIBRARY", kPath, 1);
    return control();
  }();
  return shim;
}

}  // namespace dovetail::gpu
