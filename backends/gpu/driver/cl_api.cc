#include "dovetail/backends/gpu/driver/cl_api.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <string>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

constexpr char kLibrary[] = "libOpenCL.so.1";

std::string LibraryName() {
  const char* const name = std::getenv("DOVETAIL_OPENCL_LIBRARY");
  return name != nullptr && *name != '\0' ? name : kLibrary;
}

absl::Status Load(ClApi& api) {
  const std::string name = LibraryName();
  void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return Unavailable("no OpenCL: cannot load ", name, " (", dlerror(),
                       "); install the loader of OpenCL drivers, such as "
                       "Debian's ocl-icd-libopencl1; ",
                       IcdFilesText());
  }
#define DOVETAIL_CL_LOAD(function)                                           \
  api.function = reinterpret_cast<decltype(api.function)>(                   \
      dlsym(library, "cl" #function));                                       \
  if (api.function == nullptr) {                                             \
    return Unavailable(                                                      \
        name, " has no function cl" #function "; want OpenCL 1.2 or later"); \
  }
  DOVETAIL_CL_FUNCTIONS(DOVETAIL_CL_LOAD)
#undef DOVETAIL_CL_LOAD
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<const ClApi*> LoadClApi() {
  static std::mutex& mutex = *new std::mutex;
  static ClApi& api = *new ClApi;
  static bool is_loaded = false;
  std::lock_guard<std::mutex> lock(mutex);
  if (!is_loaded) DOVETAIL_RETURN_IF_ERROR(Load(api));
  is_loaded = true;
  return &api;
}

std::string IcdFilesText() {
  const char* const vendors = std::getenv("OCL_ICD_VENDORS");
  const std::string folder =
      vendors != nullptr && *vendors != '\0' ? vendors : "/etc/OpenCL/vendors";
  std::string names;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end;
       !error && it != end; it.increment(error)) {
    absl::StrAppend(&names, names.empty() ? "" : ", ",
                    it->path().filename().string());
  }
  return absl::StrCat("drivers in ", folder, ": ",
                      names.empty() ? "none" : names);
}

}  // namespace dovetail::gpu
