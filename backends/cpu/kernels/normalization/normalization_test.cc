#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <type_traits>
#include <vector>

#include "dovetail/backends/common/kernels/simd/columns.h"
#include "dovetail/backends/cpu/kernels/normalization/channels_last.h"
#include "dovetail/backends/cpu/kernels/normalization/joined_pixels.h"
#include "dovetail/backends/cpu/kernels/normalization/l2_lrn.h"
#include "dovetail/backends/cpu/kernels/normalization/softmax.h"
#include "dovetail/backends/cpu/kernels/normalization/variance.h"
#include "dovetail/core/tensor/types/narrow_float.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kLengths[] = {1, 2, 7, 8, 9, 31, 64, 100, 1000, 4099};

std::vector<float> Numbers(int64_t count, float low = -3, float high = 4) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> uniform(low, high);
  std::vector<float> numbers(count);
  for (float& number : numbers) number = uniform(random);
  return numbers;
}

using RowFn = std::function<std::vector<double>(const std::vector<double>&)>;

// `function` of each lane along the middle axis of {outer, length, inner}.
std::vector<double> AlongLanes(const std::vector<float>& in, int64_t length,
                               int64_t inner, const RowFn& function) {
  std::vector<double> out(in.size());
  const int64_t outer = static_cast<int64_t>(in.size()) / length / inner;
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < inner; ++i) {
      const int64_t first = o * length * inner + i;
      std::vector<double> row(length);
      for (int64_t k = 0; k < length; ++k) row[k] = in[first + k * inner];
      row = function(row);
      for (int64_t k = 0; k < length; ++k) out[first + k * inner] = row[k];
    }
  }
  return out;
}

void ExpectNear(const std::vector<float>& got, const std::vector<double>& want,
                double near = 1e-6) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_NEAR(got[i], want[i], near * (1 + std::fabs(want[i])))
        << "element " << i;
  }
}

std::vector<double> SoftmaxOf(const std::vector<double>& row) {
  double sum = 0;
  std::vector<double> out;
  for (const double x : row) sum += std::exp(x);
  for (const double x : row) out.push_back(std::exp(x) / sum);
  return out;
}

std::vector<double> LogSoftmaxOf(const std::vector<double>& row) {
  std::vector<double> out = SoftmaxOf(row);
  for (double& x : out) x = std::log(x);
  return out;
}

TEST(SoftmaxTest, Rows) {
  for (const int64_t length : kLengths) {
    const std::vector<float> in = Numbers(3 * length, -9, 9);
    std::vector<float> out(in.size());
    SoftmaxRows(SoftmaxKind::kSoftmax, in.data(), out.data(), length, 0, 2);
    SoftmaxRows(SoftmaxKind::kSoftmax, in.data(), out.data(), length, 2, 3);
    ExpectNear(out, AlongLanes(in, length, 1, SoftmaxOf), 3e-7);
    SoftmaxRows(SoftmaxKind::kLogSoftmax, in.data(), out.data(), length, 0, 3);
    ExpectNear(out, AlongLanes(in, length, 1, LogSoftmaxOf));
  }
}

// In place, too, and wherever rows are cut.
TEST(SoftmaxTest, ShortRows) {
  constexpr int64_t kRows = 37;
  for (const int64_t length : {1, 2, 3, 4, 5, 8, 11, 15, 16, 17}) {
    const std::vector<float> in = Numbers(kRows * length, -9, 9);
    for (const auto& [kind, function] :
         {std::pair(SoftmaxKind::kSoftmax, &SoftmaxOf),
          std::pair(SoftmaxKind::kLogSoftmax, &LogSoftmaxOf)}) {
      std::vector<float> out = in;
      SoftmaxRows(kind, out.data(), out.data(), length, 0, 5);
      SoftmaxRows(kind, out.data(), out.data(), length, 5, kRows);
      ExpectNear(out, AlongLanes(in, length, 1, *function));
    }
  }
}

