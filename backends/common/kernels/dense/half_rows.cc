#include "dovetail/backends/common/kernels/dense/half_rows.h"

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

// A vector, to the nearest.
HWY_INLINE void Round(hn::Vec<Wide> x, uint16_t* out) {
  const Wide d;
  if constexpr (kConverts) {
    const Half half;
    hn::StoreU(hn::DemoteTo(half, x), half,
               reinterpret_cast<hwy::float16_t*>(out));
    return;
  }
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  HWY_ALIGN float row[16];
  hn::Store(x, d, row);
  for (int64_t k = 0; k < lanes; ++k) out[k] = FloatToF16Bits(row[k]);
}

HWY_INLINE hn::Vec<Wide> Sum(Wide d, const uint16_t* a, const uint16_t* b) {
  if constexpr (kConverts) {
    const Half half;
    return hn::Add(hn::PromoteTo(d, hn::LoadU(half, AsHalf(a))),
                   hn::PromoteTo(d, hn::LoadU(half, AsHalf(b))));
  }
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  HWY_ALIGN float row[16];
  for (int64_t k = 0; k < lanes; ++k) {
    row[k] = F16BitsToFloat(a[k]) + F16BitsToFloat(b[k]);
  }
  return hn::Load(d, row);
}

// `some` numbers, fewer than a vector has.
template <class Number>
HWY_INLINE void CopySome(const Number* from, int64_t some, Number* to) {
  for (int64_t k = 0; k < some; ++k) to[k] = from[k];
}

void Finish(const float* sums, const HalfEpilogue& epilogue, int64_t count,
            uint16_t* out) {
  const Wide d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    Round(Finished(d, hn::LoadU(d, sums + i), epilogue), out + i);
  }
  if (i == count) return;
  HWY_ALIGN float rest[16] = {};
  uint16_t rounded[16];
  CopySome(sums + i, count - i, rest);
  Round(Finished(d, hn::Load(d, rest), epilogue), rounded);
  CopySome(rounded, count - i, out + i);
}

void FinishSums(const uint16_t* a, const uint16_t* b,
                const HalfEpilogue& epilogue, int64_t count, uint16_t* out) {
  const Wide d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    Round(Finished(d, Sum(d, a + i, b + i), epilogue), out + i);
  }
  if (i == count) return;
  uint16_t rest_a[16] = {}, rest_b[16] = {}, rounded[16];
  CopySome(a + i, count - i, rest_a);
  CopySome(b + i, count - i, rest_b);
  Round(Finished(d, Sum(d, rest_a, rest_b), epilogue), rounded);
  CopySome(rounded, count - i, out + i);
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::host {

HWY_EXPORT(Widen);
HWY_EXPORT(Finish);
HWY_EXPORT(FinishSums);

void WidenHalf(const uint16_t* in, int64_t count, float* out) {
  HWY_DYNAMIC_DISPATCH(Widen)(in, count, out);
}

void FinishHalf(const float* sums, const HalfEpilogue& epilogue, int64_t count,
                uint16_t* out) {
  HWY_DYNAMIC_DISPATCH(Finish)(sums, epilogue, count, out);
}

void AddHalves(const uint16_t* a, const uint16_t* b,
               const HalfEpilogue& epilogue, int64_t count, uint16_t* out) {
  HWY_DYNAMIC_DISPATCH(FinishSums)(a, b, epilogue, count, out);
}

}  // namespace dovetail::host
#endif  // HWY_ONCE
