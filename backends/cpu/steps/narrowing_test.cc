#include "dovetail/backends/cpu/steps/narrowing.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/backends/cpu/kernels/common/bf16_support.h"
#include "dovetail/backends/cpu/onednn/isa.h"
#include "dovetail/backends/cpu/testing/compare.h"
#include "dovetail/core/ops/text/parse.h"
#include "dovetail/transformations/common/precise.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

// Of a machine that multiplies bf16 twice as fast as f32.
CompileSettings InBf16() {
  static const auto& machine =
      *new MachineModel{.f32_8 = 40, .f32_16 = 80, .bf16 = 160};
  CompileSettings settings;
  settings.compute_type = ElementType::kBf16;
  settings.machine = &machine;
  return settings;
}

std::string Weights(const std::string& id, const std::string& shape) {
  return absl::StrCat(id, " = Parameter-0() {shape: [", shape,
                      "], element_type: f32}  # constant ", id, "\n");
}

std::string Convolution(const std::string& to, const std::string& from,
                        const std::string& weights) {
  return absl::StrCat(to, " = Convolution-1(", from, ", ", weights,
                      ") {strides: [1,1], dilations: [1,1], pads_begin: "
                      "[0,0], pads_end: [0,0], auto_pad: explicit}  # ",
                      to.substr(1), "\n");
}

// Two convolutions of the same data side by side and a third one of both.
const std::string& Branches() {
  static const auto& model = *new std::string(
      "%x = Parameter-0() {shape: [1,16,6,8], element_type: f32}\n" +
      Weights("%u", "16,16,1,1") + Weights("%v", "32,16,1,1") +
      Weights("%w", "8,48,1,1") + Convolution("%a", "%x", "%u") +
      Convolution("%b", "%x", "%v") +
      "%c = Concat-0(%a, %b) {axis: 1}  # c\n"
      "%d = Sigmoid-0(%c) {}  # d\n" +
      Convolution("%e", "%d", "%w"));
  return model;
}

constexpr char kResult[] = "%r = Result-0(%e) {}\n";

// Friendly names of the nodes whose first output is narrow, in order, without
// parameters, which some are for constants here.
std::string NarrowOnes(const std::string& text, const CompileSettings& settings,
                       const std::string& precise = "") {
  const absl::StatusOr<Model> model = ParseModelText(text);
  if (!model.ok()) return model.status().ToString();
  const std::vector<Node*> order = *model->TopologicalOrder();
  for (Node* node : order) {
    if (node->name() == precise) MarkPrecise(*node);
  }
  const NarrowValues values = FindNarrowValues(order, settings);
  std::vector<std::string> names;
  for (Node* node : order) {
    if (node->output_count() > 0 && !node->Is("Parameter") &&
        values.Has({node, 0})) {
      names.push_back(std::string(node->name()));
    }
  }
  return absl::StrJoin(names, " ");
}

TEST(NarrowingTest, WhatOnlyLayersInBf16ReadIsNarrow) {
  EXPECT_EQ(NarrowOnes(Branches() + kResult, InBf16()), "a b c d");
}

TEST(NarrowingTest, NothingIsNarrowInF32) {
  EXPECT_EQ(NarrowOnes(Branches() + kResult, CompileSettings()), "");
}

TEST(NarrowingTest, ResultsAndWhatTheyAreMadeOfAreNot) {
  const std::string more = "%s = Result-0(%d) {}\n";
  EXPECT_EQ(NarrowOnes(Branches() + kResult + more, InBf16()), "");
  // A result of one part is no matter of the other.
  const std::string part = "%s = Result-0(%a) {}\n";
  EXPECT_EQ(NarrowOnes(Branches() + kResult + part, InBf16()), "b c d");
}

TEST(NarrowingTest, NormalizationsOfResultsReadF32) {
  const std::string norm =
      "%axes = Constant-0() {value: i64[2] {2, 3}}\n"
      "%n = MVN-6(%b, %axes) {eps: 1e-5, normalize_variance: true, eps_mode: "
      "inside_sqrt}\n%s = Result-0(%n) {}\n";
  EXPECT_EQ(NarrowOnes(Branches() + kResult + norm, InBf16()), "a c d");
}

