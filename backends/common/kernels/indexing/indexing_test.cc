#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "dovetail/backends/common/kernels/indexing/gather.h"
#include "dovetail/backends/common/kernels/indexing/top_k.h"
#include "dovetail/backends/common/kernels/simd/columns.h"
#include "gtest/gtest.h"

namespace dovetail::host {
namespace {

std::vector<int32_t> Counting(int64_t count) {
  std::vector<int32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 100);
  return numbers;
}

TEST(GatherTest, RowsOfAnEmbedding) {
  for (const int64_t run : {1, 2, 3, 64}) {
    const std::vector<int32_t> data = Counting(5 * run);
    const std::vector<int64_t> indices = {4, 0, -1, 2, 5, -6};
    std::vector<int32_t> out(6 * run, -1);
    const GatherShape shape{.extent = 5, .count = 6, .run_bytes = run * 4};
    Gather(shape, data.data(), {indices.data(), true}, out.data(), 3, 6);
    Gather(shape, data.data(), {indices.data(), true}, out.data(), 0, 3);
    const int64_t rows[] = {4, 0, 4, 2, -1, -1};
    for (int64_t i = 0; i < 6 * run; ++i) {
      const int64_t row = rows[i / run];
      ASSERT_EQ(out[i], row < 0 ? 0 : data[row * run + i % run]);
    }
  }
}

TEST(GatherTest, BatchesAndOuterDimensions) {
  // Data {2, 3, 4, 2}, indices {2, 2}.
  const std::vector<int32_t> data = Counting(48);
  const std::vector<int32_t> indices = {3, 1, 0, 2};
  std::vector<int32_t> out(24);
  const GatherShape shape{
      .batch = 2, .outer = 3, .extent = 4, .count = 2, .run_bytes = 8};
  Gather(shape, data.data(), {indices.data(), false}, out.data(), 0, 12);
  for (int64_t i = 0; i < 24; ++i) {
    const int64_t row = i / 4, index = indices[row / 3 * 2 + i / 2 % 2];
    ASSERT_EQ(out[i], data[(row * 4 + index) * 2 + i % 2]);
  }
}

TEST(GatherTest, NegativeIndicesMayLieOutside) {
  const std::vector<int32_t> data = {7}, indices = {-1};
  int32_t out = 5;
  const GatherShape shape{
      .extent = 1, .count = 1, .run_bytes = 4, .from_end = false};
  Gather(shape, data.data(), {indices.data(), false}, &out, 0, 1);
  EXPECT_EQ(out, 0);
}

TEST(GatherTest, Elements) {
  // Data {2, 3, 2}, indices {2, 2, 2}.
  const std::vector<int32_t> data = Counting(12);
  const std::vector<int32_t> indices = {2, 0, -1, 1, 0, 0, 1, 9};
  std::vector<int32_t> out(8);
  const GatherElementsShape shape{
      .outer = 2, .extent = 3, .count = 2, .inner = 2, .element_size = 4};
  EXPECT_EQ(GatherElements(shape, data.data(), {indices.data(), false},
                           out.data(), 0, 8),
            1);
  EXPECT_EQ(out, (std::vector<int32_t>{104, 101, 104, 103, 106, 107, 108, 0}));
}

// More indices than are looked at together, and parts that begin and end
// anywhere.
void CheckManyElements(int64_t inner) {
  constexpr int64_t kOuter = 3, kExtent = 11;
  const std::vector<int32_t> data = Counting(kOuter * kExtent * inner);
  for (const int64_t count : {1, 200, 700}) {
    const int64_t all = kOuter * count * inner;
    std::vector<int64_t> indices(all);
    for (int64_t i = 0; i < all; ++i) indices[i] = i * 7 % 25 - kExtent;
    const GatherElementsShape shape{kOuter, kExtent, count, inner, 4};
    std::vector<int32_t> out(all);
    int64_t outside = 0, want_outside = 0;
    for (int64_t begin = 0; begin < all; begin += 541) {
      outside += GatherElements(shape, data.data(), {indices.data(), true},
                                out.data(), begin, std::min(all, begin + 541));
    }
    for (int64_t i = 0; i < all; ++i) {
      const int64_t index = (indices[i] + kExtent) % kExtent;
      const bool is_outside = indices[i] >= kExtent;
      const int64_t row = i / inner / count * kExtent + index;
      ASSERT_EQ(out[i], is_outside ? 0 : data[row * inner + i % inner]) << i;
      want_outside += is_outside;
    }
    EXPECT_EQ(outside, want_outside);
  }
}

TEST(GatherTest, ManyElements) {
  CheckManyElements(3);
  CheckManyElements(1);  // along the last axis
}

// As windows of a row that are laid out side by side, some beside the data.
TEST(GatherTest, StretchesOfNeighbours) {
  constexpr int64_t kBatch = 2, kOuter = 3, kExtent = 40, kWindows = 31;
  constexpr int64_t kWindow = 20, kCount = kWindows * kWindow;
  const std::vector<int32_t> data = Counting(kBatch * kOuter * kExtent);
  std::vector<int64_t> indices(kBatch * kCount);
  for (int64_t i = 0; i < kBatch * kCount; ++i) {
    indices[i] = i % kCount / kWindow + i % kWindow;
  }
  const GatherShape shape{kBatch, kOuter, kExtent, kCount, 4};
  std::vector<int32_t> out(kBatch * kOuter * kCount, -1);
  const auto all = static_cast<int64_t>(out.size());
  for (const int64_t step : {all, int64_t{250}, int64_t{1301}}) {
    std::fill(out.begin(), out.end(), -1);
    for (int64_t begin = 0; begin < all; begin += step) {
      Gather(shape, data.data(), {indices.data(), true}, out.data(), begin,
             std::min(all, begin + step));
    }
    for (int64_t i = 0; i < all; ++i) {
      const int64_t index = indices[i % kCount];
      ASSERT_EQ(out[i],
                index < kExtent ? data[i / kCount * kExtent + index] : 0)
          << i;
    }
  }
}

TEST(GatherTest, ManyRuns) {
  constexpr int64_t kBatch = 2, kOuter = 3, kExtent = 5, kCount = 600;
  const std::vector<int32_t> data = Counting(kBatch * kOuter * kExtent);
  std::vector<int32_t> indices(kBatch * kCount);
  for (size_t i = 0; i < indices.size(); ++i) {
    indices[i] = static_cast<int32_t>(i * 3 % 11) - 5;
  }
  const GatherShape shape{kBatch, kOuter, kExtent, kCount, 4};
  std::vector<int32_t> out(kBatch * kOuter * kCount);
  const auto all = static_cast<int64_t>(out.size());
  for (int64_t begin = 0; begin < all; begin += 250) {
    Gather(shape, data.data(), {indices.data(), false}, out.data(), begin,
           std::min(all, begin + 250));
  }
  for (int64_t i = 0; i < all; ++i) {
    const int64_t row = i / kCount;
    const int32_t index = indices[row / kOuter * kCount + i % kCount];
    ASSERT_EQ(out[i], index >= kExtent
                          ? 0
                          : data[row * kExtent + (index + kExtent) % kExtent])
        << i;
  }
}

TEST(GatherTest, Tuples) {
  // Data {2, 2, 3, 2} with tuples into the middle two dimensions.
  const GatherNdShape shape{
      .batch = 2, .count = 2, .tuple = 2, .dims = {2, 3}, .run_bytes = 8};
  const std::vector<int32_t> data = Counting(24);
  const std::vector<int64_t> indices = {1, 2, 0, -3, 0, 1, 2, 0};
  std::vector<int32_t> out(8);
  GatherNd(shape, data.data(), {indices.data(), true}, out.data(), 0, 4);
  EXPECT_EQ(out, (std::vector<int32_t>{110, 111, 100, 101, 114, 115, 0, 0}));
}

bool Less(float a, float b) { return std::isnan(b) ? !std::isnan(a) : a < b; }

std::vector<int64_t> PlainTopK(const std::vector<float>& row, int64_t k,
                               const TopKOptions& options) {
  std::vector<int64_t> order(row.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return options.of_max ? Less(row[b], row[a]) : Less(row[a], row[b]);
  });
  order.resize(k);
  if (options.sort_by_index) std::sort(order.begin(), order.end());
  return order;
}

