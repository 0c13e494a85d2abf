#include "dovetail/backends/common/kernels/indexing/scatter.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <random>
#include <vector>

#include "dovetail/backends/common/kernels/indexing/scatter_runs.h"
#include "gtest/gtest.h"

namespace dovetail::host {
namespace {

std::vector<float> Counting(int64_t count, float first) {
  std::vector<float> numbers(count);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

// Some lie outside by one.
std::vector<int64_t> RandomIndices(std::mt19937& random, int64_t count,
                                   int64_t extent, bool outside) {
  std::vector<int64_t> indices(count);
  const int64_t more = outside ? 1 : 0;
  for (int64_t& index : indices) {
    index = static_cast<int64_t>(random() % (2 * extent + 2 * more)) - extent -
            more;
  }
  return indices;
}

float Combined(ScatterOp op, float a, float b) {
  switch (op) {
    case ScatterOp::kReplace:
      return b;
    case ScatterOp::kSum:
      return a + b;
    case ScatterOp::kSub:
      return a - b;
    case ScatterOp::kProd:
      return a * b;
    case ScatterOp::kMin:
      return std::min(a, b);
    case ScatterOp::kMax:
      return std::max(a, b);
  }
  return b;
}

constexpr ScatterOp kOps[] = {ScatterOp::kReplace, ScatterOp::kSum,
                              ScatterOp::kSub,     ScatterOp::kProd,
                              ScatterOp::kMin,     ScatterOp::kMax};

ScatterUpdate UpdateOf(ScatterOp op) {
  return {op,
          op == ScatterOp::kReplace ? ScatterType::kBytes : ScatterType::kF32};
}

// Data {batch, a, b, run}, indices {count, 2} or, of the product of a and b,
// {count, 1}.
struct Problem {
  ScatterShape shape;
  int64_t run;
  std::vector<float> data, updates;
  std::vector<int64_t> indices;
};

Problem RandomProblem(std::mt19937& random, bool outside) {
  Problem p;
  const auto extent = [&](int most) {
    return static_cast<int64_t>(1 + random() % most);
  };
  p.run = extent(4);
  p.shape = {.batch = extent(3),
             .count = static_cast<int64_t>(random() % 12),
             .tuple = static_cast<int>(extent(2)),
             .dims = {extent(5), extent(5)},
             .run_bytes = p.run * 4};
  p.data = Counting(p.shape.batch * p.shape.Rows() * p.run, 1);
  p.updates = Counting(p.shape.batch * p.shape.count * p.run, -30);
  for (int64_t i = 0; i < p.shape.count; ++i) {
    for (int k = 0; k < p.shape.tuple; ++k) {
      p.indices.push_back(
          RandomIndices(random, 1, p.shape.dims[k], outside)[0]);
    }
  }
  return p;
}

std::vector<float> Plain(const Problem& p, ScatterOp op, int64_t& outside) {
  std::vector<float> out = p.data;
  outside = 0;
  for (int64_t i = 0; i < p.shape.count; ++i) {
    int64_t row = 0;
    bool inside = true;
    for (int k = 0; k < p.shape.tuple; ++k) {
      const int64_t extent = p.shape.dims[k];
      const int64_t index = p.indices[i * p.shape.tuple + k];
      inside = inside && index >= -extent && index < extent;
      row = row * extent + (index < 0 ? index + extent : index);
    }
    outside += !inside;
    if (!inside) continue;
    for (int64_t b = 0; b < p.shape.batch; ++b) {
      for (int64_t j = 0; j < p.run; ++j) {
        float& to = out[(b * p.shape.Rows() + row) * p.run + j];
        to = Combined(op, to, p.updates[(b * p.shape.count + i) * p.run + j]);
      }
    }
  }
  return out;
}

TEST(ScatterTest, TuplesAtRandom) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    const Problem p = RandomProblem(random, /*outside=*/i % 2 == 0);
    const ScatterOp op = kOps[i % std::size(kOps)];
    int64_t outside;
    const std::vector<float> want = Plain(p, op, outside);
    std::vector<float> out = p.data;
    const int64_t rows = p.shape.batch * p.shape.Rows();
    const int64_t middle = static_cast<int64_t>(random() % (rows + 1));
    for (const auto& [begin, end] : {std::pair(middle, rows), {0, middle}}) {
      const int64_t counted =
          Scatter(p.shape, UpdateOf(op), p.updates.data(),
                  {p.indices.data(), true}, out.data(), begin, end);
      if (begin < end) {
        ASSERT_EQ(counted > 0, outside > 0);
      }
    }
    ASSERT_EQ(out, want) << i;
  }
}

TEST(ScatterTest, RunsAtRandom) {
  std::mt19937 random(2);
  int found = 0;
  for (int i = 0; i < 4000; ++i) {
    const Problem p = RandomProblem(random, /*outside=*/false);
    const ScatterOp op = kOps[i % std::size(kOps)];
    const auto runs = FindScatterRuns(p.shape, {p.indices.data(), true}, 100);
    if (!runs.has_value()) continue;
    ++found;
    int64_t outside;
    const std::vector<float> want = Plain(p, op, outside);
    const int64_t count = static_cast<int64_t>(want.size());
    const int64_t middle = static_cast<int64_t>(random() % (count + 1));
    std::vector<float> apart(count), in_place = p.data;
    for (const auto& [begin, end] : {std::pair(middle, count), {0, middle}}) {
      ScatterByRuns(*runs, UpdateOf(op), p.data.data(), p.updates.data(),
                    apart.data(), begin * 4, end * 4);
      ScatterByRuns(*runs, UpdateOf(op), in_place.data(), p.updates.data(),
                    in_place.data(), begin * 4, end * 4);
    }
    ASSERT_EQ(apart, want) << i;
    ASSERT_EQ(in_place, want) << i;
  }
  EXPECT_GT(found, 1000);
}

TEST(ScatterRunsTest, ABoxIsARunARow) {
  // Elements [1:, 1:] of {3, 4}.
  const std::vector<int32_t> indices = {5, 6, 7, 9, 10, 11};
  const ScatterShape shape = {.count = 6, .dims = {12}, .run_bytes = 4};
  const auto runs = FindScatterRuns(shape, {indices.data(), false}, 2);
  ASSERT_TRUE(runs.has_value());
  ASSERT_EQ(runs->runs.size(), 2);
  EXPECT_EQ(runs->runs[1].to, 36);
  EXPECT_EQ(runs->runs[1].from, 12);
  EXPECT_EQ(runs->runs[1].length, 12);
  EXPECT_FALSE(FindScatterRuns(shape, {indices.data(), false}, 1).has_value());
}

TEST(ScatterRunsTest, NothingTwiceAndNothingOutside) {
  const ScatterShape shape = {.count = 2, .dims = {3}, .run_bytes = 4};
  for (const std::vector<int32_t>& indices :
       {std::vector<int32_t>{1, 1}, {2, -1}, {0, 3}, {-4, 0}}) {
    EXPECT_FALSE(
        FindScatterRuns(shape, {indices.data(), false}, 100).has_value());
  }
  ScatterShape from_begin = shape;
  from_begin.from_end = false;
  const std::vector<int32_t> negative = {0, -1};
  EXPECT_TRUE(FindScatterRuns(shape, {negative.data(), false}, 9).has_value());
  EXPECT_FALSE(
      FindScatterRuns(from_begin, {negative.data(), false}, 9).has_value());
}

TEST(ScatterTest, ElementsAtRandom) {
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    const auto extent = [&](int most) {
      return static_cast<int64_t>(1 + random() % most);
    };
    // The output has one row and one column more than the indices.
    const bool dense = i % 2 == 0;
    ScatterElementsShape shape = {.outer = extent(3),
                                  .extent = extent(4),
                                  .count = extent(6),
                                  .columns = extent(4),
                                  .element_size = 4};
    shape.inner = shape.columns + (dense ? 0 : 1);
    if (!dense) {
      for (int64_t k = 0; k < shape.outer; ++k) shape.rows.push_back(k + 1);
      for (int64_t k = 0; k < shape.columns; ++k) {
        shape.inner_offsets.push_back(k + 1);
      }
    }
    const int64_t more = dense ? 0 : 1;
    const int64_t count = shape.outer * shape.count * shape.columns;
    const std::vector<int64_t> indices =
        RandomIndices(random, count, shape.extent, i % 4 < 2);
    const std::vector<float> updates = Counting(count, -9);
    std::vector<float> out =
        Counting((shape.outer + more) * shape.extent * shape.inner, 1);
    std::vector<float> want = out;
    const ScatterOp op = kOps[i % std::size(kOps)];
    int64_t outside = 0;
    for (int64_t k = 0; k < count; ++k) {
      const int64_t index = indices[k];
      if (index < -shape.extent || index >= shape.extent) {
        ++outside;
        continue;
      }
      const int64_t row = k / shape.columns / shape.count + more;
      const int64_t at = index < 0 ? index + shape.extent : index;
      float& to = want[(row * shape.extent + at) * shape.inner +
                       k % shape.columns + more];
      to = Combined(op, to, updates[k]);
    }
    const int64_t lines = shape.outer * shape.columns;
    const int64_t middle = static_cast<int64_t>(random() % (lines + 1));
    int64_t counted = 0;
    for (const auto& [begin, end] : {std::pair(middle, lines), {0, middle}}) {
      counted +=
          ScatterElements(shape, UpdateOf(op), updates.data(),
                          {indices.data(), true}, out.data(), begin, end);
    }
    ASSERT_EQ(counted, outside);
    ASSERT_EQ(out, want) << i;
  }
}

}  // namespace
}  // namespace dovetail::host
