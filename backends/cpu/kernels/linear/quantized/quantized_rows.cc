#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE \
  "backends/cpu/kernels/linear/quantized/quantized_rows.cc"
#include <algorithm>
#include <cstring>

#include "dovetail/backends/cpu/kernels/linear/quantized/quantized_rows.h"
#include "dovetail/core/base/checked_math.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, 16>;
using Integers = hn::RebindToSigned<Floats>;

constexpr float kGreatestCode = 127;
// Of what is added to it, the sum is rounded to an integer: its lowest bits.
constexpr float kRounder = 3 << 22;
// What is nearer to zero has no inverse to multiply with, and counts as zero.
constexpr float kLeastMagnitude = 1e-30f;
constexpr int64_t kShuffledAtATime = 16;

// Zeros behind `count` elements, of which there may be none.
HWY_INLINE hn::Vec<Floats> LoadFirst(const float* x, int64_t count) {
  const Floats df;
  // A mask of none does not keep Highway's scalar vectors from reading.
  if (count <= 0) return hn::Zero(df);
  return hn::MaskedLoad(hn::FirstN(df, static_cast<size_t>(count)), df, x);
}

// The greatest magnitude; NaN where there is one, which bits order last.
HWY_INLINE float Magnitude(const float* x, int64_t count) {
  const Floats df;
  const Integers di;
  const auto lanes = static_cast<int64_t>(hn::Lanes(df));
  const auto magnitude = hn::Set(di, 0x7fffffff);
  auto most = hn::Zero(di);
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto bits = hn::BitCast(di, hn::LoadU(df, x + i));
    most = hn::Max(most, hn::And(bits, magnitude));
  }
  if (i < count) {
    const auto bits = hn::BitCast(di, LoadFirst(x + i, count - i));
    most = hn::Max(most, hn::And(bits, magnitude));
  }
  const int32_t bits = hn::GetLane(hn::MaxOfLanes(di, most));
  float result;
  std::memcpy(&result, &bits, sizeof(result));
  return result;
}

// Elements that share a scale. Writes whole vectors of codes, `padded` at
// least, and adds the elements to `sum`.
HWY_INLINE float QuantizeGroup(const float* x, int64_t count, int64_t padded,
                               uint8_t* to, hn::Vec<Floats>& sum) {
  const Floats df;
  const hn::RebindToUnsigned<Floats> du;
  const hn::Rebind<uint8_t, Floats> bytes;
  const auto lanes = static_cast<int64_t>(hn::Lanes(df));
  const float most = Magnitude(x, count);
  const bool is_zero = most < kLeastMagnitude;
  const float scale = is_zero ? 0 : most * (1 / kGreatestCode);
  const auto inverse = hn::Set(df, is_zero ? 0 : kGreatestCode / most);
  const auto factor = hn::Set(df, scale), rounder = hn::Set(df, kRounder);
  for (int64_t i = 0; i < padded; i += lanes) {
    const auto numbers =
        i + lanes <= count ? hn::LoadU(df, x + i) : LoadFirst(x + i, count - i);
    const auto codes = hn::MulAdd(numbers, inverse, rounder);
    hn::StoreU(hn::TruncateTo(bytes, hn::BitCast(du, codes)), bytes, to + i);
    sum = hn::MulAdd(hn::Sub(codes, rounder), factor, sum);
  }
  return scale;
}

// Sixteen codes to the order of QuantizedRowLayout: number i is the one that
// was number order[i].
HWY_INLINE void Shuffle(const uint8_t* order, uint8_t* codes) {
#if HWY_TARGET == HWY_SCALAR
  uint8_t copy[kShuffledAtATime];
  std::memcpy(copy, codes, sizeof(copy));
  for (int64_t i = 0; i < kShuffledAtATime; ++i) codes[i] = copy[order[i]];
#else
  const hn::FixedTag<uint8_t, kShuffledAtATime> d;
  hn::StoreU(hn::TableLookupBytes(hn::LoadU(d, codes), hn::LoadU(d, order)), d,
             codes);
#endif
}

