#include "dovetail/backends/cpu/kernels/attention/rotary.h"

#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/attention/rotary.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void RunRotateRow(const float* x, const float* cos, const float* sin,
                  int64_t length, float* out) {
  const hn::ScalableTag<float> d;
  const int64_t half = length / 2, lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= half; i += lanes) {
    const auto a = hn::LoadU(d, x + i), b = hn::LoadU(d, x + half + i);
    const auto low = hn::Mul(a, hn::LoadU(d, cos + i));
    const auto high = hn::Mul(b, hn::LoadU(d, cos + half + i));
    hn::StoreU(hn::NegMulAdd(b, hn::LoadU(d, sin + i), low), d, out + i);
    hn::StoreU(hn::MulAdd(a, hn::LoadU(d, sin + half + i), high), d,
               out + half + i);
  }
  for (; i < half; ++i) {
    const float a = x[i], b = x[half + i];
    out[i] = a * cos[i] - b * sin[i];
    out[half + i] = b * cos[half + i] + a * sin[half + i];
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

HWY_EXPORT(RunRotateRow);

void RotateRow(const float* x, const float* cos, const float* sin,
               int64_t length, float* out) {
  HWY_DYNAMIC_DISPATCH(RunRotateRow)(x, cos, sin, length, out);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
