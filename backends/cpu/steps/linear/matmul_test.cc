#include "dovetail/backends/cpu/steps/linear/matmul.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/isa/machine_model.h"
#include "dovetail/backends/cpu/kernels/linear/narrow/bf16_product.h"
#include "dovetail/backends/cpu/kernels/linear/narrow/unpacked_product.h"
#include "dovetail/backends/cpu/kernels/linear/quantized/quantized_gemm.h"
#include "dovetail/backends/cpu/onednn/isa.h"
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
  return absl::StrCat(
      "%c = MatMul-0(%a, %b) {transpose_a: ", transpose_a ? "true" : "false",
      ", transpose_b: ", transpose_b ? "true" : "false", "}\n");
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

// One row by many weights.
TEST(MatMulTest, ReadsColumnsWhereTheyLie) {
  const auto kernel_of = [](int columns, int depth, int rows,
                            const std::string& name, bool transposed = true) {
    const std::string weights = transposed ? absl::StrCat(columns, ",", depth)
                                           : absl::StrCat(depth, ",", columns);
    const std::string model =
        absl::StrCat(Parameter("%a", absl::StrCat(rows, ",", depth)),
                     "%b = Parameter-0() {shape: [", weights,
                     "], element_type: f32}  # constant", name, "\n",
                     Parameter("%bias", absl::StrCat(columns)),
                     MatMul(false, transposed),
                     "%d = Add-1(%c, %bias) {auto_broadcast: numpy}\n"
                     "%e = Relu-0(%d) {}\n%r = Result-0(%e) {}\n");
    const Compared compared = Compare(model);
    EXPECT_LT(compared.error, kTolerance) << compared.message << model;
    return compared.KernelOf("MatMul");
  };
  EXPECT_EQ(kernel_of(520, 4100, 1, "_read_only"), "gemm_f32_in_place");
  EXPECT_EQ(kernel_of(1100, 300, 1, "_read_only"), "gemm_f32_in_place");
  // Which may be changed; more than a row; columns that do not lie so; so short
  // or so few that packing them takes no time.
  EXPECT_EQ(kernel_of(520, 4100, 1, ""), "gemm_f32");
  EXPECT_EQ(kernel_of(520, 4100, 2, "_read_only"), "gemm_f32");
  EXPECT_EQ(kernel_of(520, 4100, 1, "_read_only", false), "gemm_f32");
  EXPECT_EQ(kernel_of(4100, 200, 1, "_read_only"), "gemm_f32");
  EXPECT_EQ(kernel_of(50, 4100, 1, "_read_only"), "gemm_f32");
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
      // A bias, another tensor, and one that is too much for the products.
      {{"2,6,20", "20,32"},
       Parameter("%d", "32", true) + Parameter("%e", "2,6,32") +
           Parameter("%f", "2,6,1") +
           "%g = Add-1(%c, %d) {}\n%h = Add-1(%e, %g) {}\n"
           "%y = Add-1(%h, %f) {}\n",
       "MatMul+3"},
      {{"2,3,6,20", "2,3,20,16"},
       Parameter("%d", "2,1,1,16") + Parameter("%e", "2,3,6,16") +
           "%f = Add-1(%e, %c) {}\n%y = Add-1(%d, %f) {}\n",
       "MatMul+2"},
      // What is added to is read once more.
      {{"6,20", "20,32"},
       Parameter("%d", "32", true) +
           "%e = Add-1(%c, %d) {}\n%y = Multiply-1(%c, %e) {}\n",
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

// Weights of `type` with scales, and zero points unless that is "", of these
// shapes, that become `shape`.
struct Compressed {
  std::string type, stored, scale, zero, shape;
  bool transposed = true;
  std::string kernel;
};

std::string WeightsOf(const Compressed& c) {
  std::string lines = absl::StrCat(
      "%w = Parameter-0() {shape: [", c.stored, "], element_type: ", c.type,
      "}  # constant w\n%f = Convert-0(%w) {destination_type: f32}\n");
  if (!c.zero.empty()) {
    absl::StrAppend(&lines, "%z = Parameter-0() {shape: [", c.zero,
                    "], element_type: ", c.type, "}  # constant z\n",
                    "%g = Convert-0(%z) {destination_type: f32}\n");
  }
  return absl::StrCat(lines,
                      c.zero.empty() ? "" : "%h = Subtract-1(%f, %g) {}\n",
                      Parameter("%s", c.scale, true), "%m = Multiply-1(",
                      c.zero.empty() ? "%f" : "%h", ", %s) {}\n",
                      "%n = Constant-0() {value: ", "i64[2] {", c.shape,
                      "}}\n%b = Reshape-1(%m, %n) {special_zero: false}\n");
}

std::string CompressedModel(const Compressed& c, const std::string& rows) {
  return absl::StrCat(WeightsOf(c), Parameter("%a", rows),
                      MatMul(false, c.transposed), "%r = Result-0(%c) {}\n");
}

TEST(MatMulTest, MultipliesWithCompressedWeights) {
  const std::string by_8 = "gemm_f32_by_8_bits", by_4 = "gemm_f32_by_4_bits",
                    by_2 = "gemm_f32_by_2_bits",
                    by_book = "gemm_f32_by_code_book";
  const std::vector<Compressed> cases = {
      {"i8", "40,64", "40,1", "", "40,64", true, by_8},
      {"u8", "40,64", "40,1", "40,1", "40,64", true, by_8},
      {"u8", "40,64", "1", "1", "40,64", true, by_8},
      {"i8", "64,40", "1,40", "", "64,40", false, by_8},
      {"i8", "40,4,16", "40,4,1", "40,4,1", "40,64", true, by_8},
      {"u4", "40,64", "40,1", "", "40,64", true, by_4},
      {"u4", "40,4,16", "40,4,1", "40,4,1", "40,64", true, by_4},
      {"i4", "40,4,16", "1,4,1", "", "40,64", true, by_4},
      {"i4", "4,16,40", "4,1,40", "4,1,40", "64,40", false, by_4},
      {"u2", "40,64", "40,1", "40,1", "40,64", true, by_2},
      {"u2", "40,4,16", "40,4,1", "40,4,1", "40,64", true, by_2},
      {"i2", "2,32,40", "2,1,40", "", "64,40", false, by_2},
      {"nf4", "40,64", "40,1", "", "40,64", true, by_book},
      {"nf4", "40,8,8", "40,8,1", "", "40,64", true, by_book},
      {"nf4", "4,16,40", "4,1,40", "4,1,40", "64,40", false, by_book},
      {"f4e2m1", "40,2,32", "40,2,1", "", "40,64", true, by_book},
      // Groups that are no whole words; other types.
      {"u4", "40,16,4", "40,16,1", "", "40,64", true, "gemm_f32"},
      {"u2", "40,8,8", "40,8,1", "", "40,64", true, "gemm_f32"},
      {"nf4", "40,16,4", "40,16,1", "", "40,64", true, "gemm_f32"},
      {"u3", "40,64", "40,1", "", "40,64", true, "gemm_f32"},
      {"i16", "40,64", "40,1", "", "40,64", true, "gemm_f32"},
  };
  CompareOptions options;
  for (const Compressed& c : cases) {
    for (const std::string rows : {"1", "3", "2,3", "30"}) {
      for (const int threads : {1, 3}) {
        options.settings.threads = threads;
        const std::string model = CompressedModel(c, absl::StrCat(rows, ",64"));
        const Compared compared = Compare(model, options);
        EXPECT_LT(compared.error, kTolerance) << model << compared.message;
        EXPECT_EQ(compared.steps, "MatMul") << model;
        EXPECT_EQ(compared.KernelOf("MatMul"), c.kernel) << model;
      }
    }
  }
}

// f4e2m1 in groups of 32 with powers of two as scales.
TEST(MatMulTest, MultipliesWithTheMicroscalingForm) {
  for (const std::string rows : {"1", "5", "30"}) {
    const Compared compared = Compare(absl::StrCat(
        "%w = Parameter-0() {shape: [40,2,32], element_type: f4e2m1}",
        "  # constant w\n%f = Convert-0(%w) {destination_type: f32}\n",
        "%s = Parameter-0() {shape: [40,2,1], element_type: f8e8m0}",
        "  # constant s\n%g = Convert-0(%s) {destination_type: f32}\n",
        "%m = Multiply-1(%f, %g) {}\n%n = Constant-0() {value: i64[2] {40, "
        "64}}",
        "\n%b = Reshape-1(%m, %n) {special_zero: false}\n",
        Parameter("%a", absl::StrCat(rows, ",64")), MatMul(false, true),
        "%r = Result-0(%c) {}\n"));
    EXPECT_LT(compared.error, kTolerance) << compared.message;
    EXPECT_EQ(compared.steps, "MatMul");
    EXPECT_EQ(compared.KernelOf("MatMul"), "gemm_f32_by_code_book");
  }
}

TEST(MatMulTest, MultipliesWithHalfFloats) {
  for (const std::string rows : {"1", "4", "30"}) {
    const Compared compared = Compare(absl::StrCat(
        "%w = Parameter-0() {shape: [40,70], element_type: f16}",
        "  # constant w\n%b = Convert-0(%w) {destination_type: f32}\n",
        Parameter("%a", absl::StrCat(rows, ",70")), MatMul(false, true),
        "%r = Result-0(%c) {}\n"));
    EXPECT_LT(compared.error, kTolerance) << compared.message;
    EXPECT_EQ(compared.KernelOf("MatMul"), "gemm_f32_by_f16");
  }
}

TEST(MatMulTest, ComputesCompressedWeightsThatSomethingElseReads) {
  const Compared shared = Compare(absl::StrCat(
      CompressedModel({"i8", "16,4,8", "16,4,1", "", "16,32"}, "3,32"),
      "%q = Result-0(%m) {}\n"));
  EXPECT_LT(shared.error, kTolerance) << shared.message;
}

TEST(MatMulTest, FinishesProductsWithCompressedWeights) {
  const Compared compared = Compare(absl::StrCat(
      WeightsOf({"u8", "40,64", "40,1", "40,1", "40,64"}),
      Parameter("%a", "2,64"), MatMul(false, true), Parameter("%d", "40", true),
      "%e = Add-1(%c, %d) {}\n", "%y = Relu-0(%e) {}\n%r = Result-0(%y) {}\n"));
  EXPECT_LT(compared.error, kTolerance) << compared.message;
  EXPECT_EQ(compared.steps, "MatMul+2");
}

// ---- Rows that are quantized in each run ----

// Elements are half a step of 127 away at most, and products vary in sign.
constexpr double kQuantizedTolerance = 3e-2;

CompareOptions Quantizing(int64_t group) {
  CompareOptions options;
  options.settings.quantization_group = group;
  return options;
}

TEST(QuantizedMatMulTest, MultipliesBytesWithCompressedIntegers) {
  const std::vector<Compressed> cases = {
      {"i8", "40,64", "40,1", "", "40,64", true, "8"},
      {"u8", "40,64", "40,1", "40,1", "40,64", true, "8"},
      {"u8", "64,40", "1,40", "1,40", "64,40", false, "8"},
      {"i8", "40,4,16", "40,4,1", "40,4,1", "40,64", true, "8"},
      {"u4", "40,64", "40,1", "", "40,64", true, "4"},
      {"i4", "4,16,40", "4,1,40", "4,1,40", "64,40", false, "4"},
      {"u2", "40,4,16", "40,4,1", "40,4,1", "40,64", true, "2"},
  };
  for (const int64_t group : {16, 32, 1000}) {
    CompareOptions options = Quantizing(group);
    for (const Compressed& c : cases) {
      for (const std::string rows : {"1", "2,3", "30"}) {
        for (const int threads : {1, 3}) {
          options.settings.threads = threads;
          const std::string model =
              CompressedModel(c, absl::StrCat(rows, ",64"));
          const Compared compared = Compare(model, options);
          EXPECT_LT(compared.error, kQuantizedTolerance)
              << model << compared.message;
          EXPECT_EQ(compared.steps, "MatMul") << model;
          EXPECT_EQ(
              compared.KernelOf("MatMul"),
              absl::StrCat(HasQuantizedGemm() ? "gemm_s8_by_" : "gemm_f32_by_",
                           c.kernel, "_bits"))
              << model;
        }
      }
    }
  }
}

// So large that tasks have a part of the columns each, and that rows are cut.
TEST(QuantizedMatMulTest, SharesRowsBetweenTasks) {
  CompareOptions options = Quantizing(32);
  options.settings.threads = 3;
  for (const char* rows : {"1", "40", "150"}) {
    const Compared compared =
        Compare(CompressedModel({"u8", "700,304", "700,1", "700,1", "700,304"},
                                absl::StrCat(rows, ",304")),
                options);
    EXPECT_LT(compared.error, kQuantizedTolerance) << rows << compared.message;
    EXPECT_EQ(compared.steps, "MatMul");
  }
}

TEST(QuantizedMatMulTest, FinishesProducts) {
  const Compared compared = Compare(
      absl::StrCat(WeightsOf({"u8", "40,64", "40,1", "40,1", "40,64"}),
                   Parameter("%a", "200,64"), MatMul(false, true),
                   Parameter("%d", "40", true), Parameter("%e", "200,40"),
                   "%x = Add-1(%c, %d) {}\n%q = Relu-0(%x) {}\n"
                   "%y = Add-1(%q, %e) {}\n%r = Result-0(%y) {}\n"),
      Quantizing(32));
  EXPECT_LT(compared.error, kQuantizedTolerance) << compared.message;
  EXPECT_EQ(compared.steps, "MatMul+3");
}

TEST(QuantizedMatMulTest, LeavesOtherWeightsExact) {
  const std::vector<Compressed> cases = {
      {"nf4", "40,64", "40,1", "", "40,64", true, "gemm_f32_by_code_book"},
      {"u4", "40,16,4", "40,16,1", "", "40,64", true, "gemm_f32"},
      {"i16", "40,64", "40,1", "", "40,64", true, "gemm_f32"},
  };
  for (const Compressed& c : cases) {
    const Compared compared =
        Compare(CompressedModel(c, "30,64"), Quantizing(32));
    EXPECT_LT(compared.error, kTolerance) << compared.message;
    EXPECT_EQ(compared.KernelOf("MatMul"), c.kernel);
  }
}

// ---- Factors rounded to bf16 by own kernels ----

constexpr double kNarrowTolerance = 2e-2;

CompareOptions Narrow() {
  CompareOptions options;
  options.settings.compute_type = ElementType::kBf16;
  return options;
}

// This machine, if it multiplied such numbers four times as fast as f32.
MachineModel WithFast(double MachineModel::*products) {
  MachineModel machine = ThisMachine();
  machine.*products = 4 * machine.f32();
  return machine;
}

// On a machine on which bf16 is worth multiplying, if it can: with tiles, but
// limited to AVX-512, a processor multiplies them hardly faster than f32.
CompareOptions WithFastBf16() {
  static const auto& machine = *new MachineModel(WithFast(&MachineModel::bf16));
  CompareOptions options = Narrow();
  options.settings.machine = &machine;
  return options;
}

// So many weights that reading half as many bytes decides.
TEST(NarrowMatMulTest, ReadsWeightsForFewRowsInPanels) {
  CompareOptions options = Narrow();
  for (const std::string rows : {"1", "2,2", "3,1"}) {
    for (const int threads : {1, 3}) {
      options.settings.threads = threads;
      const std::string model =
          ModelOf({absl::StrCat(rows, ",1030"), "1500,1030", false, true}, true,
                  absl::StrCat(Parameter("%d", "1500", true),
                               Parameter("%e", absl::StrCat(rows, ",1500")),
                               "%x = Add-1(%c, %d) {}\n%q = Relu-0(%x) {}\n"
                               "%y = Add-1(%q, %e) {}\n"));
      const Compared compared = Compare(model, options);
      EXPECT_LT(compared.error, kNarrowTolerance) << model << compared.message;
      EXPECT_EQ(compared.KernelOf("MatMul"),
                HasBf16Products() ? "gemm_bf16" : "gemm_f32");
    }
  }
}

TEST(NarrowMatMulTest, ReadsRowsThatAreRounded) {
  const Compared compared = Compare(
      absl::StrCat(Parameter("%x", "1,1024"), Parameter("%w", "1024,1024", true),
                   Parameter("%v", "1024,1024", true),
                   "%m = MatMul-0(%x, %w) {transpose_a: false, transpose_b: "
                   "false}\n%p = Relu-0(%m) {}\n%q = Abs-0(%x) {}\n"
                   "%o = Add-1(%p, %q) {}\n"
                   "%c = MatMul-0(%o, %v) {transpose_a: false, transpose_b: "
                   "false}\n%r = Result-0(%c) {}\n"),
      Narrow());
  EXPECT_LT(compared.error, kNarrowTolerance) << compared.message;
}

// By tiles, where there are such, and enough rows, but not so many that such
// small weights had better be made bf16 once: then by what there is for bf16.
TEST(NarrowMatMulTest, UnpacksCompressedWeights) {
  const std::vector<Compressed> cases = {
      {"i8", "40,64", "40,1", "", "40,64", true, "8_bits"},
      {"u8", "64,40", "1,40", "1,40", "64,40", false, "8_bits"},
      {"u4", "40,4,16", "40,4,1", "40,4,1", "40,64", true, "4_bits"},
      {"u2", "40,4,16", "40,4,1", "40,4,1", "40,64", true, "2_bits"},
      {"nf4", "40,64", "40,1", "", "40,64", true, "code_book"},
  };
  CompareOptions options = WithFastBf16();
  const char* const kernel =
      HasUnpackedProducts() ? "gemm_bf16_by_" : "gemm_f32_by_";
  for (const Compressed& c : cases) {
    for (const std::string rows : {"30", "2,20", "120", "2,150"}) {
      for (const int threads : {1, 3}) {
        options.settings.threads = threads;
        const std::string model = CompressedModel(c, absl::StrCat(rows, ",64"));
        const Compared compared = Compare(model, options);
        EXPECT_LT(compared.error, kNarrowTolerance)
            << model << compared.message;
        const std::string name = compared.KernelOf("MatMul");
        if (HasBf16Products() && rows == "2,150") {
          EXPECT_TRUE(absl::StartsWith(name, "onednn_")) << name << model;
        } else {
          EXPECT_EQ(name, absl::StrCat(kernel, c.kernel)) << model;
        }
      }
    }
  }
}

// Experts: several matrices, of which each multiplies rows of its own.
TEST(NarrowMatMulTest, TakesSeveralCompressedMatrices) {
  const Compared compared = Compare(
      absl::StrCat(WeightsOf({"u8", "4,400,640", "4,400,1", "4,400,1",
                              "1600,640"}),
                   "%k = Constant-0() {value: i64[3] {4, 400, 640}}\n"
                   "%v = Reshape-1(%b, %k) {special_zero: false}\n",
                   Parameter("%a", "4,50,640"),
                   "%c = MatMul-0(%a, %v) {transpose_a: false, transpose_b: "
                   "true}\n%r = Result-0(%c) {}\n"),
      Narrow());
  EXPECT_LT(compared.error, kNarrowTolerance) << compared.message;
  EXPECT_EQ(compared.steps, "MatMul");
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

// ---- Integers ----

struct IntegerCase {
  std::string a, b;
  bool is_constant = true, transpose_b = false;
};

// Of `type` less `zero`, which may be "", and i8; the products are %n.
std::string IntegerProducts(const IntegerCase& c, const std::string& type,
                            const std::string& zero) {
  return absl::StrCat(
      "%x = Parameter-0() {shape: [", c.a, "], element_type: ", type, "}\n",
      "%w = Parameter-0() {shape: [", c.b, "], element_type: i8}",
      c.is_constant ? "  # constant w\n" : "\n", zero.empty() ? "%a" : "%xf",
      " = Convert-0(%x) {destination_type: f32}\n",
      zero.empty() ? ""
                   : absl::StrCat("%z = Constant-0() {value: f32[] {", zero,
                                  "}}\n%a = Subtract-1(%xf, %z) {}\n"),
      "%b = Convert-0(%w) {destination_type: f32}\n",
      MatMul(false, c.transpose_b),
      "%s = Constant-0() {value: f32[] {0.0001}}\n",
      "%n = Multiply-1(%c, %s) {}\n");
}

// A machine on which bytes are worth multiplying, if it can.
CompareOptions WithFastBytes() {
  static const auto& machine = *new MachineModel(WithFast(&MachineModel::int8));
  CompareOptions options;
  options.settings.machine = &machine;
  return options;
}

// Of the product itself: before it, floats may be made.
std::string LastKernel(const Compared& compared) {
  return compared.plan == nullptr ? "" : compared.plan->steps.back().kernel;
}

bool IsIntegerKernel(const std::string& kernel) {
  return absl::StartsWith(kernel, "onednn_brg_matmul");
}

TEST(IntegerMatMulTest, IsExact) {
  const std::vector<IntegerCase> cases = {
      {"5,70", "70,9"},
      {"1,64", "200,64", true, true},
      {"2,20,64", "40,64", true, true},
      {"1,20,64", "3,40,64", true, true},
      {"3,20,64", "3,64,40"},
      {"2,3,20,30", "2,3,30,40", false},
      {"2,3,20,30", "2,3,10,30", false, true},
      {"2,3,20,30", "1,1,30,40", false},
  };
  CompareOptions options = WithFastBytes();
  for (const IntegerCase& c : cases) {
    for (const std::string type : {"u8", "i8"}) {
      for (const std::string zero : {"", "7"}) {
        for (const int threads : {1, 3}) {
          options.settings.threads = threads;
          const std::string model = absl::StrCat(IntegerProducts(c, type, zero),
                                                 "%r = Result-0(%n) {}\n");
          const Compared compared = Compare(model, options);
          EXPECT_LT(compared.error, 1e-6) << model << compared.message;
          EXPECT_EQ(IsIntegerKernel(LastKernel(compared)), HasDotProducts())
              << model << LastKernel(compared);
          if (!HasDotProducts()) continue;
          EXPECT_EQ(compared.steps, "MatMul+1") << model;
        }
      }
    }
  }
}

TEST(IntegerMatMulTest, TakesScalesBiasesAndQuantizationIn) {
  const std::string rest = absl::StrCat(
      Parameter("%d", "40", true), "%e = Add-1(%n, %d) {}\n",
      "%g = Relu-0(%e) {}\n", "%l = Constant-0() {value: f32[] {0}}\n",
      "%h = Constant-0() {value: f32[] {2}}\n",
      "%t = Constant-0() {value: f32[] {255}}\n",
      "%f = FakeQuantize-0(%g, %l, %h, %l, %t) {levels: 256}\n",
      "%y = Convert-0(%f) {destination_type: u8}\n%r = Result-0(%y) {}\n");
  const Compared compared = Compare(
      absl::StrCat(IntegerProducts({"2,20,64", "64,40"}, "u8", "7"), rest),
      WithFastBytes());
  // A level, next to ties.
  EXPECT_LT(compared.error, 1.01 / 255) << compared.message;
  EXPECT_EQ(compared.steps,
            HasDotProducts() ? "MatMul+5" : "MatMul, MatMul+4, Convert");
}

// Key heads that several query heads share: no even distances.
TEST(IntegerMatMulTest, LeavesUnevenProductsToFloats) {
  const Compared compared = Compare(
      absl::StrCat(IntegerProducts({"2,2,5,32", "2,1,32,9", false}, "u8", "7"),
                   "%r = Result-0(%n) {}\n"),
      WithFastBytes());
  EXPECT_LT(compared.error, kTolerance) << compared.message;
  EXPECT_EQ(LastKernel(compared), "gemm_f32");
}

TEST(IntegerMatMulTest, LeavesFloatsWhereTheyAreAsFast) {
  CompareOptions options = WithFastBytes();
  MachineModel machine = *options.settings.machine;
  machine.int8 = machine.f32();
  options.settings.machine = &machine;
  const Compared compared =
      Compare(absl::StrCat(IntegerProducts({"5,70", "70,9"}, "i8", "7"),
                           "%r = Result-0(%n) {}\n"),
              options);
  EXPECT_LT(compared.error, kTolerance) << compared.message;
  EXPECT_EQ(LastKernel(compared), "gemm_f32_by_8_bits");
}

}  // namespace
}  // namespace dovetail::cpu
