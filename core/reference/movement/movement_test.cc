#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "dovetail/core/ops/movement/table.h"
#include "dovetail/core/reference/movement/table.h"
#include "dovetail/core/reference/testing/run_op.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

const OpTester& Tester() {
  static const OpTester tester(MovementOps(), MovementKernels());
  return tester;
}

struct Case {
  std::string op;
  std::vector<Tensor> inputs;
  TextAttributes attributes;
  std::string want;
};

void ExpectResults(const std::vector<Case>& cases) {
  for (size_t i = 0; i < cases.size(); ++i) {
    const Case& c = cases[i];
    EXPECT_EQ(Tester().Run(c.op, c.inputs, c.attributes), c.want)
        << c.op << ", case " << i;
  }
}

// 0, 1, 2 … in that shape.
Tensor Counting(const Shape& shape, ElementType type = ElementType::kI32) {
  std::vector<double> values(shape.Count());
  std::iota(values.begin(), values.end(), 0.0);
  return TensorOf(type, shape, values);
}

Tensor List(const std::vector<double>& values) {
  return Int64s({static_cast<int64_t>(values.size())}, values);
}

Tensor Number(double value) { return Int64s({}, {value}); }

TEST(ReshapingTest, GivesValues) {
  ExpectResults({
      {"Reshape-1", {Counting({2, 2}), List({-1})}, {}, "i32[4] {0, 1, 2, 3}"},
      {"Squeeze-0", {Counting({1, 2}), List({0})}, {}, "i32[2] {0, 1}"},
      {"Unsqueeze-0", {Counting({2}), List({1})}, {}, "i32[2,1] {0, 1}"},
      {"Transpose-1", {Counting({2, 3}), List({1, 0})}, {},
       "i32[3,2] {0, 3, 1, 4, 2, 5}"},
      {"Transpose-1", {Counting({2, 1, 3}), List({})}, {},
       "i32[3,1,2] {0, 3, 1, 4, 2, 5}"},
      {"Transpose-1", {Counting({0, 3}), List({1, 0})}, {}, "i32[3,0] {}"},
  });
}