// A convolution, an instance norm with scale and slope, and another
// convolution.
std::string Normalized(const std::string& axes) {
  return "%x = Parameter-0() {shape: [1,16,6,8], element_type: f32}  # x\n" +
         Weights("%u", "16,16,1,1") + Weights("%w", "8,16,1,1") +
         Weights("%s", "1,16,1,1") + Weights("%l", "1") +
         Convolution("%a", "%x", "%u") +
         "%axes = Constant-0() {value: i64[2] {" + axes +
         "}}\n%n = MVN-6(%a, %axes) {eps: 1e-5, normalize_variance: true, "
         "eps_mode: inside_sqrt}  # n\n"
         "%m = Multiply-1(%n, %s) {}  # m\n%p = PRelu-0(%m, %l) {}  # p\n" +
         Convolution("%e", "%p", "%w");
}

TEST(NarrowingTest, InstanceNormsReadAndWriteIt) {
  EXPECT_EQ(NarrowOnes(Normalized("2, 3") + kResult, InBf16()), "a n m p");
  EXPECT_EQ(NarrowOnes(Normalized("2, -1") + kResult, InBf16()), "a n m p");
  EXPECT_EQ(NarrowOnes(Normalized("1, 2") + kResult, InBf16()), "n m p");
  CompareOptions options;
  options.settings = InBf16();
  for (const std::string axes : {"2, 3", "1, 2"}) {
    const Compared compared = Compare(Normalized(axes) + kResult, options);
    EXPECT_LT(compared.error, 2e-2) << compared.message;
    if (HasBf16()) {
      EXPECT_LE(compared.reorders, axes == "2, 3" ? 2 : 4);
    }
  }
}

// What a layer in bf16 reads is added in the same copy: the input has one, the
// first sum, which a result is made of, another, and the result a third one.
TEST(NarrowingTest, ResidualsAreReadAsTheyAreStored) {
  const std::string model =
      "%x = Parameter-0() {shape: [1,16,6,8], element_type: f32}\n" +
      Weights("%u", "16,16,1,1") + Weights("%v", "16,16,1,1") +
      Weights("%w", "16,16,1,1") + Convolution("%a", "%x", "%u") +
      Convolution("%b", "%a", "%v") + "%s = Add-1(%b, %x) {}\n" +
      Convolution("%c", "%s", "%w") +
      "%e = Add-1(%c, %s) {}\n%r = Result-0(%e) {}\n";
  CompareOptions options;
  options.settings = InBf16();
  const Compared compared = Compare(model, options);
  EXPECT_LT(compared.error, 2e-2) << compared.message;
  if (HasBf16()) {
    EXPECT_LE(compared.reorders, 3);
  }
}

TEST(NarrowingTest, WhatMakesErrorsLargerReadsF32) {
  const std::string exp =
      "%s = Exp-0(%b) {}  # s\n" + Weights("%t", "8,32,1,1") +
      Convolution("%q", "%s", "%t") + "%o = Result-0(%q) {}\n";
  EXPECT_EQ(NarrowOnes(Branches() + kResult + exp, InBf16()), "a c d s");
}

TEST(NarrowingTest, PreciseLayersNeitherReadNorWriteIt) {
  EXPECT_EQ(NarrowOnes(Branches() + kResult, InBf16(), "e"), "");
  EXPECT_EQ(NarrowOnes(Branches() + kResult, InBf16(), "a"), "b c d");
}

// Where the processor has no bf16, steps that know nothing of it read copies.
TEST(NarrowingTest, PlansAgreeWithTheReference) {
  CompareOptions options;
  options.settings = InBf16();
  const Compared compared = Compare(Branches() + kResult, options);
  EXPECT_LT(compared.error, 1e-2) << compared.message;
  // Those of the input and of the result, at most.
  if (HasBf16()) {
    EXPECT_LE(compared.reorders, 2);
  }
}

