#include <string>
#include <vector>

#include "dovetail/core/ops/reduction/table.h"
#include "dovetail/core/reference/reduction/table.h"
#include "dovetail/core/reference/testing/run_op.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const OpTester& Tester() {
  static const OpTester tester(ReductionOps(), ReductionKernels());
  return tester;
}

std::string RunOp(const std::string& op, const Tensor& data,
                const std::vector<double>& axes) {
  const Shape shape{static_cast<int64_t>(axes.size())};
  return Tester().Run(op, {data, Int64s(shape, axes)});
}

TEST(ReduceTest, GivesValues) {
  const Tensor data = Floats({2, 3}, {1, -2, 3, 4, 0, -6});
  EXPECT_EQ(RunOp("ReduceL1-4", data, {0}), "f32[3] {5, 2, 9}");
  EXPECT_EQ(RunOp("ReduceL2-4", Floats({2}, {3, -4}), {0}), "f32[] {5}");
  EXPECT_EQ(RunOp("ReduceMax-1", data, {1}), "f32[2] {3, 4}");
  EXPECT_EQ(RunOp("ReduceMean-1", data, {0}), "f32[3] {2.5, -1, -1.5}");
  EXPECT_EQ(RunOp("ReduceMin-1", data, {0, 1}), "f32[] {-6}");
  EXPECT_EQ(RunOp("ReduceProd-1", data, {-1}), "f32[2] {-6, -0}");
  EXPECT_EQ(RunOp("ReduceSum-1", data, {1}), "f32[2] {2, -2}");
  // Without axes every element is reduced on its own.
  EXPECT_EQ(RunOp("ReduceSum-1", data, {}), "f32[2,3] {1, -2, 3, 4, 0, -6}");
  EXPECT_EQ(RunOp("ReduceMean-1", data, {}), "f32[2,3] {1, -2, 3, 4, 0, -6}");
  EXPECT_EQ(RunOp("ReduceMax-1", data, {}), "f32[2,3] {1, -2, 3, 4, 0, -6}");
  EXPECT_EQ(RunOp("ReduceL1-4", data, {}), "f32[2,3] {1, 2, 3, 4, 0, 6}");
  EXPECT_EQ(RunOp("ReduceL2-4", data, {}), "f32[2,3] {1, 2, 3, 4, 0, 6}");
  const Tensor flags = Booleans({2, 2}, {1, 0, 1, 1});
  EXPECT_EQ(RunOp("ReduceLogicalAnd-1", flags, {1}),
            "boolean[2] {false, true}");
  EXPECT_EQ(RunOp("ReduceLogicalOr-1", flags, {0}), "boolean[2] {true, true}");
}

TEST(ReduceTest, KnowsTypes) {
  EXPECT_EQ(RunOp("ReduceMean-1", Int32s({4}, {1, 2, 4, -9}), {0}),
            "i32[] {0}");
  EXPECT_EQ(RunOp("ReduceMean-1", Int64s({2}, {-5, -6}), {0}), "i64[] {-5}");
  EXPECT_EQ(RunOp("ReduceSum-1", TensorOf(ElementType::kF16, {3}, {2048, 1, 1}),
                {0}),
            "f16[] {2050}");
  EXPECT_EQ(RunOp("ReduceSum-1", TensorOf(ElementType::kU8, {2}, {250, 10}),
                {0}),
            "u8[] {4}");
}

TEST(ReduceTest, ReducesNothing) {
  const Tensor empty = Floats({0, 2}, {});
  EXPECT_EQ(RunOp("ReduceSum-1", empty, {0}), "f32[2] {0, 0}");
  EXPECT_EQ(RunOp("ReduceMean-1", empty, {0}), "f32[2] {0, 0}");
  EXPECT_EQ(RunOp("ReduceProd-1", empty, {0}), "f32[2] {1, 1}");
  EXPECT_EQ(RunOp("ReduceMax-1", Int32s({0}, {}), {0}), "i32[] {-2147483648}");
  EXPECT_EQ(RunOp("ReduceMin-1", TensorOf(ElementType::kU8, {0}, {}), {0}),
            "u8[] {255}");
  EXPECT_EQ(RunOp("ReduceMax-1", empty, {0}), "f32[2] {-inf, -inf}");
  EXPECT_EQ(RunOp("ReduceMin-1", TensorOf(ElementType::kF16, {0}, {}), {0}),
            "f16[] {inf}");
  EXPECT_EQ(RunOp("ReduceSum-1", empty, {1}), "f32[0] {}");
}

// Every choice of axes of a shape whose rows are longer than a block.
TEST(ReduceTest, AgreesWithPlainSums) {
  const int64_t extents[] = {3, 2, 2, 300};
  const Shape shape{3, 2, 2, 300};
  std::vector<double> values(shape.Count());
  for (size_t i = 0; i < values.size(); ++i) values[i] = (i * 7) % 11;
  for (int choice = 1; choice < 16; ++choice) {
    std::vector<double> axes, want(shape.Count(), 0);
    for (int axis = 0; axis < 4; ++axis) {
      if (choice >> axis & 1) axes.push_back(axis);
    }
    int64_t count = 1;
    for (int axis = 0; axis < 4; ++axis) {
      if (!(choice >> axis & 1)) count *= extents[axis];
    }
    want.assign(count, 0);
    for (int64_t i = 0; i < shape.Count(); ++i) {
      int64_t rest = i, at = 0, scale = 1;
      for (int axis = 3; axis >= 0; --axis) {
        if (!(choice >> axis & 1)) {
          at += rest % extents[axis] * scale;
          scale *= extents[axis];
        }
        rest /= extents[axis];
      }
      want[at] += values[i];
    }
    const Shape list{static_cast<int64_t>(axes.size())};
    ExpectNear(Tester().Outputs("ReduceSum-1",
                                {Floats(shape, values), Int64s(list, axes)}),
               want);
  }
}

}  // namespace
}  // namespace dovetail
