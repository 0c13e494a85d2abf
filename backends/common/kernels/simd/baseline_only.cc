#include "dovetail/backends/common/kernels/simd/simd_targets.h"
#include "hwy/highway.h"

namespace dovetail::host {
namespace {

[[maybe_unused]] const bool disabled = [] {
  hwy::SetSupportedTargetsForTest(HWY_STATIC_TARGET);
  hwy::GetChosenTarget().Update(HWY_STATIC_TARGET);
  return true;
}();

}  // namespace
}  // namespace dovetail::host
