// Loops over rows of f32 numbers of any length. Compiled once per instruction
// set: include it after highway.h in a file of foreach_target.h.
#if defined(DOVETAIL_BACKENDS_COMMON_KERNELS_SIMD_ROWS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef DOVETAIL_BACKENDS_COMMON_KERNELS_SIMD_ROWS_INL_H_
#undef DOVETAIL_BACKENDS_COMMON_KERNELS_SIMD_ROWS_INL_H_
#else
#define DOVETAIL_BACKENDS_COMMON_KERNELS_SIMD_ROWS_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::host {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using RowTag = hn::ScalableTag<float>;
using RowVector = hn::Vec<RowTag>;

HWY_INLINE int64_t RowLanes() {
  return static_cast<int64_t>(hn::Lanes(RowTag()));
}

// Loads and stores with a mask touch no memory of other lanes. Without them few
// lanes go through memory, which waits for what was stored singly.
#undef DOVETAIL_ROWS_HAVE_MASKS
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
#define DOVETAIL_ROWS_HAVE_MASKS 1
#else
#define DOVETAIL_ROWS_HAVE_MASKS 0
#endif

// The first `count` lanes, fewer than all, from memory, the others `fill`.
HWY_INLINE RowVector LoadFew(const float* from, int64_t count, float fill) {
  const RowTag d;
#if DOVETAIL_ROWS_HAVE_MASKS
  const auto first = hn::FirstN(d, static_cast<size_t>(count));
  return hn::IfThenElse(first, hn::MaskedLoad(first, d, from),
                        hn::Set(d, fill));
#else
  HWY_ALIGN float lanes[HWY_LANES(float)];
  hn::Store(hn::Set(d, fill), d, lanes);
  std::memcpy(lanes, from, count * sizeof(float));
  return hn::Load(d, lanes);
#endif
}

HWY_INLINE void StoreFew(RowVector x, float* to, int64_t count) {
#if DOVETAIL_ROWS_HAVE_MASKS
  const auto first = hn::FirstN(RowTag(), static_cast<size_t>(count));
  hn::BlendedStore(x, first, RowTag(), to);
#else
  HWY_ALIGN float lanes[HWY_LANES(float)];
  hn::Store(x, RowTag(), lanes);
  std::memcpy(to, lanes, count * sizeof(float));
#endif
}

// to[i] = f(from[i], i); f takes the vector that starts at i. The two may be
// the same.
template <class F>
HWY_INLINE void MapRow(const float* from, float* to, int64_t count, F f) {
  const RowTag d;
  const int64_t lanes = RowLanes();
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    hn::StoreU(f(hn::LoadU(d, from + i), i), d, to + i);
  }
  if (i < count)
    StoreFew(f(LoadFew(from + i, count - i, 0), i), to + i, count - i);
}

// How numbers are put together: the one that changes nothing, and the function
// of vectors and of numbers.
struct SumFold {
  static constexpr float kNeutral = 0;
  template <class V>
  static HWY_INLINE V Apply(V a, V b) {
    return hn::Add(a, b);
  }
  static float Apply(float a, float b) { return a + b; }
};
struct ProductFold {
  static constexpr float kNeutral = 1;
  template <class V>
  static HWY_INLINE V Apply(V a, V b) {
    return hn::Mul(a, b);
  }
  static float Apply(float a, float b) { return a * b; }
};
struct MaxFold {
  static constexpr float kNeutral = -std::numeric_limits<float>::infinity();
  template <class V>
  static HWY_INLINE V Apply(V a, V b) {
    return hn::Max(a, b);
  }
  static float Apply(float a, float b) { return a > b ? a : b; }
};
struct MinFold {
  static constexpr float kNeutral = std::numeric_limits<float>::infinity();
  template <class V>
  static HWY_INLINE V Apply(V a, V b) {
    return hn::Min(a, b);
  }
  static float Apply(float a, float b) { return a < b ? a : b; }
};

// Halves with halves, as one lane after the other would wait for itself.
template <class Fold>
HWY_INLINE float FoldLanes(RowVector x) {
#if DOVETAIL_ROWS_HAVE_MASKS
#if HWY_TARGET == HWY_AVX3
  const hn::Half<RowTag> half;
  const auto eight = Fold::Apply(hn::LowerHalf(half, x), hn::UpperHalf(half, x));
#else
  const RowTag half;
  const auto eight = x;
#endif
  const hn::Half<decltype(half)> quarter;
  auto four =
      Fold::Apply(hn::LowerHalf(quarter, eight), hn::UpperHalf(quarter, eight));
  four = Fold::Apply(four, hn::Shuffle1032(four));
  four = Fold::Apply(four, hn::Shuffle2301(four));
  return hn::GetLane(four);
#else
  HWY_ALIGN float lanes[HWY_LANES(float)];
  hn::Store(x, RowTag(), lanes);
  for (int64_t half = RowLanes() / 2; half > 0; half /= 2) {
    for (int64_t i = 0; i < half; ++i) {
      lanes[i] = Fold::Apply(lanes[i], lanes[i + half]);
    }
  }
  return lanes[0];
#endif
}

// Folds f(row[i]); four sums at a time, because one would wait for itself.
template <class Fold, class F>
HWY_INLINE float FoldRow(const float* row, int64_t count, F f) {
  const RowTag d;
  const int64_t lanes = RowLanes();
  RowVector a = hn::Set(d, Fold::kNeutral);
  RowVector b = a, c = a, e = a;
  int64_t i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    a = Fold::Apply(a, f(hn::LoadU(d, row + i)));
    b = Fold::Apply(b, f(hn::LoadU(d, row + i + lanes)));
    c = Fold::Apply(c, f(hn::LoadU(d, row + i + 2 * lanes)));
    e = Fold::Apply(e, f(hn::LoadU(d, row + i + 3 * lanes)));
  }
  for (; i + lanes <= count; i += lanes) {
    a = Fold::Apply(a, f(hn::LoadU(d, row + i)));
  }
  if (i < count) {
    // f is not of lanes that are none.
    const auto first = hn::FirstN(d, static_cast<size_t>(count - i));
    const RowVector rest = f(LoadFew(row + i, count - i, 0));
    b = Fold::Apply(b,
                    hn::IfThenElse(first, rest, hn::Set(d, Fold::kNeutral)));
  }
  return FoldLanes<Fold>(Fold::Apply(Fold::Apply(a, b), Fold::Apply(c, e)));
}

// The sum of f(row[i]) by chunks, so that its error does not grow with the
// length.
template <class F>
HWY_INLINE double SumRow(const float* row, int64_t count, F f) {
  constexpr int64_t kChunk = 1024;
  double sum = 0;
  for (int64_t i = 0; i < count; i += kChunk) {
    sum += FoldRow<SumFold>(row + i, std::min(kChunk, count - i), f);
  }
  return sum;
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::host
HWY_AFTER_NAMESPACE();

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_SIMD_ROWS_INL_H_
