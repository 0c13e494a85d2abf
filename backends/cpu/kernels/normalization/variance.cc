#include "dovetail/backends/cpu/kernels/normalization/variance.h"

#include <cmath>

#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/normalization/variance.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

// After foreach_target.h, because it is included once per target.
#include "dovetail/backends/common/kernels/simd/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {

using namespace host::HWY_NAMESPACE;
namespace {

struct Moments {
  float mean;
  float inverse;  // of the root
};

// Squares of differences from the mean, not of the numbers: those would cancel.
Moments MomentsOf(const float* row, int64_t length,
                  const VarianceOptions& options) {
  const double sum = SumRow(row, length, [](auto x) HWY_ATTR { return x; });
  const float mean = static_cast<float>(sum / length);
  if (!options.divides) return {mean, 1};
  const auto center = hn::Set(RowTag(), mean);
  const double squares = SumRow(row, length, [=](auto x) HWY_ATTR {
    const auto difference = hn::Sub(x, center);
    return hn::Mul(difference, difference);
  });
  return {mean, static_cast<float>(InverseRootOf(squares / length, options))};
}

// The vector of `from` at i, where a row of `length` may end within it.
HWY_INLINE RowVector LoadUpTo(const float* from, int64_t i, int64_t length) {
  return length - i >= RowLanes() ? hn::LoadU(RowTag(), from + i)
                                  : LoadFew(from + i, length - i, 0);
}

// Rows of at most so many vectors stay in registers.
constexpr int kShortVectors = 8;

// A row of kVectors vectors, which the last one may fill in part.
template <int kVectors>
void LayerNormShortRow(const NormOperands& row, int64_t length,
                       const VarianceOptions& options) {
  const RowTag d;
  const int64_t lanes = RowLanes(), last = (kVectors - 1) * lanes;
  const auto in_last = hn::FirstN(d, static_cast<size_t>(length - last));
  const auto share = hn::Set(d, 1 / static_cast<float>(length));
  const auto load = [&](const float* from, int i) HWY_ATTR {
    return i + 1 < kVectors ? hn::LoadU(d, from + i * lanes)
                            : hn::MaskedLoad(in_last, d, from + last);
  };
  RowVector x[kVectors];
  RowVector sum = hn::Zero(d);
  for (int i = 0; i < kVectors; ++i) {
    x[i] = load(row.in, i);
    sum = hn::Add(sum, x[i]);
  }
  const auto mean = hn::Mul(hn::SumOfLanes(d, sum), share);
  RowVector squares = hn::Zero(d);
  for (int i = 0; i < kVectors; ++i) {
    x[i] = hn::Sub(x[i], mean);
    if (i + 1 == kVectors) x[i] = hn::IfThenElseZero(in_last, x[i]);
    squares = hn::MulAdd(x[i], x[i], squares);
  }
  const double variance = hn::GetLane(hn::SumOfLanes(d, squares)) / length;
  const auto inverse =
      hn::Set(d, static_cast<float>(InverseRootOf(variance, options)));
  for (int i = 0; i < kVectors; ++i) {
    auto y = hn::Mul(x[i], inverse);
    if (row.scale != nullptr) y = hn::Mul(y, load(row.scale, i));
    if (row.shift != nullptr) y = hn::Add(y, load(row.shift, i));
    if (i + 1 < kVectors) {
      hn::StoreU(y, d, row.out + i * lanes);
    } else {
      hn::BlendedStore(y, in_last, d, row.out + last);
    }
  }
}

using LayerNormFn = void (*)(const NormOperands& row, int64_t length,
                             const VarianceOptions& options);

void LayerNormRow(const NormOperands& row, int64_t length,
                  const VarianceOptions& options) {
  const RowTag d;
  const float *const scale = row.scale, *const shift = row.shift;
  const Moments moments = MomentsOf(row.in, length, options);
  const auto mean = hn::Set(d, moments.mean);
  const auto inverse = hn::Set(d, moments.inverse);
  MapRow(row.in, row.out, length, [=](auto x, int64_t i) HWY_ATTR {
    auto y = hn::Mul(hn::Sub(x, mean), inverse);
    if (scale != nullptr) y = hn::Mul(y, LoadUpTo(scale, i, length));
    if (shift != nullptr) y = hn::Add(y, LoadUpTo(shift, i, length));
    return y;
  });
}

void RmsNormRow(const float* in, const float* scale, float* out, int64_t length,
                float epsilon) {
  const double squares =
      SumRow(in, length, [](auto x) HWY_ATTR { return hn::Mul(x, x); });
  const double inverse = 1 / std::sqrt(squares / length + epsilon);
  const auto factor = hn::Set(RowTag(), static_cast<float>(inverse));
  MapRow(in, out, length, [=](auto x, int64_t i) HWY_ATTR {
    const auto y = hn::Mul(x, factor);
    return scale == nullptr ? y : hn::Mul(y, LoadUpTo(scale, i, length));
  });
}

void NormalizeGroup(const NormOperands& group, const GroupShape& shape,
                    const VarianceOptions& options) {
  const RowTag d;
  const Moments moments =
      MomentsOf(group.in, shape.channels * shape.area, options);
  const auto mean = hn::Set(d, moments.mean);
  for (int64_t c = 0; c < shape.channels; ++c) {
    const float factor = group.scale == nullptr ? 1 : group.scale[c];
    const auto by = hn::Set(d, moments.inverse * factor);
    const auto plus = hn::Set(d, group.shift == nullptr ? 0 : group.shift[c]);
    MapRow(group.in + c * shape.area, group.out + c * shape.area, shape.area,
           [=](auto x, int64_t)
               HWY_ATTR { return hn::MulAdd(hn::Sub(x, mean), by, plus); });
  }
}

// Of one block: a mean and a root for each lane.
template <int kBlock>
void NormalizeBlock(const NormOperands& block, int64_t area,
                    const VarianceOptions& options) {
  const float *const in = block.in, *const scale = block.scale;
  const float* const shift = block.shift;
  float* const out = block.out;
  const hn::CappedTag<float, kBlock> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  constexpr int64_t kChunk = 4096;
  for (int64_t lane = 0; lane < kBlock; lane += lanes) {
    // Sums by chunks, so that the error does not grow with the area.
    const auto sums = [&](auto f, double* totals) HWY_ATTR {
      for (int64_t k = 0; k < lanes; ++k) totals[k] = 0;
      for (int64_t first = 0; first < area; first += kChunk) {
        auto a = hn::Zero(d), b = hn::Zero(d);
        const int64_t last = std::min(area, first + kChunk);
        int64_t i = first;
        for (; i + 2 <= last; i += 2) {
          a = hn::Add(a, f(hn::LoadU(d, in + i * kBlock + lane)));
          b = hn::Add(b, f(hn::LoadU(d, in + (i + 1) * kBlock + lane)));
        }
        if (i < last) a = hn::Add(a, f(hn::LoadU(d, in + i * kBlock + lane)));
        float parts[kBlock];
        hn::StoreU(hn::Add(a, b), d, parts);
        for (int64_t k = 0; k < lanes; ++k) totals[k] += parts[k];
      }
    };
    double totals[kBlock];
    float means[kBlock], factors[kBlock], shifts[kBlock];
    sums([](auto x) HWY_ATTR { return x; }, totals);
    for (int64_t k = 0; k < lanes; ++k) {
      means[k] = static_cast<float>(totals[k] / area);
    }
    const auto mean = hn::LoadU(d, means);
    sums(
        [=](auto x) HWY_ATTR {
          const auto difference = hn::Sub(x, mean);
          return hn::Mul(difference, difference);
        },
        totals);
    for (int64_t k = 0; k < lanes; ++k) {
      const double inverse = InverseRootOf(totals[k] / area, options);
      const float by = scale == nullptr ? 1 : scale[lane + k];
      factors[k] = static_cast<float>(inverse * by);
      shifts[k] = shift == nullptr ? 0 : shift[lane + k];
    }
    const auto factor = hn::LoadU(d, factors);
    const auto plus = hn::LoadU(d, shifts);
    for (int64_t i = lane; i < area * kBlock; i += kBlock) {
      const auto x = hn::Sub(hn::LoadU(d, in + i), mean);
      hn::StoreU(hn::MulAdd(x, factor, plus), d, out + i);
    }
  }
}

// Where row, group or block number i of `size` numbers begins; its channels'
// scales and shifts are those from `channel` on.
NormOperands OperandsAt(const NormOperands& all, int64_t i, int64_t size,
                        int64_t channel) {
  return {
      all.in + i * size, all.scale == nullptr ? nullptr : all.scale + channel,
      all.shift == nullptr ? nullptr : all.shift + channel, all.out + i * size};
}

}  // namespace