// Rows of a norm, and those of a product that another one reads transposed.
TEST(NarrowingTest, RowsOfNormsAgreeWithTheReference) {
  CompareOptions options;
  options.settings = InBf16();
  for (const int length : {32, 5000}) {
    const std::string l = std::to_string(length);
    const std::string model =
        "%x = Parameter-0() {shape: [1,48," + l + "], element_type: f32}\n" +
        Weights("%u", "1,1," + l) + Weights("%w", l + ",64") +
        Weights("%v", "48,40") +
        "%axes = Constant-0() {value: i64[1] {2}}\n"
        "%n = MVN-6(%x, %axes) {eps: 1e-5, normalize_variance: true, "
        "eps_mode: inside_sqrt}\n"
        "%m = Multiply-1(%n, %u) {}\n"
        "%p = MatMul-0(%m, %w) {transpose_a: false, transpose_b: false}\n"
        "%q = Sigmoid-0(%p) {}\n"
        "%t = MatMul-0(%q, %v) {transpose_a: true, transpose_b: false}\n"
        "%r = Result-0(%t) {}\n";
    const Compared compared = Compare(model, options);
    EXPECT_LT(compared.error, 2e-2) << compared.message;
  }
}

// A product for each of several constant matrices.
TEST(NarrowingTest, SeveralProductsAgreeWithTheReference) {
  CompareOptions options;
  options.settings = InBf16();
  for (const std::string shape : {"1,40,64", "4,40,64"}) {
    const std::string model =
        "%x = Parameter-0() {shape: [" + shape + "], element_type: f32}\n" +
        Weights("%u", "4,96,64") + Weights("%v", "4,96,64") +
        "%p = MatMul-0(%x, %u) {transpose_a: false, transpose_b: true}\n"
        "%q = Sigmoid-0(%p) {}\n"
        "%t = MatMul-0(%q, %v) {transpose_a: false, transpose_b: false}\n"
        "%r = Result-0(%t) {}\n";
    const Compared compared = Compare(model, options);
    EXPECT_LT(compared.error, 2e-2) << compared.message;
  }
}

// A matrix [rows, columns] of f32 made of bytes with a scale a column.
std::string CompressedWeights(const std::string& id, const std::string& rows,
                              const std::string& columns) {
  return id + "b = Parameter-0() {shape: [" + rows + "," + columns +
         "], element_type: i8}  # constant_bytes " + id + "\n" + id +
         "f = Convert-0(" + id + "b) {destination_type: f32}\n" +
         Weights(id + "s", "1," + columns) + id + " = Multiply-1(" + id +
         "f, " + id + "s) {}\n";
}

// Weights that are unpacked when the plan is made: what is read is written as
// bf16 from the start.
TEST(NarrowingTest, ManyRowsByCompressedWeightsAreNotCopied) {
  MachineModel machine = *InBf16().machine;
  machine.l2.bytes = 1 << 20;
  CompareOptions options;
  options.settings = InBf16();
  options.settings.machine = &machine;
  const std::string model =
      "%x = Parameter-0() {shape: [1,256,32], element_type: f32}\n" +
      CompressedWeights("%u", "32", "64") +
      CompressedWeights("%v", "64", "32") + Weights("%l", "1,1,32") +
      "%axes = Constant-0() {value: i64[1] {2}}\n"
      "%n = MVN-6(%x, %axes) {eps: 1e-5, normalize_variance: true, "
      "eps_mode: inside_sqrt}\n"
      "%m = Multiply-1(%n, %l) {}\n"
      "%p = MatMul-0(%m, %u) {transpose_a: false, transpose_b: false}\n"
      "%q = Relu-0(%p) {}\n"
      "%t = MatMul-0(%q, %v) {transpose_a: false, transpose_b: false}\n"
      "%r = Result-0(%t) {}\n";
  const Compared compared = Compare(model, options);
  EXPECT_LT(compared.error, 2e-2) << compared.message;
  if (HasBf16Products()) {
    EXPECT_EQ(compared.reorders, 0) << compared.steps;
  }
}

}  // namespace
}  // namespace dovetail::cpu
