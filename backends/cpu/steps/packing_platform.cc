#include "dovetail/backends/cpu/steps/packing_platform.h"

#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/kernels/linear/gemm.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace dovetail::cpu {
namespace {

// Grows when an own kernel packs in another way than before.
constexpr int kOwnKernels = 2;

}  // namespace

std::string PackingPlatform() {
  const dnnl_version_t& version = *dnnl_version();
  return absl::StrCat("own ", kOwnKernels, " ", GemmPanelWidth(), ", onednn ",
                      version.major, ".", version.minor, ".", version.patch,
                      " ", version.hash, " isa ",
                      static_cast<int>(dnnl::get_effective_cpu_isa()));
}

}  // namespace dovetail::cpu
