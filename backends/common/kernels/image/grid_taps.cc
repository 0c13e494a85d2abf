#include "dovetail/backends/common/kernels/image/grid_taps.h"

#include <algorithm>
#include <cmath>

#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/common/kernels/image/grid_taps.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::host {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Tag>;
using IndexTag = hn::RebindToSigned<Tag>;

HWY_INLINE Vector Clamp(Vector x, float low, float high) {
  const Tag d;
  return hn::Min(hn::Max(x, hn::Set(d, low)), hn::Set(d, high));
}

// In elements; so far outside at most that nothing overflows.
HWY_INLINE Vector PositionOf(const GridAxis& axis, Vector coordinate) {
  constexpr float kFar = 1e12f;
  const Tag d;
  const auto one = hn::Set(d, 1.0f), half = hn::Set(d, 0.5f);
  const auto extent = hn::Set(d, static_cast<float>(axis.extent));
  coordinate = hn::IfThenElse(hn::IsNaN(coordinate), hn::Zero(d),
                              Clamp(coordinate, -kFar, kFar));
  const auto shifted = hn::Add(coordinate, one);
  const auto position =
      axis.align_corners
          ? hn::Mul(hn::Mul(shifted, half), hn::Sub(extent, one))
          : hn::Mul(hn::Sub(hn::Mul(shifted, extent), one), half);
  return Clamp(position, -kFar, kFar);
}

// `i` modulo `period`, exactly. The quotient of a great number is rounded, and
// what a fused multiplication leaves of it may be more than a period.
HWY_INLINE Vector Modulo(Vector i, float period) {
  const Tag d;
#if HWY_TARGET == HWY_SCALAR
  const float rest = std::fmod(hn::GetLane(i), period);
  return hn::Set(d, rest < 0 ? rest + period : rest);
#else
  const auto by = hn::Set(d, period);
  for (int round = 0; round < 2; ++round) {
    i = hn::NegMulAdd(hn::Floor(hn::Div(i, by)), by, i);
  }
  return i;
#endif
}

// Mirrored at the middles of the outermost elements (0 1 2 1 0), or at their
// outer edges (0 1 2 2 1 0).
HWY_INLINE Vector Reflect(const GridAxis& axis, Vector i) {
  const Tag d;
  const auto extent = static_cast<float>(axis.extent);
  const float edge = axis.align_corners ? 1 : 0;
  const float period = std::max(1.0f, 2 * (extent - edge));
  i = Modulo(i, period);
  const auto mirrored = hn::Sub(hn::Set(d, period - 1 + edge), i);
  return hn::IfThenElse(hn::Lt(i, hn::Set(d, extent)), i, mirrored);
}

// Tap t of the points from `at` on is element `i`, wherever that is.
HWY_INLINE void Put(const GridAxis& axis, int t, int64_t at, Vector i,
                    Vector weight, GridTaps& taps) {
  const Tag d;
  const IndexTag di;
  const float last = static_cast<float>(axis.extent - 1);
  if (axis.padding == GridSamplePadding::kReflection) i = Reflect(axis, i);
  const auto inside = Clamp(i, 0, last);
  if (axis.padding == GridSamplePadding::kZeros) {
    weight = hn::IfThenElseZero(hn::Eq(i, inside), weight);
  }
  const auto stride = hn::Set(di, static_cast<int32_t>(axis.stride));
  hn::Store(hn::Mul(hn::ConvertTo(di, inside), stride), di,
            taps.indices[t] + at);
  hn::Store(weight, d, taps.weights[t] + at);
}

// R. Keys, "Cubic convolution interpolation for digital image processing"
// (1981), with a slope of -0.75 at distance 1.
constexpr float kSlope = -0.75f;

// Of an element at a distance of up to 1, and from 1 to 2.
HWY_INLINE Vector NearWeight(Vector distance) {
  const Tag d;
  const auto inner =
      hn::MulAdd(hn::Set(d, kSlope + 2), distance, hn::Set(d, -kSlope - 3));
  return hn::MulAdd(hn::Mul(inner, distance), distance, hn::Set(d, 1));
}
HWY_INLINE Vector FarWeight(Vector distance) {
  const Tag d;
  auto sum = hn::Sub(distance, hn::Set(d, 5));
  sum = hn::MulAdd(sum, distance, hn::Set(d, 8));
  sum = hn::MulAdd(sum, distance, hn::Set(d, -4));
  return hn::Mul(sum, hn::Set(d, kSlope));
}

HWY_INLINE void PutCubic(const GridAxis& axis, int64_t at, Vector base,
                         Vector fraction, GridTaps& taps) {
  const Tag d;
  const auto one = hn::Set(d, 1.0f), two = hn::Set(d, 2.0f);
  Put(axis, 0, at, hn::Sub(base, one), FarWeight(hn::Add(fraction, one)), taps);
  Put(axis, 1, at, base, NearWeight(fraction), taps);
  Put(axis, 2, at, hn::Add(base, one), NearWeight(hn::Sub(one, fraction)),
      taps);
  Put(axis, 3, at, hn::Add(base, two), FarWeight(hn::Sub(two, fraction)), taps);
}

}  // namespace

void FindTaps(const GridAxis& axis, const float* coordinates, int64_t count,
              GridTaps& taps) {
  const Tag d;
  const auto one = hn::Set(d, 1.0f);
  for (int64_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto position = PositionOf(axis, hn::LoadU(d, coordinates + i));
    if (axis.mode == GridSampleMode::kNearest) {
      Put(axis, 0, i, hn::Round(position), one, taps);
      continue;
    }
    const auto base = hn::Floor(position);
    const auto fraction = hn::Sub(position, base);
    if (axis.mode == GridSampleMode::kBicubic) {
      PutCubic(axis, i, base, fraction, taps);
    } else {
      Put(axis, 0, i, base, hn::Sub(one, fraction), taps);
      Put(axis, 1, i, hn::Add(base, one), fraction, taps);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::host {

HWY_EXPORT(FindTaps);

void FindGridTaps(const GridAxis& axis, const float* coordinates, int64_t count,
                  GridTaps& taps) {
  HWY_DYNAMIC_DISPATCH(FindTaps)(axis, coordinates, count, taps);
}

}  // namespace dovetail::host
#endif  // HWY_ONCE