void RunLayerNorm(const NormOperands& operands, int64_t length,
                  const VarianceOptions& options, int64_t begin, int64_t end) {
  static constexpr LayerNormFn kShort[kShortVectors] = {
      &LayerNormShortRow<1>, &LayerNormShortRow<2>, &LayerNormShortRow<3>,
      &LayerNormShortRow<4>, &LayerNormShortRow<5>, &LayerNormShortRow<6>,
      &LayerNormShortRow<7>, &LayerNormShortRow<8>};
  const int64_t vectors = (length + RowLanes() - 1) / RowLanes();
  const LayerNormFn run =
      vectors <= kShortVectors ? kShort[vectors - 1] : &LayerNormRow;
  for (int64_t i = begin; i < end; ++i) {
    run(OperandsAt(operands, i, length, 0), length, options);
  }
}

void RunRmsNorm(const float* in, const float* scale, float* out, int64_t length,
                float epsilon, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) {
    RmsNormRow(in + i * length, scale, out + i * length, length, epsilon);
  }
}

void RunGroupNorm(const NormOperands& operands, const GroupShape& shape,
                  const VarianceOptions& options, int64_t begin, int64_t end) {
  const int64_t size = shape.channels * shape.area;
  for (int64_t i = begin; i < end; ++i) {
    const int64_t channel = i % shape.groups * shape.channels;
    NormalizeGroup(OperandsAt(operands, i, size, channel), shape, options);
  }
}