// Many of them equal, some special.
std::vector<float> Numbers(int64_t count) {
  std::mt19937 random(count);
  std::vector<float> numbers(count);
  for (float& x : numbers) {
    x = static_cast<float>(random() % 300) - 100;
    if (random() % 50 == 0) x = NAN;
    if (random() % 50 == 0) x = -INFINITY;
    if (random() % 30 == 0) x = -0.0f;
  }
  return numbers;
}

TEST(TopKTest, Rows) {
  for (const int64_t length : {1, 5, 8, 9, 100, 1000}) {
    for (const int64_t k : {1, 2, 5, 64, 65, 100, 999}) {
      if (k > length) continue;
      for (int bits = 0; bits < 4; ++bits) {
        const TopKOptions options{.of_max = (bits & 1) != 0,
                                  .sort_by_index = (bits & 2) != 0};
        const std::vector<float> in = Numbers(2 * length);
        std::vector<float> values(2 * k);
        std::vector<int64_t> indices(2 * k);
        std::vector<uint64_t> scratch(TopKScratch(length, k));
        TopKRows(in.data(), length, k, options,
                 {.values = values.data(), .indices_i64 = indices.data()},
                 scratch.data(), 0, 2);
        for (int64_t row = 0; row < 2; ++row) {
          const std::vector<float> numbers(in.begin() + row * length,
                                           in.begin() + (row + 1) * length);
          const std::vector<int64_t> want = PlainTopK(numbers, k, options);
          for (int64_t i = 0; i < k; ++i) {
            ASSERT_EQ(indices[row * k + i], want[i])
                << k << " of " << length << ", place " << i;
            ASSERT_TRUE(values[row * k + i] == numbers[want[i]] ||
                        std::isnan(numbers[want[i]]));
          }
        }
      }
    }
  }
}

