#include "dovetail/backends/common/kernels/dense/half_rows.h"

#include <algorithm>

#include "dovetail/backends/common/kernels/simd/simd_targets.h"
#include "dovetail/core/tensor/types/narrow_float.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/common/kernels/dense/half_rows.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::host {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Wide = hn::CappedTag<float, 16>;
using Half = hn::Rebind<hwy::float16_t, Wide>;

const hwy::float16_t* AsHalf(const uint16_t* bits) {
  return reinterpret_cast<const hwy::float16_t*>(bits);
}

// Instruction sets below AVX2 have no conversions, and Highway's leave out
// infinities and rounding to the nearest there.
constexpr bool kConverts = HWY_TARGET <= HWY_AVX2;

void Widen(const uint16_t* in, int64_t count, float* out) {
  int64_t i = 0;
  if constexpr (kConverts) {
    const Wide d;
    const Half half;
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    for (; i + lanes <= count; i += lanes) {
      hn::StoreU(hn::PromoteTo(d, hn::LoadU(half, AsHalf(in + i))), d, out + i);
    }
  }
  for (; i < count; ++i) out[i] = F16BitsToFloat(in[i]);
}

template <class V>
HWY_INLINE V Finished(Wide d, V x, const HalfEpilogue& e) {
  x = hn::MulAdd(x, hn::Set(d, e.scale), hn::Set(d, e.shift));
  const V sloped = hn::Mul(x, hn::Set(d, e.slope));
  x = hn::IfThenElse(hn::Lt(x, hn::Zero(d)), sloped, x);
  // NaN stays: comparisons with it are false.
  const V low = hn::Set(d, e.low), high = hn::Set(d, e.high);
  x = hn::IfThenElse(hn::Lt(x, low), low, x);
  return hn::IfThenElse(hn::Gt(x, high), high, x);
}

HWY_INLINE void Round(const float* row, int64_t count, uint16_t* out) {
  if constexpr (kConverts) {
    const Wide d;
    if (count == static_cast<int64_t>(hn::Lanes(d))) {
      const Half half;
      hn::StoreU(hn::DemoteTo(half, hn::Load(d, row)), half,
                 reinterpret_cast<hwy::float16_t*>(out));
      return;
    }
  }
  for (int64_t k = 0; k < count; ++k) out[k] = FloatToF16Bits(row[k]);
}

void Finish(const float* sums, const HalfEpilogue& epilogue, int64_t count,
            uint16_t* out) {
  const Wide d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  HWY_ALIGN float row[16] = {};
  for (int64_t i = 0; i < count; i += lanes) {
    const int64_t some = count - i < lanes ? count - i : lanes;
    for (int64_t k = 0; k < some; ++k) row[k] = sums[i + k];
    hn::Store(Finished(d, hn::Load(d, row), epilogue), d, row);
    Round(row, some, out + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::host {

HWY_EXPORT(Widen);
HWY_EXPORT(Finish);

void WidenHalf(const uint16_t* in, int64_t count, float* out) {
  HWY_DYNAMIC_DISPATCH(Widen)(in, count, out);
}

void FinishHalf(const float* sums, const HalfEpilogue& epilogue, int64_t count,
                uint16_t* out) {
  HWY_DYNAMIC_DISPATCH(Finish)(sums, epilogue, count, out);
}

void AddHalves(const uint16_t* a, const uint16_t* b,
               const HalfEpilogue& epilogue, int64_t count, uint16_t* out) {
  constexpr int64_t kAtOnce = 1024;
  float sums[kAtOnce], more[kAtOnce];
  for (int64_t begin = 0; begin < count; begin += kAtOnce) {
    const int64_t some = std::min(kAtOnce, count - begin);
    WidenHalf(a + begin, some, sums);
    WidenHalf(b + begin, some, more);
    for (int64_t i = 0; i < some; ++i) sums[i] += more[i];
    FinishHalf(sums, epilogue, some, out + begin);
  }
}

}  // namespace dovetail::host
#endif  // HWY_ONCE
