#include "dovetail/backends/common/kernels/image/resize.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

#include "gtest/gtest.h"

namespace dovetail::host {
namespace {

// Taps as they are given.
struct PlainTaps {
  std::vector<int64_t> first = {0};
  std::vector<int64_t> indices;
  std::vector<double> weights;

  void Add(int64_t index, double weight) {
    indices.push_back(index);
    weights.push_back(weight);
  }
  void EndElement() { first.push_back(static_cast<int64_t>(indices.size())); }
  ResizeTaps Taps() const { return ResizeTaps(first, indices, weights); }
};

PlainTaps NearestTaps(int64_t in, int64_t out) {
  PlainTaps taps;
  for (int64_t o = 0; o < out; ++o) {
    taps.Add(o * in / out, 1);
    taps.EndElement();
  }
  return taps;
}

// `reach` 1 is linear; more is a window of 2 * reach taps.
PlainTaps WindowTaps(int64_t in, int64_t out, int64_t reach) {
  PlainTaps taps;
  for (int64_t o = 0; o < out; ++o) {
    const double at = (static_cast<double>(o) + 0.5) * static_cast<double>(in) /
                          static_cast<double>(out) -
                      0.5;
    const int64_t left = static_cast<int64_t>(std::floor(at));
    for (int64_t k = left - reach + 1; k <= left + reach; ++k) {
      const double distance = std::fabs(at - static_cast<double>(k));
      taps.Add(std::clamp<int64_t>(k, 0, in - 1),
               1 - distance / static_cast<double>(reach));
    }
    taps.EndElement();
  }
  return taps;
}

// As of an image with a border of zeros: not all elements have taps.
PlainTaps PaddedTaps(int64_t in, int64_t out) {
  PlainTaps taps;
  for (int64_t o = 0; o < out; ++o) {
    if (o % 3 != 0) taps.Add(o * in / out, 1);
    taps.EndElement();
  }
  return taps;
}

std::vector<float> Numbers(int64_t count) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> numbers(count);
  for (float& number : numbers) number = uniform(random);
  return numbers;
}

struct Image {
  int64_t planes, rows, columns, channels;