TEST(TopKTest, BestOfColumns) {
  for (const int64_t inner : {1, 7, 128, 131}) {
    for (const int64_t length : {1, 2, 21}) {
      for (const bool of_max : {true, false}) {
        const std::vector<float> in = Numbers(2 * length * inner);
        std::vector<int32_t> indices(2 * inner);
        std::vector<float> values(2 * inner);
        BestOfColumns(in.data(), length, inner, of_max,
                      {.values = values.data(), .indices_i32 = indices.data()},
                      0, ColumnUnits(2, inner));
        for (int64_t i = 0; i < 2 * inner; ++i) {
          std::vector<float> lane;
          for (int64_t k = 0; k < length; ++k) {
            lane.push_back(in[(i / inner * length + k) * inner + i % inner]);
          }
          const int64_t want = PlainTopK(lane, 1, {.of_max = of_max})[0];
          ASSERT_EQ(indices[i], want) << "column " << i;
          ASSERT_TRUE(values[i] == lane[want] || std::isnan(lane[want]));
        }
      }
    }
  }
}

TEST(TopKTest, BestOfRows) {
  for (const int64_t rows : {1, 7, 128, 131}) {
    for (const int64_t length : {1, 2, 21, 32, 75}) {
      for (const bool of_max : {true, false}) {
        const std::vector<float> in = Numbers(rows * length);
        std::vector<int64_t> indices(rows);
        std::vector<float> values(rows);
        BestOfRows(in.data(), length, of_max,
                   {.values = values.data(), .indices_i64 = indices.data()}, 0,
                   rows);
        for (int64_t i = 0; i < rows; ++i) {
          const std::vector<float> row(in.begin() + i * length,
                                       in.begin() + (i + 1) * length);
          const int64_t want = PlainTopK(row, 1, {.of_max = of_max})[0];
          ASSERT_EQ(indices[i], want) << "row " << i << " of " << length;
          ASSERT_TRUE(values[i] == row[want] || std::isnan(row[want]));
        }
      }
    }
  }
}

}  // namespace
}  // namespace dovetail::host
