#include "dovetail/core/reference/structural/structural.h"

#include "dovetail/core/graph/model.h"
#include "dovetail/core/ops/structural/structural.h"
#include "dovetail/core/ops/structural/table.h"
#include "dovetail/core/reference/run_kernel.h"
#include "dovetail/core/reference/structural/table.h"
#include "dovetail/core/reference/testing/run_op.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

TEST(StructuralKernelTest, IdentityDoesNotCopy) {
  const OpTester tester(StructuralOps(), StructuralKernels());
  const Tensor x = Floats(Shape({2}), {1, 2});
  const auto outputs = tester.Outputs("Identity-16", {x});
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  EXPECT_EQ((*outputs)[0].raw_data(), x.raw_data());
}

TEST(StructuralKernelTest, AConstantIsNotCopied) {
  Model model;
  const Tensor value = Floats(Shape({2}), {1, 2});
  Node* node = AddConstant(model, value).value();
  const auto outputs = RunKernel(&ConstantKernel, *node, {}, {});
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  EXPECT_EQ((*outputs)[0].raw_data(), value.raw_data());
}

TEST(StructuralKernelTest, AParameterCannotBeRun) {
  Model model;
  Node* node = AddParameter(model, ElementType::kF32, {1}).value();
  EXPECT_EQ(RunKernel(&ParameterKernel, *node, {}, {}).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST(StructuralKernelTest, AResultGivesNothing) {
  Model model;
  const Tensor value = Floats(Shape({2}), {1, 2});
  Node* constant = AddConstant(model, value).value();
  Node* result = AddResult(model, constant->output()).value();
  const auto outputs = RunKernel(&ResultKernel, *result, {value}, {});
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  EXPECT_TRUE(outputs->empty());
}

}  // namespace
}  // namespace dovetail
