// Synchronous inference: values, memory of inputs and outputs, shapes, types.
// What all devices must do is in testing/conformance.

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "dovetail/backends/interpreter/testing/compile.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kTwiceAndRelu[] = R"(model "small"
  %x = Parameter-0() {shape: [2,2], element_type: f32} : f32[2,2] "in"  # x
  %two = Constant-0() {value: f32[] {2}}  # two
  %twice = Multiply-1(%x, %two) {}  # twice
  %relu = Relu-0(%twice) {}  # relu
  %out = Result-0(%relu) {}  # out
)";

TEST(InferenceTest, ComputesWhatTheModelSays) {
  const auto request = RequestFor(kTwiceAndRelu);
  ASSERT_NE(request, nullptr);
  EXPECT_THAT(RunOn(*request, Floats({2, 2}, {1, -2, 3, -4})),
              ElementsAre(2, 0, 6, 0));
}

TEST(InferenceTest, PortsAreThoseOfTheUsersModel) {
  const auto executable = CompileText(kTwiceAndRelu);
  ASSERT_TRUE(executable.ok()) << executable.status();
  EXPECT_EQ((*executable)->inputs()[0].name, "in");
  EXPECT_EQ((*executable)->inputs()[0].shape, (PartialShape{2, 2}));
  EXPECT_EQ((*executable)->outputs()[0].name, "relu");
}

// ---- Memory ----

TEST(InferenceTest, WritesIntoTheUsersMemory) {
  const auto request = RequestFor(kTwiceAndRelu);
  ASSERT_NE(request, nullptr);
  const Tensor output = Floats({2, 2}, {7, 7, 7, 7});
  ASSERT_TRUE(request->SetOutput(0, output).ok());
  EXPECT_THAT(RunOn(*request, Floats({2, 2}, {1, 2, 3, 4})),
              ElementsAre(2, 4, 6, 8));
  EXPECT_EQ(request->Output(0)->raw_data(), output.raw_data());
  EXPECT_THAT(ToDoubleVector(output), ElementsAre(2, 4, 6, 8));
}

TEST(InferenceTest, InputsAndOutputsMayBeRegionsOfLargerTensors) {
  const auto request = RequestFor(kTwiceAndRelu);
  ASSERT_NE(request, nullptr);
  const Tensor large = Floats({2, 3}, {1, 2, 9, 3, 4, 9});
  const Tensor place = Floats({3, 2}, {7, 7, 7, 7, 7, 7});
  const Tensor wide = Floats({2, 3}, {7, 7, 7, 7, 7, 7});
  ASSERT_TRUE(request->SetOutput(0, *place.Roi({1, 0}, {3, 2})).ok());
  RunOn(*request, *large.Roi({0, 0}, {2, 2}));
  EXPECT_THAT(ToDoubleVector(place), ElementsAre(7, 7, 2, 4, 6, 8));
  ASSERT_TRUE(request->SetOutput(0, *wide.Roi({0, 1}, {2, 3})).ok());
  RunOn(*request, *large.Roi({0, 0}, {2, 2}));
  EXPECT_THAT(ToDoubleVector(wide), ElementsAre(7, 2, 4, 7, 6, 8));
}

TEST(InferenceTest, AnOutputStaysWhereItIs) {
  const auto request = RequestFor(kTwiceAndRelu);
  ASSERT_NE(request, nullptr);
  const Tensor output = *request->Output(0);
  RunOn(*request, Floats({2, 2}, {1, 1, 1, 1}));
  EXPECT_THAT(ToDoubleVector(output), ElementsAre(2, 2, 2, 2));
  RunOn(*request, Floats({2, 2}, {3, 3, 3, 3}));
  EXPECT_THAT(ToDoubleVector(output), ElementsAre(6, 6, 6, 6));
}

TEST(InferenceTest, AnOutputMayBeTheNextInput) {
  const auto request = RequestFor(kTwiceAndRelu);
  ASSERT_NE(request, nullptr);
  RunOn(*request, Floats({2, 2}, {1, 2, 3, 4}));
  for (int i = 0; i < 2; ++i) RunOn(*request, *request->Output(0));
  EXPECT_THAT(OutputOf(*request), ElementsAre(8, 16, 24, 32));
}