void RunInstanceNorm(const NormOperands& operands, const BlockedShape& shape,
                     const VarianceOptions& options, int64_t begin,
                     int64_t end) {
  const auto run = shape.block == 8 ? NormalizeBlock<8> : NormalizeBlock<16>;
  for (int64_t i = begin; i < end; ++i) {
    const int64_t channel = i % shape.blocks * shape.block;
    run(OperandsAt(operands, i, shape.area * shape.block, channel), shape.area,
        options);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

HWY_EXPORT(RunLayerNorm);
HWY_EXPORT(RunRmsNorm);
HWY_EXPORT(RunGroupNorm);
HWY_EXPORT(RunInstanceNorm);

void LayerNormRows(const NormOperands& operands, int64_t length,
                   const VarianceOptions& options, int64_t begin, int64_t end) {
  HWY_DYNAMIC_DISPATCH(RunLayerNorm)(operands, length, options, begin, end);
}

void RmsNormRows(const float* in, const float* scale, float* out,
                 int64_t length, float epsilon, int64_t begin, int64_t end) {
  HWY_DYNAMIC_DISPATCH(RunRmsNorm)
  (in, scale, out, length, epsilon, begin, end);
}

void GroupNorm(const NormOperands& operands, const GroupShape& shape,
               const VarianceOptions& options, int64_t begin, int64_t end) {
  HWY_DYNAMIC_DISPATCH(RunGroupNorm)(operands, shape, options, begin, end);
}

void InstanceNormBlocked(const NormOperands& operands,
                         const BlockedShape& shape,
                         const VarianceOptions& options, int64_t begin,
                         int64_t end) {
  HWY_DYNAMIC_DISPATCH(RunInstanceNorm)(operands, shape, options, begin, end);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