// Sizes that do not divide into tiles, in every order of axes and every size
// of element.
TEST(ReshapingTest, TransposesByAnyOrder) {
  const Shape shape{3, 37, 2, 41};
  std::vector<int> order = {0, 1, 2, 3};
  for (ElementType type : {ElementType::kU8, ElementType::kF16,
                           ElementType::kI32, ElementType::kF64}) {
    const Tensor data = Counting(shape, type);
    do {
      const auto outputs = Tester().Outputs(
          "Transpose-1",
          {data, List({order.begin(), order.end()})});
      ASSERT_TRUE(outputs.ok()) << outputs.status();
      const Shape& result = outputs->front().shape();
      int64_t next = 0, wrong = 0;
      std::vector<int64_t> at(4);
      for (at[0] = 0; at[0] < result[0]; ++at[0]) {
        for (at[1] = 0; at[1] < result[1]; ++at[1]) {
          for (at[2] = 0; at[2] < result[2]; ++at[2]) {
            for (at[3] = 0; at[3] < result[3]; ++at[3]) {
              int64_t source[4];
              for (int i = 0; i < 4; ++i) source[order[i]] = at[i];
              const int64_t index =
                  ((source[0] * 37 + source[1]) * 2 + source[2]) * 41 +
                  source[3];
              wrong += outputs->front().ElementAsDouble(next++) !=
                       data.ElementAsDouble(index);
            }
          }
        }
      }
      EXPECT_EQ(wrong, 0) << ElementTypeName(type);
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

TEST(JoiningTest, GivesValues) {
  ExpectResults({
      {"Concat-0", {Counting({2, 1}), Counting({2, 2})}, {{"axis", "-1"}},
       "i32[2,3] {0, 0, 1, 1, 2, 3}"},
      {"Concat-0", {Counting({0, 2}), Counting({1, 2})}, {{"axis", "0"}},
       "i32[1,2] {0, 1}"},
      {"Split-1", {Counting({2, 4}), Number(1)}, {{"num_splits", "2"}},
       "i32[2,2] {0, 1, 4, 5}; i32[2,2] {2, 3, 6, 7}"},
      {"VariadicSplit-1", {Counting({4}), Number(0), List({3, -1})}, {},
       "i32[3] {0, 1, 2}; i32[1] {3}"},
  });
}

TEST(JoiningTest, WorksOnStringsAndSmallTypes) {
  Tensor words = *Tensor::FromValues<std::string>({2}, {"a", "b"});
  ExpectResults({
      {"Concat-0",
       {words, words},
       {},
       "string[4] {\"a\", \"b\", \"a\", \"b\"}"},
      {"Concat-0",
       {Counting({3}, ElementType::kU4), Counting({2}, ElementType::kU4)},
       {},
       "u4[5] {0, 1, 2, 0, 1}"},
      {"Split-1",
       {TensorOf(ElementType::kI4, {4}, {-8, 7, -1, 2}), Number(0)},
       {{"num_splits", "2"}},
       "i4[2] {-8, 7}; i4[2] {-1, 2}"},
  });
}

TEST(SlicingTest, GivesValues) {
  const Tensor data = Counting({4, 3});
  ExpectResults({
      {"StridedSlice-1", {data, List({-1, 0}), List({0, 3}), List({-2, 2})},
       {}, "i32[2,2] {9, 11, 3, 5}"},
      {"StridedSlice-1",
       {data, List({1}), TensorOf(ElementType::kI2, {1}, {-1})},
       {}, "i32[2,3] {3, 4, 5, 6, 7, 8}"},
      {"StridedSlice-1", {data, List({2}), List({0})},
       {{"shrink_axis_mask", "1"}}, "i32[3] {6, 7, 8}"},
      {"StridedSlice-1", {data, List({0, 0, 1}), List({0, 0, 2})},
       {{"ellipsis_mask", "1"}, {"new_axis_mask", "0,1"}},
       "i32[4,1,1] {1, 4, 7, 10}"},
      {"Slice-8", {data, List({5}), List({-9}), List({-3})}, {},
       "i32[2,3] {9, 10, 11, 0, 1, 2}"},
      {"Slice-8", {data, List({1}), List({2}), List({1}), List({-1})}, {},
       "i32[4,1] {1, 4, 7, 10}"},
      {"Slice-8", {data, List({3}), List({1}), List({1})}, {},
       "i32[0,3] {}"},
      {"Slice-8", {data, List({-9}), List({-9}), List({-1})}, {},
       "i32[1,3] {0, 1, 2}"},
      {"SliceScatter-15",
       {Counting({4}), Int32s({2}, {8, 9}), List({3}), List({-9}), List({-2})},
       {},
       "i32[4] {0, 9, 2, 8}"},
  });
  EXPECT_THAT(Tester().Run("StridedSlice-1", {data, List({4}), List({5})},
                           {{"shrink_axis_mask", "1"}}),
              HasSubstr("begin, has 4"));
}

TEST(SlicingTest, Pads) {
  const Tensor row = Counting({3});
  const auto mode = [](const char* name) {
    return TextAttributes{{"pad_mode", name}};
  };
  ExpectResults({
      {"Pad-12", {row, List({1}), List({2}), Int32s({}, {7})},
       mode("constant"), "i32[6] {7, 0, 1, 2, 7, 7}"},
      {"Pad-1", {row, List({1}), List({-2})}, mode("constant"),
       "i32[2] {0, 0}"},
      {"Pad-1", {row, List({2}), List({1})}, mode("edge"),
       "i32[6] {0, 0, 0, 1, 2, 2}"},
      {"Pad-1", {row, List({2}), List({2})}, mode("reflect"),
       "i32[7] {2, 1, 0, 1, 2, 1, 0}"},
      {"Pad-1", {row, List({3}), List({1})}, mode("symmetric"),
       "i32[7] {2, 1, 0, 0, 1, 2, 2}"},
      // What is mirrored may have been dropped on the other side.
      {"Pad-12", {row, List({-2}), List({2})}, mode("reflect"),
       "i32[3] {2, 1, 0}"},
      {"Pad-12", {row, List({-3}), List({2})}, mode("constant"),
       "i32[2] {0, 0}"},
      {"Pad-12", {Counting({2, 2}), List({1, 0}), List({0, 1})},
       mode("reflect"), "i32[3,3] {2, 3, 2, 0, 1, 0, 2, 3, 2}"},
      {"Pad-12", {Int32s({}, {5}), List({}), List({})}, mode("edge"),
       "i32[] {5}"},
  });
}

TEST(LayoutTest, GivesValues) {
  ExpectResults({
      {"Reverse-1", {Counting({2, 2}), List({1})}, {},
       "i32[2,2] {1, 0, 3, 2}"},
      {"Reverse-1", {Counting({2, 2}), Booleans({2}, {1, 0})},
       {{"mode", "mask"}}, "i32[2,2] {2, 3, 0, 1}"},
      {"ReverseSequence-0", {Counting({2, 3}), List({2, 0})}, {},
       "i32[2,3] {1, 0, 2, 3, 4, 5}"},
      {"Roll-7", {Counting({2, 3}), Number(1), List({0, 1})}, {},
       "i32[2,3] {5, 3, 4, 2, 0, 1}"},
      {"Roll-7", {Counting({4}), List({-3, 1}), List({0, 0})}, {},
       "i32[4] {2, 3, 0, 1}"},
      {"ShuffleChannels-0", {Counting({1, 6})}, {{"group", "3"}},
       "i32[1,6] {0, 2, 4, 1, 3, 5}"},
      {"SpaceToBatch-1",
       {Counting({1, 3}), List({1, 2}), List({0, 1}), List({0, 0})},
       {},
       "i32[2,2] {0, 1, 0, 2}"},
      {"BatchToSpace-1",
       {Int32s({2, 2}, {0, 1, 9, 2}), List({1, 2}), List({0, 1}),
        List({0, 0})},
       {},
       "i32[1,3] {9, 1, 2}"},
      {"DepthToSpace-0", {Counting({1, 4, 2})},
       {{"block_size", "2"}, {"mode", "blocks_first"}},
       "i32[1,2,4] {0, 4, 1, 5, 2, 6, 3, 7}"},
      {"DepthToSpace-0", {Counting({1, 4, 2})},
       {{"block_size", "2"}, {"mode", "depth_first"}},
       "i32[1,2,4] {0, 2, 1, 3, 4, 6, 5, 7}"},
      {"SpaceToDepth-0", {Int32s({1, 2, 4}, {0, 4, 1, 5, 2, 6, 3, 7})},
       {{"block_size", "2"}, {"mode", "blocks_first"}},
       "i32[1,4,2] {0, 1, 2, 3, 4, 5, 6, 7}"},
  });
  EXPECT_THAT(
      Tester().Run("ReverseSequence-0", {Counting({2, 3}), List({4, 0})}),
      HasSubstr("has 4 at 0"));
}

}  // namespace
}  // namespace dovetail