TEST(SoftmaxTest, Columns) {
  for (const int64_t inner : {1, 3, 8, 100, 127, 128, 129, 300}) {
    const int64_t length = 21;
    const std::vector<float> in = Numbers(2 * length * inner, -9, 9);
    std::vector<float> out = in;
    const int64_t units = SoftmaxColumnUnits(2, inner);
    SoftmaxColumns(SoftmaxKind::kSoftmax, out.data(), out.data(), length, inner,
                   0, units);
    ExpectNear(out, AlongLanes(in, length, inner, SoftmaxOf), 3e-7);
    SoftmaxColumns(SoftmaxKind::kLogSoftmax, in.data(), out.data(), length,
                   inner, 0, units);
    ExpectNear(out, AlongLanes(in, length, inner, LogSoftmaxOf));
  }
}

TEST(SoftmaxTest, LargeNumbersAndMasks) {
  std::vector<float> row = {10000,     -INFINITY, 10000,
                            -INFINITY, -INFINITY, -INFINITY,
                            -INFINITY, -INFINITY, -INFINITY};
  SoftmaxRows(SoftmaxKind::kSoftmax, row.data(), row.data(), 9, 0, 1);
  EXPECT_EQ(row, (std::vector<float>{0.5f, 0, 0.5f, 0, 0, 0, 0, 0, 0}));
  row = {1, NAN, 2};
  SoftmaxRows(SoftmaxKind::kSoftmax, row.data(), row.data(), 3, 0, 1);
  EXPECT_TRUE(std::isnan(row[0]));
}

std::vector<double> Normalized(const std::vector<double>& row,
                               const VarianceOptions& options) {
  double mean = 0, variance = 0;
  for (const double x : row) mean += x / static_cast<double>(row.size());
  for (const double x : row) {
    variance += (x - mean) * (x - mean) / static_cast<double>(row.size());
  }
  const double root = !options.divides ? 1
                      : options.epsilon_in_root
                          ? std::sqrt(variance + options.epsilon)
                          : std::sqrt(variance) + options.epsilon;
  std::vector<double> out;
  for (const double x : row) out.push_back((x - mean) / root);
  return out;
}

TEST(LayerNormTest, RowsWithScaleAndShift) {
  for (const int64_t length : kLengths) {
    for (const bool in_root : {true, false}) {
      const VarianceOptions options{.epsilon = 1e-3f,
                                    .epsilon_in_root = in_root};
      const std::vector<float> in = Numbers(3 * length, 99, 104);
      const std::vector<float> scale = Numbers(length, 1, 2);
      const std::vector<float> shift = Numbers(length, -1, 1);
      std::vector<float> out(in.size());
      LayerNormRows({in.data(), scale.data(), shift.data(), out.data()}, length,
                    options, 0, 3);
      std::vector<double> want =
          AlongLanes(in, length, 1, [&](const std::vector<double>& row) {
            return Normalized(row, options);
          });
      for (size_t i = 0; i < want.size(); ++i) {
        want[i] = want[i] * scale[i % length] + shift[i % length];
      }
      ExpectNear(out, want, 2e-5);
    }
  }
}

TEST(LayerNormTest, OnlyMean) {
  const VarianceOptions options{.divides = false};
  std::vector<float> row = {1, 2, 6};
  LayerNormRows({.in = row.data(), .out = row.data()}, 3, options, 0, 1);
  ExpectNear(row, {-2, -1, 3}, 1e-6);
}

TEST(RmsNormTest, Rows) {
  for (const int64_t length : kLengths) {
    const std::vector<float> in = Numbers(2 * length);
    const std::vector<float> scale = Numbers(length, 1, 2);
    std::vector<float> out(in.size());
    RmsNormRows(in.data(), scale.data(), out.data(), length, 1e-5f, 0, 2);
    std::vector<double> want =
        AlongLanes(in, length, 1, [&](std::vector<double> row) {
          double squares = 0;
          for (const double x : row) squares += x * x;
          for (double& x : row) {
            x /= std::sqrt(squares / static_cast<double>(length) + 1e-5f);
          }
          return row;
        });
    for (size_t i = 0; i < want.size(); ++i) want[i] *= scale[i % length];
    ExpectNear(out, want);
  }
}

