#include "dovetail/backends/cpu/kernels/common/wide_vectors.h"

#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/common/wide_vectors.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {
namespace {

bool IsWide() { return HWY_ARCH_X86 && HWY_MAX_BYTES >= 32; }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

HWY_EXPORT(IsWide);

bool HasWideVectors() { return HWY_DYNAMIC_DISPATCH(IsWide)(); }

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