// Were the first output written before the second is read, 5 would be lost.
TEST(InferenceTest, InputsAndOutputsMayShareMemory) {
  const auto request = RequestFor(R"(
    %x = Parameter-0() {shape: [1], element_type: f32}
    %y = Parameter-0() {shape: [1], element_type: f32}
    %sum = Add-1(%x, %y) {}
    %again = Subtract-1(%sum, %x) {}
    %0 = Result-0(%sum) {}
    %1 = Result-0(%again) {}
    %2 = Result-0(%x) {}
  )");
  ASSERT_NE(request, nullptr);
  const Tensor both = Floats({1}, {5});
  ASSERT_TRUE(request->SetInput(0, both).ok());
  ASSERT_TRUE(request->SetInput(1, Floats({1}, {2})).ok());
  ASSERT_TRUE(request->SetOutput(0, both).ok());
  ASSERT_TRUE(request->Infer().ok());
  EXPECT_THAT(OutputOf(*request, 0), ElementsAre(7));
  EXPECT_THAT(OutputOf(*request, 1), ElementsAre(2));
  EXPECT_THAT(OutputOf(*request, 2), ElementsAre(5));
}

// Kernels may answer with views; the user gets memory of the output's own.
TEST(InferenceTest, OutputsAreNoViewsOfInputsOrConstants) {
  const auto executable = CompileText(R"(
    %x = Parameter-0() {shape: [4], element_type: f32}
    %c = Constant-0() {value: f32[2] {1, 2}}
    %s = Constant-0() {value: i64[2] {2, 2}}
    %square = Reshape-1(%x, %s) {special_zero: false}
    %0 = Result-0(%square) {}
    %1 = Result-0(%x) {}
    %2 = Result-0(%c) {}
  )");
  ASSERT_TRUE(executable.ok()) << executable.status();
  const auto request = Request::Create(*executable).value();
  const Tensor input = Floats({4}, {1, 2, 3, 4});
  RunOn(*request, input);
  input.SetElement(0, 9);
  EXPECT_THAT(OutputOf(*request, 0), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(OutputOf(*request, 1), ElementsAre(1, 2, 3, 4));
  request->Output(2)->SetElement(0, 9);
  const auto other = Request::Create(*executable).value();
  RunOn(*other, input);
  EXPECT_THAT(OutputOf(*other, 2), ElementsAre(1, 2));
}

// ---- Shapes ----

constexpr char kDynamic[] = R"(
  %x = Parameter-0() {shape: [?,2], element_type: f32}  # x
  %y = Parameter-0() {shape: [?,2], element_type: f32}  # y
  %sum = Add-1(%x, %y) {}  # sum
  %out = Result-0(%sum) {}
)";

TEST(InferenceTest, ShapesMayChangeFromOneInferenceToTheNext) {
  const auto request = RequestFor(kDynamic);
  ASSERT_NE(request, nullptr);
  EXPECT_EQ(request->Output(0).status().code(),
            absl::StatusCode::kFailedPrecondition);
  for (int64_t rows : {1, 3, 0, 2}) {
    const Tensor ones = Floats({rows, 2}, std::vector<double>(2 * rows, 1.0));
    ASSERT_TRUE(request->SetInput(1, ones).ok());
    EXPECT_EQ(RunOn(*request, ones), std::vector<double>(2 * rows, 2.0));
    EXPECT_EQ(request->Output(0)->shape(), (Shape{rows, 2}));
  }
}

TEST(InferenceTest, ShapesThatDoNotFitNameTheLayer) {
  const auto request = RequestFor(kDynamic);
  ASSERT_NE(request, nullptr);
  ASSERT_TRUE(request->SetInput(0, Floats({2, 2}, {1, 2, 3, 4})).ok());
  const Tensor three = Floats({3, 2}, {1, 2, 3, 4, 5, 6});
  ASSERT_TRUE(request->SetInput(1, three).ok());
  const absl::Status status = request->Infer();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("layer 'sum' (Add-1)"));
  // The request is as good as before.
  ASSERT_TRUE(request->SetInput(0, three).ok());
  EXPECT_TRUE(request->Infer().ok());
}

