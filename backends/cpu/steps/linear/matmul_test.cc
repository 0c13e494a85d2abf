#include "dovetail/backends/cpu/steps/linear/matmul.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/testing/compare.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

constexpr double kTolerance = 2e-5;

std::string Parameter(const std::string& id, const std::string& shape,
                      bool constant = false) {
  return absl::StrCat(id, " = Parameter-0() {shape: [", shape,
                      "], element_type: f32}",
                      constant ? absl::StrCat("  # constant", id) : "", "\n");
}

std::string MatMul(bool transpose_a, bool transpose_b) {
  return absl::StrCat("%c = MatMul-0(%a, %b) {transpose_a: ",
                      transpose_a ? "true" : "false",
                      ", transpose_b: ", transpose_b ? "true" : "false",
                      "}\n");
}

struct Case {
  std::string a, b;
  bool transpose_a = false, transpose_b = false;
};

std::string ModelOf(const Case& c, bool constant,
                    const std::string& rest = "") {
  return absl::StrCat(Parameter("%a", c.a), Parameter("%b", c.b, constant),
                      MatMul(c.transpose_a, c.transpose_b), rest,
                      "%r = Result-0(", rest.empty() ? "%c" : "%y", ") {}\n");
}

const std::vector<Case>& Cases() {
  static const auto& cases = *new std::vector<Case>{
      {"5,7", "7,9"},
      {"7,5", "7,9", true},
      {"5,7", "9,7", false, true},
      {"7,5", "9,7", true, true},
      {"1,64", "200,64", false, true},
      {"3,1,64", "64,40"},
      {"2,3,20,30", "30,40"},
      {"2,3,30,20", "30,40", true},
      {"2,3,20,30", "2,3,30,10"},
      {"2,1,20,30", "1,3,10,30", false, true},
      {"20,30", "4,30,10"},
      {"4,20,30", "1,30,10"},
      {"30", "30,10"},
      {"20,30", "30"},
      {"2,20,30", "30"},
      {"30", "30"},
      {"30", "2,30,10"},
      {"130,300", "300,50"},
      {"1,1", "1,1"},
  };
  return cases;
}

TEST(MatMulTest, AgreesWithTheReference) {
  CompareOptions options;
  for (const Case& c : Cases()) {
    for (const bool constant : {false, true}) {
      for (const int threads : {1, 3}) {
        options.settings.threads = threads;
        const std::string model = ModelOf(c, constant);
        const Compared compared = Compare(model, options);
        EXPECT_LT(compared.error, kTolerance) << model << compared.message;
        EXPECT_EQ(compared.KernelOf("MatMul"), "gemm_f32") << model;
      }
    }
  }
}

TEST(MatMulTest, TakesFollowersIn) {
  struct Row {
    Case c;
    std::string rest;
    std::string steps;
  };
  const std::vector<Row> rows = {
      {{"6,20", "20,33"},
       Parameter("%d", "33", true) + "%e = Add-1(%c, %d) {}\n"
                                     "%y = Relu-0(%e) {}\n",
       "MatMul+2"},
      // x * sigmoid(x), which reads the product twice.
      {{"2,6,20", "20,32"},
       "%s = Sigmoid-0(%c) {}\n%y = Multiply-1(%c, %s) {}\n",
       "MatMul+2"},
      {{"2,3,6,20", "2,3,20,16"},
       Parameter("%d", "2,1,1,16") + Parameter("%e", "3,6,1") +
           "%f = Add-1(%c, %d) {}\n%y = Multiply-1(%e, %f) {}\n",
       "MatMul+2"},
      {{"2,6,20", "20,32"},
       Parameter("%d", "2,6,32") + "%y = Subtract-1(%d, %c) {}\n",
       "MatMul+1"},
      // One number for every batch is no distance between stacked rows.
      {{"2,6,20", "20,32"},
       Parameter("%d", "2,1,32") + "%y = Add-1(%c, %d) {}\n",
       "MatMul, Add"},
      // The output's last axis is that of rows.
      {{"6,20", "20"},
       Parameter("%d", "6") + "%y = Add-1(%c, %d) {}\n",
       "MatMul, Add"},
      // A larger result.
      {{"1,20", "20,32"},
       Parameter("%d", "5,32") + "%y = Add-1(%c, %d) {}\n",
       "MatMul, Add"},
  };
  for (const Row& row : rows) {
    const std::string model = ModelOf(row.c, true, row.rest);
    const Compared compared = Compare(model);
    EXPECT_LT(compared.error, kTolerance) << model << compared.message;
    EXPECT_EQ(compared.steps, row.steps) << model;
  }
}

// Rounds factors where the processor has bf16, and else does not.
TEST(MatMulTest, MayRoundToBf16) {
  CompareOptions options;
  options.settings.compute_type = ElementType::kBf16;
  for (const Case& c : Cases()) {
    const std::string model = ModelOf(c, true);
    const Compared compared = Compare(model, options);
    const bool is_f32 = compared.KernelOf("MatMul") == "gemm_f32";
    EXPECT_LT(compared.error, is_f32 ? kTolerance : 2e-2)
        << model << compared.message;
  }
}

TEST(MatMulTest, EvaluatesCompressedWeights) {
  const std::string weights = R"(
      %w = Parameter-0() {shape: [16,4,8], element_type: i8}  # constant w
      %z = Parameter-0() {shape: [16,4,1], element_type: i8}  # constant z
      %s = Parameter-0() {shape: [16,4,1], element_type: f32}  # constant s
      %n = Constant-0() {value: i64[2] {16, 32}}
      %f = Convert-0(%w) {destination_type: f32}
      %g = Convert-0(%z) {destination_type: f32}
      %h = Subtract-1(%f, %g) {}
      %m = Multiply-1(%h, %s) {}
      %b = Reshape-1(%m, %n) {special_zero: false}
  )";
  const std::string product =
      absl::StrCat(weights, Parameter("%a", "3,32"), MatMul(false, true),
                   "%r = Result-0(%c) {}\n");
  const Compared alone = Compare(product);
  EXPECT_LT(alone.error, kTolerance) << alone.message;
  EXPECT_EQ(alone.steps, "MatMul");

  // Somebody else reads them, too.
  const Compared shared =
      Compare(absl::StrCat(product, "%q = Result-0(%m) {}\n"));
  EXPECT_LT(shared.error, kTolerance) << shared.message;
}

TEST(MatMulTest, KeepsAProductThatSomethingElseReads) {
  const std::string model = absl::StrCat(
      Parameter("%a", "6,20"), Parameter("%b", "20,32", true),
      MatMul(false, false),
      "%y = Relu-0(%c) {}\n%r = Result-0(%y) {}\n%q = Result-0(%c) {}\n");
  const Compared compared = Compare(model);
  EXPECT_LT(compared.error, kTolerance) << compared.message;
  EXPECT_EQ(compared.steps, "MatMul, Relu");
}

}  // namespace
}  // namespace dovetail::cpu
