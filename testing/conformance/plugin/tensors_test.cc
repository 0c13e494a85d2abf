// Inputs and outputs of a request: whose memory they are in, and what is
// refused.

#include <string>
#include <vector>

#include "dovetail/testing/backend/device_test.h"
#include "dovetail/testing/graphs/small_models.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class TensorsTest : public DeviceTest {};

TEST_F(TensorsTest, AreFoundByNameLayerAndIndex) {
  InferRequest request = NewRequest(ChainModel());
  for (const char* name : {"x", "in", "0"}) {
    ASSERT_TRUE(request.SetInput(name, ChainInput()).ok()) << name;
  }
  ASSERT_TRUE(request.SetInput(0, ChainInput()).ok());
  ASSERT_TRUE(request.Infer().ok());
  for (const char* name : {"y", "out", "scale", "0"}) {
    EXPECT_TRUE(Gives(request.Output(name), ChainOutput())) << name;
  }
  EXPECT_TRUE(Gives(request.Output(0), ChainOutput()));
}

TEST_F(TensorsTest, UnknownOnesAreRefusedWithTheKnown) {
  InferRequest request = NewRequest(ChainModel());
  const absl::Status input = request.SetInput("nothing", ChainInput());
  EXPECT_EQ(input.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(input.message(), AllOf(HasSubstr("nothing"), HasSubstr("x")));
  EXPECT_EQ(request.Output("nothing").status().code(),
            absl::StatusCode::kNotFound);
  for (const int index : {-1, 1}) {
    EXPECT_EQ(request.SetInput(index, ChainInput()).code(),
              absl::StatusCode::kOutOfRange);
    EXPECT_EQ(request.Input(index).status().code(),
              absl::StatusCode::kOutOfRange);
    EXPECT_EQ(request.SetOutput(index, ChainInput()).code(),
              absl::StatusCode::kOutOfRange);
    EXPECT_EQ(request.Output(index).status().code(),
              absl::StatusCode::kOutOfRange);
  }
}

TEST_F(TensorsTest, WhatDoesNotFitIsRefusedByName) {
  InferRequest request = NewRequest(ChainModel());
  const Tensor tensors[] = {
      Tensor::Allocate(ElementType::kI32, {2, 3}).value(),
      Tensor::Allocate(ElementType::kF32, {2, 4}).value(),
      Tensor::Allocate(ElementType::kF32, {6}).value(),
  };
  for (const Tensor& tensor : tensors) {
    const absl::Status input = request.SetInput("x", tensor);
    EXPECT_EQ(input.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(input.message(), AllOf(HasSubstr("'x'"), HasSubstr("f32[2,3]"),
                                       HasSubstr(tensor.shape().ToString())));
    const absl::Status output = request.SetOutput("y", tensor);
    EXPECT_EQ(output.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(output.message(), HasSubstr("'y'"));
  }
  EXPECT_EQ(request.SetInput("x", Tensor()).code(),
            absl::StatusCode::kInvalidArgument);
  // None of that has changed anything.
  ASSERT_TRUE(request.SetInput("x", ChainInput()).ok());
  ASSERT_TRUE(request.Infer().ok());
  EXPECT_TRUE(Gives(request.Output("y"), ChainOutput()));
}

TEST_F(TensorsTest, OutputsCannotBeReadOnly) {
  InferRequest request = NewRequest(ChainModel());
  static const float constant[6] = {};
  const Tensor tensor = Tensor::Share(ElementType::kF32, {2, 3}, constant,
                                      sizeof(constant), nullptr)
                            .value();
  EXPECT_EQ(request.SetOutput("y", tensor).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(request.SetInput("x", tensor).ok());
  EXPECT_TRUE(request.Infer().ok());
}

TEST_F(TensorsTest, InputsHaveMemoryUntilOneIsSet) {
  InferRequest request = NewRequest(ChainModel());
  const auto own = request.Input("x");
  ASSERT_TRUE(own.ok()) << own.status();
  ASSERT_TRUE(own->CopyFrom(ChainInput()).ok());
  ASSERT_TRUE(request.Infer().ok());
  EXPECT_TRUE(Gives(request.Output("y"), ChainOutput()));
}

TEST_F(TensorsTest, InputsAreReadWhereTheyAreWhenTheInferenceRuns) {
  InferRequest request = NewRequest(ChainModel());
  const Tensor x = ChainInput();
  ASSERT_TRUE(request.SetInput("x", x).ok());
  EXPECT_EQ(request.Input("x")->raw_data(), x.raw_data());
  ASSERT_TRUE(request.Infer().ok());
  for (int i = 0; i < 6; ++i) x.SetElement(i, i);
  ASSERT_TRUE(request.Infer().ok());
  EXPECT_TRUE(Gives(request.Output("y"), {2, 4, 6, 8, 10, 12}));
}

TEST_F(TensorsTest, OutputsGoWhereTheUserSays) {
  InferRequest request = NewRequest(ChainModel());
  ASSERT_TRUE(request.SetInput("x", ChainInput()).ok());
  const Tensor y = Floats({2, 3}, {7, 7, 7, 7, 7, 7});
  ASSERT_TRUE(request.SetOutput("y", y).ok());
  ASSERT_TRUE(request.Infer().ok());
  EXPECT_TRUE(Gives(y, ChainOutput()));
  EXPECT_EQ(request.Output("y")->raw_data(), y.raw_data());
  // A default tensor gives the output back.
  ASSERT_TRUE(request.SetOutput("y", Tensor()).ok());
  for (int i = 0; i < 6; ++i) y.SetElement(i, 7);
  ASSERT_TRUE(request.Infer().ok());
  EXPECT_TRUE(Gives(request.Output("y"), ChainOutput()));
  for (int i = 0; i < 6; ++i) EXPECT_EQ(y.ElementAsDouble(i), 7);
}

TEST_F(TensorsTest, TensorsMayBePartsOfOthers) {
  InferRequest request = NewRequest(ChainModel());
  const Tensor large_x = Tensor::Allocate(ElementType::kF32, {4, 5}).value();
  const Tensor large_y = Tensor::Allocate(ElementType::kF32, {4, 5}).value();
  for (int i = 0; i < 20; ++i) large_y.SetElement(i, 7);
  const Tensor x = large_x.Roi({1, 1}, {3, 4}).value();
  const Tensor y = large_y.Roi({2, 2}, {4, 5}).value();
  ASSERT_TRUE(x.CopyFrom(ChainInput()).ok());
  ASSERT_TRUE(request.SetInput("x", x).ok());
  ASSERT_TRUE(request.SetOutput("y", y).ok());
  ASSERT_TRUE(request.Infer().ok());
  EXPECT_TRUE(Gives(y, ChainOutput()));
  for (int i = 0; i < 20; ++i) {
    const bool inside = i / 5 >= 2 && i % 5 >= 2;
    if (inside) continue;
    EXPECT_EQ(large_y.ElementAsDouble(i), 7) << i;
  }
}

TEST_F(TensorsTest, AnOutputMayBeWhereTheInputIs) {
  InferRequest request = NewRequest(ChainModel());
  const Tensor both = ChainInput();
  ASSERT_TRUE(request.SetInput("x", both).ok());
  ASSERT_TRUE(request.SetOutput("y", both).ok());
  ASSERT_TRUE(request.Infer().ok());
  EXPECT_TRUE(Gives(both, ChainOutput()));
}

TEST_F(TensorsTest, AnOutputMayBeWhereAnInputOfAnotherOutputIs) {
  InferRequest request = NewRequest(TwoByTwoModel());
  const Tensor a = Floats({4}, {1, 2, 3, 4});
  ASSERT_TRUE(request.SetInput("a", a).ok());
  ASSERT_TRUE(request.SetInput("b", Floats({4}, {5, 6, 7, 8})).ok());
  ASSERT_TRUE(request.SetOutput("sum", a).ok());
  ASSERT_TRUE(request.Infer().ok());
  EXPECT_TRUE(Gives(a, {6, 8, 10, 12}));
  EXPECT_TRUE(Gives(request.Output("product"), {5, 12, 21, 32}));
}

TEST_F(TensorsTest, ShapesMayChangeFromInferenceToInference) {
  DOVETAIL_SKIP_UNLESS_SUPPORTED(DynamicModel());
  InferRequest request = NewRequest(DynamicModel());
  EXPECT_EQ(request.Input("x").status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(request.Output("y").status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(request.Infer().code(), absl::StatusCode::kFailedPrecondition);
  if (!computes()) return;  // knows no shapes either
  for (const int64_t rows : {2, 1, 3, 0}) {
    const std::vector<double> ones(rows * 3, 1);
    ASSERT_TRUE(request.SetInput("x", Floats({rows, 3}, ones)).ok());
    ASSERT_TRUE(request.Infer().ok());
    EXPECT_TRUE(Gives(request.Output("y"), ones));
    EXPECT_EQ(request.Output("y")->shape(), (Shape{rows, 3}));
  }
}

TEST_F(TensorsTest, AnOutputThatDoesNotFitTheResultIsAnErrorOfTheInference) {
  DOVETAIL_SKIP_UNLESS_SUPPORTED(DynamicModel());
  if (!computes()) GTEST_SKIP() << device() << " knows no shapes";
  InferRequest request = NewRequest(DynamicModel());
  const Tensor y = Floats({1, 3}, {7, 7, 7});
  ASSERT_TRUE(request.SetOutput("y", y).ok());
  ASSERT_TRUE(request.SetInput("x", Floats({2, 3}, {1, 2, 3, 4, 5, 6})).ok());
  const absl::Status status = request.Infer();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  EXPECT_THAT(status.message(), AllOf(HasSubstr("'y'"), HasSubstr("[2,3]")));
  ASSERT_TRUE(request.SetInput("x", Floats({1, 3}, {1, 2, 3})).ok());
  ASSERT_TRUE(request.Infer().ok());
  EXPECT_TRUE(Gives(y, {1, 2, 3}));
}

}  // namespace
}  // namespace dovetail
