#include "dovetail/backends/gpu/steps/linear/matmul.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/gpu/testing/compare_plans.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

struct Case {
  std::string a, b;
  bool transpose_a = false, transpose_b = false;
  std::string kernel = "matmul_f32";
  std::string type = "f32";
};

class MatMulTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!HasClDevice()) GTEST_SKIP() << "no OpenCL device";
  }

  // By vectors of 16 lanes, and as on devices of other kinds; with a constant
  // and without.
  void Check(const Case& c) {
    for (const int lanes : {16, 4, 1}) {
      for (const char* constant : {"# constant", ""}) {
        const std::string model = absl::Substitute(
            R"(
        %a = Parameter-0() {shape: [$0], element_type: $5}
        %b = Parameter-0() {shape: [$1], element_type: $5}  $4
        %1 = MatMul-0(%a, %b) {transpose_a: $2, transpose_b: $3}
        %2 = Result-0(%1) {}
        )",
            c.a, c.b, c.transpose_a, c.transpose_b, constant, c.type);
        const ComparedPlan compared = ComparePlan(model, lanes);
        EXPECT_EQ(compared.message, "") << lanes << " lanes" << model;
        EXPECT_TRUE(absl::StrContains(compared.kernels, c.kernel))
            << compared.kernels << model;
      }
    }
  }
};

TEST_F(MatMulTest, Blocks) {
  Check({"29,40", "40,70"});
  Check({"64,40", "40,32"});
  Check({"5,33", "33,100"});
  Check({"13,8", "8,3"});
}

TEST_F(MatMulTest, Transposed) {
  Check({"33,20", "33,48", true, false});
  Check({"20,33", "48,33", false, true});
  Check({"33,20", "48,33", true, true});
}

TEST_F(MatMulTest, Batches) {
  Check({"2,3,20,16", "2,3,16,24"});
  Check({"2,1,20,16", "3,16,24"});
  Check({"4,20,16", "16,24"});
  Check({"20,16", "2,2,24,16", false, true});
}

TEST_F(MatMulTest, Vectors) {
  Check({"1,40", "40,100", false, false, "gemv_f32"});
  Check({"40", "40,100", false, false, "gemv_f32"});
  Check({"30,40", "40"});
  Check({"40", "40", false, false, "gemv_f32"});
}

TEST_F(MatMulTest, Integers) {
  Check({"3,7,9", "9,11", false, false, "matmul_general_i32", "i32"});
}

TEST_F(MatMulTest, HasAnEpilogue) {
  const ComparedPlan compared = ComparePlan(R"(
      %a = Parameter-0() {shape: [2,20,16], element_type: f32}
      %b = Parameter-0() {shape: [16,44], element_type: f32}  # constant
      %c = Parameter-0() {shape: [44], element_type: f32}  # constant
      %r = Parameter-0() {shape: [2,20,44], element_type: f32}
      %1 = MatMul-0(%a, %b) {transpose_a: false, transpose_b: false}
      %2 = Add-1(%1, %c) {}
      %3 = Relu-0(%2) {}
      %4 = Add-1(%3, %r) {}
      %zero = Constant-0() {value: f32[1] {0}}
      %5 = Add-1(%4, %zero) {}
      %6 = Sigmoid-0(%5) {}
      %7 = Result-0(%6) {}
      )");
  EXPECT_EQ(compared.message, "");
  EXPECT_EQ(compared.kernels, "matmul_f32");
}

}  // namespace
}  // namespace dovetail::gpu