void ShuffleUnits(int64_t unit, int64_t count, uint8_t* codes) {
  alignas(16) static constexpr uint8_t kBy8[kShuffledAtATime] = {
      0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15};
  alignas(16) static constexpr uint8_t kBy16[kShuffledAtATime] = {
      0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};
  const uint8_t* const order = unit == 8 ? kBy8 : kBy16;
  for (int64_t i = 0; i < count; i += kShuffledAtATime) {
    Shuffle(order, codes + i);
  }
}

// in_group: elements for a group of the matrix.
HWY_INLINE void QuantizeRow(const QuantizedRowLayout& layout, int64_t in_group,
                            const float* x, uint8_t* to) {
  const Floats df;
  uint8_t* codes = to;
  auto* scales = reinterpret_cast<float*>(to + layout.scales_at);
  auto* sums = reinterpret_cast<float*>(to + layout.sums_at);
  const int64_t at_a_time = layout.scale_units * layout.unit;
  const int64_t in_segment = layout.segment_units * layout.unit;
  for (int64_t g = 0; g < layout.groups; ++g, x += in_group) {
    for (int64_t begin = 0; begin < in_group; begin += in_segment) {
      const int64_t end = std::min(in_group, begin + in_segment);
      auto sum = hn::Zero(df);
      for (int64_t k = begin; k < end; k += at_a_time) {
        const int64_t count = std::min(at_a_time, end - k);
        const int64_t padded = (count + layout.unit - 1) & -layout.unit;
        *scales++ = QuantizeGroup(x + k, count, padded, codes + k, sum);
      }
      *sums++ = hn::GetLane(hn::SumOfLanes(df, sum));
    }
    codes += layout.units * layout.unit;
  }
  if (layout.unit > 4) {
    const int64_t count = layout.groups * layout.units * layout.unit;
    ShuffleUnits(layout.unit, count, to);
  }
}

void Quantize(const CompressedMatrix& b, const QuantizedRowLayout& of_rows,
              const float* a, int64_t a_stride, int64_t begin, int64_t end,
              uint8_t* to) {
  const QuantizedRowLayout layout = of_rows;  // which no store can change
  const int64_t in_group = b.group;
  for (int64_t row = begin; row < end; ++row) {
    QuantizeRow(layout, in_group, a + row * a_stride, to + row * layout.stride);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {
namespace {

// Sums of so many products of codes fit into 32 bits.
constexpr int64_t kMostElements = int64_t{1} << 15;
// Of more, sums would lose what they differ by (compressed_gemm.cc).
constexpr int64_t kSegmentElements = 256;
// Vectors of codes may end so many bytes behind the last one.
constexpr int64_t kBytesBehind = 16;
constexpr int64_t kLineBytes = 64;

}  // namespace

int BitsOfCodes(const CompressedMatrix& b) {
  switch (b.form) {
    case WeightForm::kBits2:
      return 2;
    case WeightForm::kBits4:
      return 4;
    case WeightForm::kBits8:
      return 8;
    case WeightForm::kCodeBook:
    case WeightForm::kF16:
      break;
  }
  return 0;
}

QuantizedRowLayout::QuantizedRowLayout(const CompressedMatrix& b, int64_t group)
    : unit(b.RowsInUnit()), units(b.UnitsInGroup()), groups(b.groups()) {
  scale_units =
      std::min(units, CeilDivide(std::min(group, kMostElements), unit));
  segment_units =
      std::max<int64_t>(1, kSegmentElements / (scale_units * unit)) *
      scale_units;
  scales = groups * CeilDivide(units, scale_units);
  segments = groups * CeilDivide(units, segment_units);
  scales_at = CeilDivide(groups * units * unit + kBytesBehind, kBytesBehind) *
              kBytesBehind;
  sums_at = scales_at + scales * 4;
  // Odd numbers of lines, so that rows do not share places in a cache.
  stride = (CeilDivide(sums_at + segments * 4, kLineBytes) | 1) * kLineBytes;
}

HWY_EXPORT(Quantize);

void QuantizeRows(const CompressedMatrix& b, const QuantizedRowLayout& layout,
                  const float* a, int64_t a_stride, int64_t begin, int64_t end,
                  uint8_t* to) {
  HWY_DYNAMIC_DISPATCH(Quantize)(b, layout, a, a_stride, begin, end, to);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