TEST(InferenceTest, AnInputOfUnknownShapeHasToBeSet) {
  const auto request = RequestFor(kDynamic);
  ASSERT_NE(request, nullptr);
  const absl::Status status = request->Infer();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("input 'x'"));
}

TEST(InferenceTest, AnOutputTensorOfAnotherShapeIsRefused) {
  const auto request = RequestFor(kDynamic);
  ASSERT_NE(request, nullptr);
  const Tensor one = Floats({1, 2}, {1, 2});
  ASSERT_TRUE(request->SetInput(0, one).ok());
  ASSERT_TRUE(request->SetInput(1, one).ok());
  ASSERT_TRUE(request->SetOutput(0, Floats({2, 2}, {0, 0, 0, 0})).ok());
  const absl::Status status = request->Infer();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("output 'sum'"));
}

TEST(InferenceTest, ShapesMayDependOnValues) {
  const auto request = RequestFor(R"(
    %x = Parameter-0() {shape: [4], element_type: f32}
    %n = NonZero-3(%x) {output_type: i64}
    %out = Result-0(%n) {}
  )");
  ASSERT_NE(request, nullptr);
  EXPECT_THAT(RunOn(*request, Floats({4}, {0, 5, 0, 6})), ElementsAre(1, 3));
  EXPECT_THAT(RunOn(*request, Floats({4}, {1, 1, 1, 1})),
              ElementsAre(0, 1, 2, 3));
}

// ---- Precision ----

// 100 * 1000 is beyond f16.
constexpr char kHalf[] = R"(
  %x = Parameter-0() {shape: [1], element_type: f16}
  %k = Constant-0() {value: f16[] {1000}}
  %large = Multiply-1(%x, %k) {}
  %small = Divide-1(%large, %k) {}
  %out = Result-0(%small) {}
)";

double HalfResult(const PropertyMap& properties) {
  const auto request = RequestFor(kHalf, properties);
  if (request == nullptr) return -1;
  const Tensor input =
      Tensor::FromDoubles(ElementType::kF16, {1}, {100}).value();
  const std::vector<double> output = RunOn(*request, input);
  EXPECT_EQ(request->Output(0)->type(), ElementType::kF16);
  return output.size() == 1 ? output[0] : -1;
}

TEST(InferenceTest, HalfPrecisionIsComputedInSinglePrecision) {
  EXPECT_EQ(HalfResult({}), 100);
  EXPECT_EQ(HalfResult({{"INFERENCE_PRECISION_HINT", "f32"},
                        {"EXECUTION_MODE_HINT", "ACCURACY"}}),
            100);
}

TEST(InferenceTest, HalfPrecisionStaysWhenAskedFor) {
  EXPECT_TRUE(std::isinf(HalfResult({{"EXECUTION_MODE_HINT", "ACCURACY"}})));
  EXPECT_TRUE(
      std::isinf(HalfResult({{"INFERENCE_PRECISION_HINT", "dynamic"}})));
  EXPECT_TRUE(std::isinf(HalfResult({{"INFERENCE_PRECISION_HINT", "f16"}})));
}

TEST(InferenceTest, SinglePrecisionCanBeComputedInHalf) {
  const auto request = RequestFor(R"(
    %x = Parameter-0() {shape: [1], element_type: f32}
    %y = Add-1(%x, %x) {}
    %out = Result-0(%y) {}
  )",
                                  {{"INFERENCE_PRECISION_HINT", "bf16"}});
  ASSERT_NE(request, nullptr);
  // bf16 has 8 significant bits.
  EXPECT_THAT(RunOn(*request, Floats({1}, {257})), ElementsAre(512));
  EXPECT_EQ(request->Output(0)->type(), ElementType::kF32);
}

}  // namespace
}  // namespace dovetail