TEST(GroupNormTest, ScalesEachChannel) {
  const VarianceOptions options{.epsilon = 1e-5f};
  const GroupShape shape{.groups = 3, .channels = 4, .area = 35};
  const std::vector<float> in = Numbers(2 * 3 * 4 * 35);
  const std::vector<float> scale = Numbers(12, 1, 2), shift = Numbers(12);
  std::vector<float> out(in.size());
  GroupNorm({in.data(), scale.data(), shift.data(), out.data()}, shape, options,
            0, 6);
  std::vector<double> want = AlongLanes(
      in, 4 * 35, 1,
      [&](const std::vector<double>& row) { return Normalized(row, options); });
  for (size_t i = 0; i < want.size(); ++i) {
    const size_t channel = i / 35 % 12;
    want[i] = want[i] * scale[channel] + shift[channel];
  }
  ExpectNear(out, want, 3e-6);
}

TEST(InstanceNormTest, BlockedChannels) {
  const VarianceOptions options{.epsilon = 1e-5f};
  for (const int block : {8, 16}) {
    for (const int64_t area : {1, 2, 49, 5000}) {
      const std::vector<float> in = Numbers(2 * 3 * area * block);
      const std::vector<float> scale = Numbers(3 * block, 1, 2);
      std::vector<float> out(in.size());
      InstanceNormBlocked({in.data(), scale.data(), nullptr, out.data()},
                          {3, area, block}, options, 0, 6);
      std::vector<double> want =
          AlongLanes(in, area, block, [&](const std::vector<double>& row) {
            return Normalized(row, options);
          });
      for (size_t i = 0; i < want.size(); ++i) {
        want[i] *= scale[i / (area * block) % 3 * block + i % block];
      }
      ExpectNear(out, want, 5e-6);
    }
  }
}

// Where channel c of pixel i is.
int64_t PlaceOf(const PixelShape& shape, int64_t c, int64_t i) {
  return (c / shape.width * shape.area + i) * shape.width + c % shape.width;
}

std::vector<double> NormalizedGroups(const std::vector<float>& in,
                                     const PixelShape& shape,
                                     const VarianceOptions& options) {
  const int64_t count = shape.channels() / shape.groups;
  std::vector<double> out(in.size());
  for (int64_t first = 0; first < shape.channels(); first += count) {
    std::vector<double> group;
    for (int64_t k = 0; k < count * shape.area; ++k) {
      group.push_back(
          in[PlaceOf(shape, first + k / shape.area, k % shape.area)]);
    }
    group = Normalized(group, options);
    for (int64_t k = 0; k < count * shape.area; ++k) {
      out[PlaceOf(shape, first + k / shape.area, k % shape.area)] = group[k];
    }
  }
  return out;
}

// In parts of `pixels` pixels, as a step does it.
void NormalizeInParts(const std::vector<float>& in, const PixelShape& shape,
                      int64_t pixels, const float* scale, const float* shift,
                      const VarianceOptions& options, std::vector<float>& out) {
  const int64_t parts = (shape.area + pixels - 1) / pixels;
  const int64_t width = shape.width;
  std::vector<float> moments(shape.blocks * parts * 2 * width);
  std::vector<float> factors(shape.blocks * 3 * width);
  const auto for_each_part = [&](auto fn) {
    for (int64_t block = 0; block < shape.blocks; ++block) {
      for (int64_t part = 0; part < parts; ++part) {
        fn(block, part, std::min(shape.area, (part + 1) * pixels));
      }
    }
  };
  for_each_part([&](int64_t block, int64_t part, int64_t end) {
    MomentsOfPixels(in.data() + block * shape.area * width, width,
                    part * pixels, end,
                    moments.data() + (block * parts + part) * 2 * width);
  });
  for (int64_t group = 0; group < shape.groups; ++group) {
    FactorsOfGroups(moments.data(), pixels, shape, scale, shift, options, group,
                    group + 1, factors.data());
  }
  for_each_part([&](int64_t block, int64_t part, int64_t end) {
    const int64_t offset = block * shape.area * width;
    NormalizePixels(in.data() + offset, factors.data() + block * 3 * width,
                    width, part * pixels, end, out.data() + offset);
  });
}

// By definition, a number of channel `c`.
double Finished(const PixelEpilogue& e, double x, int64_t c) {
  using E = PixelEpilogue;
  if (e.has_grid) {
    x = std::clamp<double>(std::nearbyint(x * e.grid.scale + e.grid.shift), 0,
                           e.grid.steps);
  }
  x = x * e.array(E::kScale)[c] + e.array(E::kShift)[c];
  if (e.has_slope) {
    x = (x < 0 ? x * e.array(E::kSlope)[c] : x) + e.array(E::kLastShift)[c];
  }
  return std::clamp<double>(x, e.array(E::kLow)[c], e.array(E::kHigh)[c]);
}