  int64_t size() const { return planes * rows * columns * channels; }
  int64_t At(int64_t p, int64_t y, int64_t x, int64_t c) const {
    return ((p * rows + y) * columns + x) * channels + c;
  }
};

void ExpectResized(const Image& from, const PlainTaps& rows,
                   const PlainTaps& columns) {
  const ResizeTaps row_taps = rows.Taps(), column_taps = columns.Taps();
  const Image to = {from.planes, row_taps.output(), column_taps.output(),
                    from.channels};
  const std::vector<float> in = Numbers(from.size());
  std::vector<float> got(to.size() + 1, 77);
  const int64_t units = to.planes * to.rows, middle = units / 2;
  for (const auto& [begin, end] :
       {std::pair(middle, units), std::pair(int64_t{0}, middle)}) {
    Resize({from.rows, from.columns, from.channels, row_taps, column_taps},
           in.data(), got.data(), begin, end);
  }
  EXPECT_EQ(got.back(), 77) << "wrote behind the end";
  for (int64_t i = 0; i < to.size(); ++i) {
    const int64_t c = i % to.channels, x = i / to.channels % to.columns;
    const int64_t y = i / to.channels / to.columns % to.rows;
    const int64_t p = i / to.channels / to.columns / to.rows;
    double want = 0;
    for (int64_t r = rows.first[y]; r < rows.first[y + 1]; ++r) {
      for (int64_t k = columns.first[x]; k < columns.first[x + 1]; ++k) {
        want += rows.weights[r] * columns.weights[k] *
                in[from.At(p, rows.indices[r], columns.indices[k], c)];
      }
    }
    ASSERT_NEAR(got[i], want, 2e-6) << "element " << i;
  }
}

TEST(ResizeTest, EveryLayout) {
  for (const int64_t channels : {1, 2, 3, 4, 5, 8, 11, 16, 20}) {
    const Image image = {3, 9, 13, channels};
    ExpectResized(image, NearestTaps(9, 18), NearestTaps(13, 26));
    ExpectResized(image, NearestTaps(9, 4), NearestTaps(13, 5));
    ExpectResized(image, WindowTaps(9, 18, 1), WindowTaps(13, 26, 1));
    ExpectResized(image, WindowTaps(9, 5, 2), WindowTaps(13, 40, 2));
    ExpectResized(image, WindowTaps(9, 3, 4), NearestTaps(13, 13));
    ExpectResized(image, PaddedTaps(9, 12), PaddedTaps(13, 20));
    ExpectResized(image, PaddedTaps(9, 12), WindowTaps(13, 20, 1));
  }
}

TEST(ResizeTest, RowsTooWideForTheStack) {
  ExpectResized({1, 3, 16401, 1}, WindowTaps(3, 4, 1),
                WindowTaps(16401, 100, 1));
  ExpectResized({1, 3, 1901, 9}, WindowTaps(3, 4, 1), WindowTaps(1901, 10, 1));
}

// Taps of no weight are left out, as at the border of an image; they stand for
// no row that is far away.
PlainTaps WithoutZeros(const PlainTaps& taps) {
  PlainTaps fewer;
  for (size_t o = 0; o + 1 < taps.first.size(); ++o) {
    for (int64_t k = taps.first[o]; k < taps.first[o + 1]; ++k) {
      if (taps.weights[k] != 0) fewer.Add(taps.indices[k], taps.weights[k]);
    }
    fewer.EndElement();
  }
  return fewer;
}

TEST(ResizeTest, GrowsWithRowsOfFewerTaps) {
  const PlainTaps rows = WithoutZeros(WindowTaps(9, 27, 1));
  const PlainTaps cubic = WithoutZeros(WindowTaps(9, 36, 2));
  const PlainTaps columns = WithoutZeros(WindowTaps(13, 65, 1));
  for (const int64_t channels : {1, 3, 8, 20}) {
    ExpectResized({2, 9, 13, channels}, rows, columns);
    ExpectResized({2, 9, 13, channels}, cubic, columns);
  }
}

// An element that is no number stays where it is, and infinity where nothing
// is added to it but zeros.
TEST(ResizeTest, KeepsInfinityApart) {
  const PlainTaps rows = WithoutZeros(WindowTaps(3, 9, 1));
  const ResizeTaps row_taps = rows.Taps(), same = ResizeTaps::Identity(4);
  std::vector<float> in(12, 1), out(36);
  in[0] = std::numeric_limits<float>::infinity();
  in[11] = std::numeric_limits<float>::quiet_NaN();
  const PlainTaps linear = WithoutZeros(WindowTaps(4, 4, 1));
  const ResizeTaps columns = linear.Taps();
  Resize({3, 4, 1, row_taps, columns}, in.data(), out.data(), 0, 9);
  EXPECT_EQ(out[0], in[0]);
  EXPECT_TRUE(std::isnan(out[35]));
  for (int64_t row = 0; row < 9; ++row) {
    EXPECT_EQ(out[row * 4 + 1], 1) << "row " << row;
  }
}

TEST(ResizeTest, NoTapsAtAll) {
  PlainTaps none;
  none.EndElement();
  none.EndElement();
  ExpectResized({1, 3, 3, 1}, none, WindowTaps(3, 5, 1));
  ExpectResized({1, 3, 3, 8}, WindowTaps(3, 5, 1), none);
}

// ---- Bytes ----

// What a byte is: one channel, f32 in the test's own sums.
void ExpectBytesResized(int64_t planes, int64_t in_rows, int64_t in_columns,
                        const PlainTaps& rows, const PlainTaps& columns) {
  const ResizeTaps row_taps = rows.Taps(), column_taps = columns.Taps();
  std::mt19937 random(7);
  std::vector<uint8_t> in(planes * in_rows * in_columns);
  for (uint8_t& byte : in) byte = static_cast<uint8_t>(random());
  const int64_t units = planes * row_taps.output();
  std::vector<uint8_t> got(units * column_taps.output() + 1, 77);
  for (const auto& [begin, end] :
       {std::pair(units / 2, units), std::pair(int64_t{0}, units / 2)}) {
    Resize({in_rows, in_columns, 1, row_taps, column_taps}, in.data(),
           got.data(), begin, end);
  }
  EXPECT_EQ(got.back(), 77) << "wrote behind the end";
  for (int64_t i = 0; i + 1 < static_cast<int64_t>(got.size()); ++i) {
    const int64_t x = i % column_taps.output(), unit = i / column_taps.output();
    const int64_t y = unit % row_taps.output(), p = unit / row_taps.output();
    double want = 0;
    for (int64_t r = rows.first[y]; r < rows.first[y + 1]; ++r) {
      for (int64_t k = columns.first[x]; k < columns.first[x + 1]; ++k) {
        want += rows.weights[r] * columns.weights[k] *
                in[(p * in_rows + rows.indices[r]) * in_columns +
                   columns.indices[k]];
      }
    }
    ASSERT_NEAR(got[i], std::clamp(want, 0.0, 255.0), 0.5001) << i;
  }
}

TEST(ResizeBytesTest, EveryKindOfTaps) {
  ExpectBytesResized(3, 9, 13, NearestTaps(9, 18), NearestTaps(13, 26));
  ExpectBytesResized(3, 9, 13, NearestTaps(9, 4), WindowTaps(13, 5, 1));
  ExpectBytesResized(3, 9, 13, WindowTaps(9, 18, 1), WindowTaps(13, 26, 1));
  ExpectBytesResized(3, 9, 70, WindowTaps(9, 5, 2), WindowTaps(70, 40, 2));
  ExpectBytesResized(3, 9, 13, PaddedTaps(9, 12), PaddedTaps(13, 20));
  ExpectBytesResized(3, 9, 13, PaddedTaps(9, 12), WindowTaps(13, 20, 1));
  ExpectBytesResized(1, 3, 16401, WindowTaps(3, 4, 1),
                     WindowTaps(16401, 100, 1));
}

// Weights beyond 0 and 1, as cubic ones are, overshoot on both sides.
TEST(ResizeBytesTest, CutsWhatOvershoots) {
  PlainTaps sharp;
  for (int64_t o = 0; o < 20; ++o) {
    sharp.Add(o, 3);
    sharp.Add((o + 1) % 20, -2);
    sharp.EndElement();
  }
  PlainTaps same = NearestTaps(4, 4);
  ExpectBytesResized(2, 4, 20, same, sharp);
}

TEST(ResizeBytesTest, HalvesGoToTheEvenSide) {
  PlainTaps halves;
  halves.Add(0, 0.5);
  halves.Add(1, 0.5);
  halves.EndElement();
  const ResizeTaps one = ResizeTaps::Identity(1), mean = halves.Taps();
  for (const auto& [a, b, want] :
       {std::tuple(0, 1, 0), std::tuple(1, 2, 2), std::tuple(254, 255, 254)}) {
    const uint8_t in[] = {static_cast<uint8_t>(a), static_cast<uint8_t>(b)};
    uint8_t out = 9;
    Resize({1, 2, 1, one, mean}, in, &out, 0, 1);
    EXPECT_EQ(out, want);
  }
}

TEST(ResizeTapsTest, ChannelsAreResizedEachByItself) {
  PlainTaps plain;
  plain.Add(0, 0.25);
  plain.Add(2, 0.75);
  plain.EndElement();
  plain.EndElement();  // of padding
  plain.Add(1, 1);
  plain.EndElement();
  const ResizeTaps taps = plain.Taps().OfChannels(2);
  ASSERT_EQ(taps.output(), 6);
  ASSERT_EQ(taps.count(), 2);
  for (int64_t c = 0; c < 2; ++c) {
    EXPECT_EQ(taps.indices(0)[c], c);
    EXPECT_EQ(taps.indices(1)[c], 4 + c);
    EXPECT_EQ(taps.weights(1)[c], 0.75f);
    EXPECT_EQ(taps.weights(0)[2 + c], 0);
    EXPECT_EQ(taps.indices(0)[4 + c], 2 + c);
    EXPECT_EQ(taps.weights(0)[4 + c], 1);
  }
}

}  // namespace
}  // namespace dovetail::host
