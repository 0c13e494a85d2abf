#include "dovetail/backends/gpu/steps/linear/matmul.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/gpu/testing/coded_weights.h"
#include "dovetail/backends/gpu/testing/compare_plans.h"
#include "dovetail/backends/gpu/testing/plan_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

using ::testing::HasSubstr;

struct Case {
  std::string a, b;
  bool transpose_a = false, transpose_b = false;
  std::string kernel = "matmul_f32";
  std::string type = "f32";
};

class MatMulTest : public PlanTest {
 protected:
  // With a constant and without.
  void Check(const Case& c) {
    for (const char* constant : {"# constant", ""}) {
      const std::string model = absl::Substitute(
          R"(
        %a = Parameter-0() {shape: [$0], element_type: $5}
        %b = Parameter-0() {shape: [$1], element_type: $5}  $4
        %1 = MatMul-0(%a, %b) {transpose_a: $2, transpose_b: $3}
        %2 = Result-0(%1) {}
        )",
          c.a, c.b, c.transpose_a, c.transpose_b, constant, c.type);
      ExpectPlan(model, HasSubstr(c.kernel));
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

// Weights that are reshaped to `shape`.
struct Compressed {
  CodedWeights weights;
  std::string shape, kernel;
  int rows = 1;
  bool transposed = true;
};

std::string Product(const Compressed& c, int depth) {
  return ModelWithCodedWeights(absl::StrCat(c.rows, ",", depth), c.weights,
                               absl::Substitute(R"(
      %shape = Constant-0() {value: i64[2] {$0}}
      %m = Reshape-1(%w, %shape) {special_zero: false}
      %y = MatMul-0(%x, %m) {transpose_a: false, transpose_b: $1}
      )",
                                                c.shape, c.transposed));
}

class CompressedTest : public PlanTest {
 protected:
  void Check(const Compressed& c, int depth) {
    ExpectPlan(Product(c, depth), c.kernel);
  }
};

TEST_F(CompressedTest, OfBytes) {
  Check({{"i8", "70,64", "70,1", ""}, "70,64", "gemv_i8"}, 64);
  Check({{"u8", "70,64", "70,1", "70,1"}, "70,64", "gemv_u8"}, 64);
  Check({{"u8", "70,64", "1", "1"}, "70,64", "matmul_u8", 5}, 64);
  Check({{"i8", "33,40", "1,40", "1,40"}, "33,40", "gemv_i8", 1, false}, 33);
}

TEST_F(CompressedTest, OfFourBits) {
  Check({{"i4", "70,64", "70,1", ""}, "70,64", "gemv_i4"}, 64);
  Check({{"u4", "70,64", "70,1", "70,1"}, "70,64", "gemv_u4"}, 64);
  Check({{"u4", "100,64", "100,1", "1"}, "100,64", "matmul_u4", 3}, 64);
  // An odd number of rows.
  Check({{"i4", "70,33", "70,1", "70,1"}, "70,33", "gemv_i8"}, 33);
}

TEST_F(CompressedTest, OfTwoBitsTakesFour) {
  Check({{"u2", "40,4,16", "40,4,1", "40,4,1"}, "40,64", "gemv_u4"}, 64);
  Check({{"i2", "70,64", "70,1", ""}, "70,64", "matmul_i4", 3}, 64);
}

TEST_F(CompressedTest, MakesFloatsOfCodeBooks) {
  Check({{"nf4", "40,4,16", "40,4,1", ""}, "40,64", "gemv_f32"}, 64);
  Check({{"f4e2m1", "70,64", "70,1", ""}, "70,64", "matmul_f32", 3}, 64);
}

TEST_F(CompressedTest, InGroups) {
  Check({{"u4", "40,4,16", "40,4,1", "40,4,1"}, "40,64", "gemv_u4"}, 64);
  Check({{"i4", "40,4,16", "40,4,1", ""}, "40,64", "matmul_i4", 2}, 64);
  Check({{"u8", "4,16,40", "4,1,40", "4,1,40"}, "64,40", "gemv_u8", 1, false},
        64);
  Check({{"u4", "8,5,3", "8,5,1", "8,5,1"}, "8,15", "gemv_u8"}, 15);
}

TEST_F(CompressedTest, MakesFloatsForManyRowsAtOnce) {
  const ComparedPlan compared = ComparePlan(
      Product({{"u8", "70,64", "70,1", "70,1"}, "70,64", "", 50}, 64));
  EXPECT_EQ(compared.message, "");
  EXPECT_EQ(compared.kernels, "matmul_f32");
}

TEST_F(CompressedTest, WeightsThatSomethingElseReadsAreComputed) {
  const std::string model =
      Product({{"i8", "70,64", "70,1", ""}, "70,64", ""}, 64) +
      "%other = Result-0(%m) {}\n";
  const ComparedPlan compared = ComparePlan(model);
  EXPECT_EQ(compared.message, "");
  EXPECT_THAT(compared.kernels, HasSubstr("gemv_f32"));
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