template <typename T>
void CheckFinished(int64_t width, PixelEpilogue e) {
  constexpr int64_t kPixels = 7;
  const std::vector<float> in = Numbers(kPixels * width, -3, 3);
  // What is subtracted, multiplied with and added.
  const std::vector<float> factors = Numbers(3 * width, 0.5f, 1.5f);
  std::vector<float> numbers = Numbers(PixelEpilogue::kArrays * width, 5, 20);
  std::fill_n(numbers.end() - 2 * width, width, -100.0f);
  std::fill_n(numbers.end() - width, width, 120.0f);
  if (std::is_unsigned_v<T>) std::fill_n(numbers.end() - 2 * width, width, 0.f);
  e.numbers = numbers.data();
  e.channels = e.stride = width;
  std::vector<T> out(kPixels * width);
  NormalizePixels(in.data(), factors.data(), e, 0, 3, out.data());
  NormalizePixels(in.data(), factors.data(), e, 3, kPixels, out.data());
  // A number near a tie may go to either side, on the grid a step of it.
  const double tie = std::is_same_v<T, float> ? 1e-3 : 0.501;
  const double step = e.has_grid ? 20.0 * 20.0 : 0;
  int64_t other_way = 0;
  for (int64_t i = 0; i < kPixels * width; ++i) {
    const int64_t c = i % width;
    const double normal =
        (static_cast<double>(in[i]) - factors[c]) * factors[width + c] +
        factors[2 * width + c];
    const double want = Finished(e, normal, c);
    ASSERT_NEAR(out[i], want, tie + step) << "element " << i;
    other_way += std::abs(out[i] - want) > tie;
  }
  EXPECT_LE(other_way, kPixels * width / 100);
}

TEST(PixelsTest, EpiloguesOfNormalizedNumbers) {
  // Parts of vectors, one and several.
  for (const int64_t width : {3, 16, 21, 64}) {
    for (const bool grid : {false, true}) {
      for (const bool slope : {false, true}) {
        PixelEpilogue e;
        e.has_grid = grid;
        e.has_slope = slope;
        e.grid = {.scale = 2, .shift = 4, .steps = 9};
        CheckFinished<float>(width, e);
        e.output_type = ElementType::kU8;
        CheckFinished<uint8_t>(width, e);
        e.output_type = ElementType::kI8;
        CheckFinished<int8_t>(width, e);
      }
    }
  }
}

// What bf16 keeps of it.
float Rounded(float x) { return static_cast<float>(BFloat16(x)); }

// Parts of f32 and of bf16, and results of f32 and of bf16.
TEST(JoinedPixelsTest, FinishesTheChannelsOfAllParts) {
  constexpr int64_t kPixels = 5, kChannels = 16 + 3 + 40;
  const std::vector<float> wide = Numbers(kPixels * 16);
  const std::vector<float> few = Numbers(kPixels * 3),
                           more = Numbers(kPixels * 40);
  std::vector<BFloat16> narrow(more.begin(), more.end());
  const PixelPart parts[] = {{16, ElementType::kF32},
                             {3, ElementType::kF32},
                             {40, ElementType::kBf16}};
  const void* const data[] = {wide.data(), few.data(), narrow.data()};
  std::vector<float> numbers =
      Numbers(PixelEpilogue::kArrays * kChannels, -2, 2);
  std::fill_n(numbers.end() - 2 * kChannels, kChannels, 0.0f);
  std::fill_n(numbers.end() - kChannels, kChannels, 6.0f);
  PixelEpilogue e;
  e.numbers = numbers.data();
  e.channels = e.stride = kChannels;
  std::vector<float> out(kPixels * kChannels);
  FinishJoinedPixels(parts, data, e, 0, 2, out.data());
  FinishJoinedPixels(parts, data, e, 2, kPixels, out.data());
  e.output_type = ElementType::kBf16;
  std::vector<BFloat16> narrow_out(out.size());
  FinishJoinedPixels(parts, data, e, 0, kPixels, narrow_out.data());
  for (int64_t i = 0; i < kPixels; ++i) {
    for (int64_t c = 0; c < kChannels; ++c) {
      const float x = c < 16   ? wide[i * 16 + c]
                      : c < 19 ? few[i * 3 + c - 16]
                               : Rounded(more[i * 40 + c - 19]);
      const double want = Finished(e, x, c);
      ASSERT_NEAR(out[i * kChannels + c], want, 1e-5) << i << ", " << c;
      ASSERT_EQ(static_cast<float>(narrow_out[i * kChannels + c]),
                Rounded(out[i * kChannels + c]))
          << i << ", " << c;
    }
  }
}

