#include "dovetail/core/reference/evaluate.h"

#include <memory>
#include <vector>

#include "dovetail/core/ops/op_table.h"
#include "dovetail/core/ops/structural/structural.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

Tensor Floats(const Shape& shape, const std::vector<float>& values) {
  return Tensor::FromValues<float>(shape, values).value();
}

Node* Add(Model& model, absl::string_view type, int version,
          const std::vector<Value>& inputs) {
  const OpInfo& op = *FindOp(type, version);
  return model.Add(op, inputs, op.make_attributes()).value();
}

// result 0 = relu(x + [1, -5]), result 1 = x + [1, -5]
class EvaluateTest : public testing::Test {
 protected:
  EvaluateTest() {
    Node* x = *AddParameter(model_, ElementType::kF32, {-1}, "x");
    Node* one = *AddConstant(model_, Floats(Shape({2}), {1, -5}));
    Node* sum = Add(model_, "Add", 1, {x->output(), one->output()});
    Node* relu = Add(model_, "Relu", 0, {sum->output()});
    AddResult(model_, relu->output()).value();
    AddResult(model_, sum->output()).value();
  }

  Model model_;
};

TEST_F(EvaluateTest, RunsAModel) {
  const auto results =
      EvaluateModel(model_, {Floats(Shape({2}), {1, 2})}, {});
  ASSERT_TRUE(results.ok()) << results.status();
  ASSERT_EQ(results->size(), 2u);
  EXPECT_EQ((*results)[0].ToString(), "f32[2] {2, 0}");
  EXPECT_EQ((*results)[1].ToString(), "f32[2] {2, -3}");
}

TEST_F(EvaluateTest, RefusesWrongInputs) {
  EXPECT_EQ(EvaluateModel(model_, {}, {}).status().code(),
            absl::StatusCode::kInvalidArgument);
  const absl::Status rank =
      EvaluateModel(model_, {Floats(Shape({1, 2}), {1, 2})}, {}).status();
  EXPECT_EQ(rank.message(), "input 0 'x' is f32[1,2], want f32[?]");
}

TEST_F(EvaluateTest, SaysWhichNodeCannotTakeItsInputs) {
  const absl::Status status =
      EvaluateModel(model_, {Floats(Shape({3}), {1, 2, 3})}, {}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find("Add-1"), absl::string_view::npos)
      << status;
}

TEST_F(EvaluateTest, CanBeCancelled) {
  KernelEnvironment environment;
  environment.check_cancelled = [] { return absl::CancelledError("stop"); };
  EXPECT_EQ(EvaluateModel(model_, {Floats(Shape({2}), {1, 2})}, environment)
                .status()
                .code(),
            absl::StatusCode::kCancelled);
}

TEST_F(EvaluateTest, TakesMemoryFromTheEnvironment) {
  std::vector<Tensor> made;
  KernelEnvironment environment;
  environment.allocate = [&](const Node&, int, ElementType type,
                             const Shape& shape) -> absl::StatusOr<Tensor> {
    absl::StatusOr<Tensor> tensor = Tensor::Allocate(type, shape);
    if (tensor.ok()) made.push_back(*tensor);
    return tensor;
  };
  const auto results =
      EvaluateModel(model_, {Floats(Shape({2}), {1, 2})}, environment);
  ASSERT_TRUE(results.ok()) << results.status();
  ASSERT_EQ(made.size(), 2u);
  EXPECT_EQ((*results)[1].raw_data(), made[0].raw_data());
}

TEST_F(EvaluateTest, MakesInputsContiguous) {
  float data[] = {1, 99, 2, 99};
  const Tensor strided =
      Tensor::Borrow(ElementType::kF32, Shape({2}), data, sizeof(data), {8})
          .value();
  const auto results = EvaluateModel(model_, {strided}, {});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ((*results)[1].ToString(), "f32[2] {2, -3}");
}

TEST(EvaluateModelTest, HoldsToWhatInferenceAssumed) {
  Model model;
  Node* x = *AddParameter(model, ElementType::kF32, {-1, 2});
  Node* axes = *AddConstant(
      model, Tensor::FromValues<int64_t>(Shape({1}), {0}).value());
  Node* squeezed = Add(model, "Squeeze", 0, {x->output(), axes->output()});
  AddResult(model, squeezed->output()).value();
  EXPECT_TRUE(EvaluateModel(model, {Floats(Shape({1, 2}), {1, 2})}, {}).ok());
  const absl::Status status =
      EvaluateModel(model, {Floats(Shape({2, 2}), {1, 2, 3, 4})}, {}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find("a squeezed extent is not 1"),
            absl::string_view::npos);
}

TEST(EvaluateNodeTest, TellsOfAMissingKernel) {
  OpInfo other = *FindOp("Relu", 0);
  other.version = 99;
  Model model;
  Node* x = *AddParameter(model, ElementType::kF32, {1});
  Node* node =
      model.Add(other, {x->output()}, other.make_attributes()).value();
  const absl::Status status =
      EvaluateNode(*node, {Floats(Shape({1}), {1})}, {}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_NE(status.message().find("Relu-99"), absl::string_view::npos);
}

}  // namespace
}  // namespace dovetail
