#include <limits>

#include "dovetail/core/ops/activation/table.h"
#include "dovetail/core/reference/activation/table.h"
#include "dovetail/core/reference/testing/run_op.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const OpTester tester(ActivationOps(), ActivationKernels());

constexpr double kInf = std::numeric_limits<double>::infinity();

Tensor Vector(const std::vector<double>& values) {
  return Floats(Shape({static_cast<int64_t>(values.size())}), values);
}

TEST(ActivationKernelTest, Relu) {
  ExpectNear(tester.Outputs("Relu-0", {Vector({-kInf, -1, 0, 2})}),
             {0, 0, 0, 2}, 0);
  EXPECT_EQ(tester.Run("Relu-0", {Int64s(Shape({2}), {-3, 3})}),
            "i64[2] {0, 3}");
}

TEST(ActivationKernelTest, PReluByChannel) {
  EXPECT_EQ(tester.Run("PRelu-0",
                       {Floats(Shape({1, 2, 2}), {-1, 1, -2, 2}),
                        Vector({10, 100})}),
            "f32[1,2,2] {-10, 1, -200, 2}");
}

TEST(ActivationKernelTest, PReluOfIntegersWraps) {
  EXPECT_EQ(tester.Run("PRelu-0", {Int32s(Shape({1, 1}), {-2147483648.0}),
                                   Int32s(Shape({1}), {-3})}),
            "i32[1,1] {-2147483648}");
}

TEST(ActivationKernelTest, PReluByNumpyRules) {
  EXPECT_EQ(tester.Run("PRelu-0",
                       {Floats(Shape({1, 2, 3}), {-1, -1, -1, -1, -1, -1}),
                        Vector({1, 2, 3})}),
            "f32[1,2,3] {-1, -2, -3, -1, -2, -3}");
}

TEST(ActivationKernelTest, PReluConvertsItsSlope) {
  EXPECT_EQ(tester.Run("PRelu-0",
                       {TensorOf(ElementType::kF16, Shape({1, 2}), {-2, -4}),
                        Floats(Shape({2}), {0.5, 2})}),
            "f16[1,2] {-1, -8}");
}

TEST(ActivationKernelTest, Elu) {
  ExpectNear(tester.Outputs("Elu-0", {Vector({-1, 2})}, {{"alpha", "2"}}),
             {-1.2642411, 2});
}

TEST(ActivationKernelTest, Selu) {
  ExpectNear(tester.Outputs("Selu-0", {Vector({-1, 2}), Vector({1.5}),
                                       Vector({2})}),
             {-1.8963617, 4});
}

TEST(ActivationKernelTest, Gelu) {
  ExpectNear(tester.Outputs("Gelu-0", {Vector({-1, 0, 2})}),
             {-0.15865526, 0, 1.9544997});
  ExpectNear(tester.Outputs("Gelu-7", {Vector({-1, 0, 2})},
                            {{"approximation_mode", "tanh"}}),
             {-0.15880801, 0, 1.9545977});
}

TEST(ActivationKernelTest, SwishAndItsRelatives) {
  ExpectNear(tester.Outputs("Swish-4", {Vector({-1, 2})}),
             {-0.26894143, 1.7615942});
  ExpectNear(tester.Outputs("Swish-4", {Vector({-1, 2}), Vector({2})}),
             {-0.11920292, 1.9640275});
  ExpectNear(tester.Outputs("HSwish-4", {Vector({-4, -1, 1, 4})}),
             {0, -1. / 3, 2. / 3, 4});
  ExpectNear(tester.Outputs("Mish-4", {Vector({-1, 2, 100})}),
             {-0.30340147, 1.9439590, 100});
}

TEST(ActivationKernelTest, SigmoidAndItsRelatives) {
  ExpectNear(tester.Outputs("Sigmoid-0", {Vector({-kInf, 0, 1})}),
             {0, 0.5, 0.7310586});
  EXPECT_EQ(tester.Run("Sigmoid-0", {Int32s(Shape({3}), {-5, 0, 5})}),
            "i32[3] {0, 0, 1}");
  ExpectNear(tester.Outputs("HSigmoid-5", {Vector({-4, 0, 4})}), {0, 0.5, 1});
  ExpectNear(tester.Outputs("HardSigmoid-0", {Vector({-9, 1, 9}),
                                              Vector({0.2}), Vector({0.5})}),
             {0, 0.7, 1});
  ExpectNear(tester.Outputs("Tanh-0", {Vector({-1, 50})}), {-0.7615942, 1});
}

TEST(ActivationKernelTest, SoftPlusDoesNotOverflow) {
  ExpectNear(tester.Outputs("SoftPlus-4", {Vector({-200, 0, 1, 200})}),
             {0, 0.6931472, 1.3132617, 200});
}

TEST(ActivationKernelTest, SoftSign) {
  ExpectNear(tester.Outputs("SoftSign-9", {Vector({-1, 3})}), {-0.5, 0.75});
}

}  // namespace
}  // namespace dovetail