TEST(PixelsTest, GroupsOfChannelsThatAreTheLastAxis) {
  const VarianceOptions options{.epsilon = 1e-5f};
  // Far from 0 sums of squares would cancel.
  for (const float middle : {0.0f, 500.0f}) {
    for (const PixelShape& shape : std::vector<PixelShape>{{1, 49, 32, 32},
                                                           {1, 77, 20, 5},
                                                           {4, 30, 8, 2},
                                                           {2, 1000, 16, 32},
                                                           {1, 1, 6, 1}}) {
      const std::vector<float> in =
          Numbers(shape.channels() * shape.area, middle - 3, middle + 4);
      const std::vector<float> scale = Numbers(shape.channels(), 1, 2);
      const std::vector<float> shift = Numbers(shape.channels());
      std::vector<double> want = NormalizedGroups(in, shape, options);
      for (int64_t c = 0; c < shape.channels(); ++c) {
        for (int64_t i = 0; i < shape.area; ++i) {
          double& number = want[PlaceOf(shape, c, i)];
          number = number * scale[c] + shift[c];
        }
      }
      for (const int64_t pixels : {7, 64, 2000}) {
        std::vector<float> out(in.size());
        NormalizeInParts(in, shape, pixels, scale.data(), shift.data(), options,
                         out);
        ExpectNear(out, want, middle > 0 ? 1e-3 : 5e-6);
      }
    }
  }
}

TEST(NormalizeL2Test, RowsAndColumns) {
  for (const bool adds : {true, false}) {
    const L2Options options{.epsilon = 0.5f, .epsilon_is_added = adds};
    const RowFn function = [&](std::vector<double> row) {
      double squares = 0;
      for (const double x : row) squares += x * x;
      squares = adds ? squares + 0.5 : std::max(squares, 0.5);
      for (double& x : row) x /= std::sqrt(squares);
      return row;
    };
    for (const int64_t inner : {1, 5, 130}) {
      const std::vector<float> in = Numbers(2 * 37 * inner);
      std::vector<float> out(in.size());
      NormalizeL2Columns(in.data(), out.data(), 37, inner, options, 0,
                         host::ColumnUnits(2, inner));
      ExpectNear(out, AlongLanes(in, 37, inner, function));
      if (inner != 1) continue;
      NormalizeL2Rows(in.data(), out.data(), 37, options, 0, 2);
      ExpectNear(out, AlongLanes(in, 37, 1, function));
    }
  }
}

TEST(LrnTest, AcrossChannels) {
  for (const float beta : {0.75f, 0.6f}) {
    for (const int64_t size : {1, 3, 4, 5}) {
      const LrnOptions options{
          .alpha = 0.3f, .beta = beta, .bias = 1.5f, .size = size};
      const std::vector<float> in = Numbers(2 * 7 * 150);
      std::vector<float> out(in.size());
      LrnAcrossChannels(in.data(), out.data(), 7, 150, options, 0,
                        host::ColumnUnits(2, 150));
      const RowFn function = [&](const std::vector<double>& row) {
        std::vector<double> result(7);
        for (int64_t c = 0; c < 7; ++c) {
          double squares = 0;
          for (int64_t k = 0; k < 7; ++k) {
            if (std::abs(k - c) <= (size - 1) / 2) squares += row[k] * row[k];
          }
          const double base = 1.5 + 0.3f * squares / static_cast<double>(size);
          result[c] = row[c] / std::pow(base, beta);
        }
        return result;
      };
      ExpectNear(out, AlongLanes(in, 7, 150, function));
    }
  }
}

}  // namespace
}  // namespace dovetail::cpu
