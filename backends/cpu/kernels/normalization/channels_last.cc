#include "dovetail/backends/cpu/kernels/normalization/channels_last.h"

#include <algorithm>
#include <cmath>

#include "dovetail/backends/common/kernels/simd/simd_targets.h"
#include "dovetail/core/base/checked_math.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/normalization/channels_last.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

// After foreach_target.h, because it is included once per target.
#include "dovetail/backends/common/kernels/simd/rows-inl.h"
#include "dovetail/backends/cpu/kernels/normalization/pixel_epilogue-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {

using namespace host::HWY_NAMESPACE;
namespace {

// A vector of channels after the other: the few pixels stay in the first cache.
template <bool kGrid, bool kSlope, typename T>
void NormalizeAndFinish(const float* block, const float* factors,
                        const PixelEpilogue& epilogue, int64_t begin,
                        int64_t end, T* out) {
  const PixelEpilogue e = epilogue;  // which no store can change
  const int64_t width = e.channels;
  for (int64_t c = 0; c < width; c += RowLanes()) {
    const ChannelEpilogue channels(e, c);
    const RowVector minus = LoadChannels(factors, c, width);
    const RowVector by = LoadChannels(factors + width, c, width);
    const RowVector plus = LoadChannels(factors + 2 * width, c, width);
    for (int64_t i = begin; i < end; ++i) {
      const RowVector x = LoadChannels(block + i * width, c, width);
      const RowVector normal = hn::MulAdd(hn::Sub(x, minus), by, plus);
      StoreChannels(Finish<kGrid, kSlope>(normal, e, channels), out + i * width,
                    c, width);
    }
  }
}

template <typename T>
void NormalizeTo(const float* block, const float* factors,
                 const PixelEpilogue& e, int64_t begin, int64_t end, T* out) {
  const auto run = e.has_grid
                       ? (e.has_slope ? &NormalizeAndFinish<true, true, T>
                                      : &NormalizeAndFinish<true, false, T>)
                   : e.has_slope ? &NormalizeAndFinish<false, true, T>
                                 : &NormalizeAndFinish<false, false, T>;
  run(block, factors, e, begin, end, out);
}

}  // namespace

namespace {

// The sum of f(x) over pixels [begin, end) of the vector of channels at c, in
// four chains, as none waits for the one before then.
template <typename F>
HWY_INLINE RowVector SumOfPixels(const float* block, int64_t width, int64_t c,
                                 int64_t begin, int64_t end, F f) {
  constexpr int kChains = 4;
  const RowTag d;
  RowVector sums[kChains] = {hn::Zero(d), hn::Zero(d), hn::Zero(d),
                             hn::Zero(d)};
  int64_t i = begin;
  for (; i + kChains <= end; i += kChains) {
#pragma GCC unroll 4
    for (int j = 0; j < kChains; ++j) {
      sums[j] = f(LoadChannels(block + (i + j) * width, c, width), sums[j]);
    }
  }
  for (; i < end; ++i) {
    sums[0] = f(LoadChannels(block + i * width, c, width), sums[0]);
  }
  return hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3]));
}

}  // namespace

// Twice over the pixels, which are few enough to stay in the first cache.
void RunMoments(const float* block, int64_t width, int64_t begin, int64_t end,
                float* moments) {
  const auto share = hn::Set(RowTag(), 1 / static_cast<float>(end - begin));
  for (int64_t c = 0; c < width; c += RowLanes()) {
    const RowVector sum =
        SumOfPixels(block, width, c, begin, end,
                    [](auto x, auto sum) HWY_ATTR { return hn::Add(sum, x); });
    const RowVector mean = hn::Mul(sum, share);
    const RowVector squares = SumOfPixels(
        block, width, c, begin, end, [=](auto x, auto sum) HWY_ATTR {
          const RowVector difference = hn::Sub(x, mean);
          return hn::MulAdd(difference, difference, sum);
        });
    StoreChannels(mean, moments, c, width);
    StoreChannels(squares, moments + width, c, width);
  }
}

namespace {

// Sums of channels are f64, as groups may be of many pixels.
using Doubles = hn::ScalableTag<double>;
using DoubleVector = hn::Vec<Doubles>;

HWY_INLINE DoubleVector LoadDoubles(const float* from) {
  return hn::PromoteTo(Doubles(),
                       hn::LoadU(hn::Rebind<float, Doubles>(), from));
}

double Sum(const float* numbers, int64_t count) {
  const Doubles d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  DoubleVector sum = hn::Zero(d);
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    sum = hn::Add(sum, LoadDoubles(numbers + i));
  }
  double rest = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; i < count; ++i) rest += numbers[i];
  return rest;
}

