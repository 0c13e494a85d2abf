#include "dovetail/backends/common/isa/isa_limit.h"
#include "dovetail/backends/common/kernels/simd/simd_targets.h"
#include "hwy/highway.h"

namespace dovetail::host {
namespace {

int64_t Forbidden(Isa limit) {
  int64_t targets = 0;
  if (!Includes(limit, Isa::kAvx512)) targets |= HWY_AVX3 | HWY_AVX3_DL;
  if (!Includes(limit, Isa::kAvx2)) targets |= HWY_AVX2;
  return targets;
}

// Before any kernel is called, for Highway keeps the target of its first call.
// A limit that is no level is an error of the device, and limits nothing here.
[[maybe_unused]] const bool limited = [] {
  const int64_t targets = Forbidden(IsaLimit().value_or(Isa::kAll));
  if (targets != 0) hwy::DisableTargets(targets);
  return true;
}();

}  // namespace
}  // namespace dovetail::host