// Of the differences from `mean`: of those from their own means, and of these
// by so many pixels.
double SumOfSquares(const float* means, const float* squares, int64_t count,
                    double pixels, double mean) {
  const Doubles d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const DoubleVector size = hn::Set(d, pixels), all = hn::Set(d, mean);
  DoubleVector sum = hn::Zero(d);
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const DoubleVector apart = hn::Sub(LoadDoubles(means + i), all);
    sum = hn::Add(
        sum, hn::MulAdd(hn::Mul(size, apart), apart, LoadDoubles(squares + i)));
  }
  double rest = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; i < count; ++i) {
    const double apart = means[i] - mean;
    rest += squares[i] + pixels * apart * apart;
  }
  return rest;
}

// Calls f(pixels of a part, moments of its channels, number of these) for all
// parts of the blocks that channels [first, end) are in.
template <typename F>
void ForEachPart(const float* moments, int64_t pixels, const PixelShape& shape,
                 int64_t first, int64_t end, F f) {
  const int64_t part_size = 2 * shape.width;
  const int64_t block_size = CeilDivide(shape.area, pixels) * part_size;
  for (int64_t c = first; c < end;) {
    const int64_t in_block = c % shape.width;
    const int64_t count = std::min(end - c, shape.width - in_block);
    const float* part = moments + c / shape.width * block_size + in_block;
    for (int64_t i = 0; i < shape.area; i += pixels, part += part_size) {
      f(static_cast<double>(std::min(pixels, shape.area - i)), part, count);
    }
    c += count;
  }
}

}  // namespace

// Of channels [first, end).
void RunMomentsOfGroup(const float* moments, int64_t pixels,
                       const PixelShape& shape, int64_t first, int64_t end,
                       double& mean, double& variance) {
  const auto all_pixels = static_cast<double>(shape.area * (end - first));
  double sum = 0;
  ForEachPart(moments, pixels, shape, first, end,
              [&](double size, const float* means, int64_t count) {
                sum += size * Sum(means, count);
              });
  mean = sum / all_pixels;
  sum = 0;
  ForEachPart(moments, pixels, shape, first, end,
              [&](double size, const float* means, int64_t count) {
                sum +=
                    SumOfSquares(means, means + shape.width, count, size, mean);
              });
  variance = sum / all_pixels;
}

void RunNormalize(const float* block, const float* factors, int64_t width,
                  int64_t begin, int64_t end, float* out) {
  const float *const by = factors + width, *const plus = by + width;
  for (int64_t i = begin; i < end; ++i) {
    MapRow(block + i * width, out + i * width, width,
           [=](auto x, int64_t c) HWY_ATTR {
             return hn::MulAdd(hn::Sub(x, LoadChannels(factors, c, width)),
                               LoadChannels(by, c, width),
                               LoadChannels(plus, c, width));
           });
  }
}

void RunNormalizeAndFinish(const float* block, const float* factors,
                           const PixelEpilogue& e, int64_t begin, int64_t end,
                           void* out) {
  switch (e.output_type) {
    case ElementType::kU8:
      return NormalizeTo(block, factors, e, begin, end,
                         static_cast<uint8_t*>(out));
    case ElementType::kI8:
      return NormalizeTo(block, factors, e, begin, end,
                         static_cast<int8_t*>(out));
    default:
      return NormalizeTo(block, factors, e, begin, end,
                         static_cast<float*>(out));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

HWY_EXPORT(RunMoments);
HWY_EXPORT(RunMomentsOfGroup);
HWY_EXPORT(RunNormalize);
HWY_EXPORT(RunNormalizeAndFinish);

void MomentsOfPixels(const float* block, int64_t width, int64_t begin,
                     int64_t end, float* moments) {
  HWY_DYNAMIC_DISPATCH(RunMoments)(block, width, begin, end, moments);
}

void FactorsOfGroups(const float* moments, int64_t pixels,
                     const PixelShape& shape, const float* scale,
                     const float* shift, const VarianceOptions& options,
                     int64_t begin, int64_t end, float* factors) {
  const int64_t count = shape.channels() / shape.groups;
  for (int64_t group = begin; group < end; ++group) {
    const int64_t first = group * count;
    double mean = 0, variance = 0;
    HWY_DYNAMIC_DISPATCH(RunMomentsOfGroup)
    (moments, pixels, shape, first, first + count, mean, variance);
    const double inverse = InverseRootOf(variance, options);
    for (int64_t c = first; c < first + count; ++c) {
      float* const own = factors + c / shape.width * 3 * shape.width;
      const int64_t i = c % shape.width;
      own[i] = static_cast<float>(mean);
      own[shape.width + i] =
          static_cast<float>(inverse * (scale == nullptr ? 1 : scale[c]));
      own[2 * shape.width + i] = shift == nullptr ? 0 : shift[c];
    }
  }
}

void NormalizePixels(const float* block, const float* factors, int64_t width,
                     int64_t begin, int64_t end, float* out) {
  HWY_DYNAMIC_DISPATCH(RunNormalize)(block, factors, width, begin, end, out);
}

void NormalizePixels(const float* block, const float* factors,
                     const PixelEpilogue& epilogue, int64_t begin, int64_t end,
                     void* out) {
  HWY_DYNAMIC_DISPATCH(RunNormalizeAndFinish)
  (block, factors, epilogue, begin, end, out);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
