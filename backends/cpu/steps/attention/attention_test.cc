#include "dovetail/backends/cpu/steps/attention/attention.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/testing/compare.h"
#include "dovetail/testing/graphs/attention_model.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

constexpr double kTolerance = 2e-5;

TEST(AttentionTest, AgreesWithTheReference) {
  const std::vector<AttentionCase> cases = {
      {"2,3,20,16", "2,3,30,16", "2,3,30,8"},
      {"2,3,20,16", "2,3,30,16", "2,3,30,32", "", "", true},
      {"1,4,1,64", "1,4,70,64", "1,4,70,64"},
      {"1,4,5,64", "1,2,1,70,64", "1,2,1,70,64"},
      {"2,8,100,16", "2,1,100,16", "1,1,100,16"},
      {"2,3,20,16", "2,3,30,16", "2,3,30,8", ParameterLine("%m", "20,30"),
       ", %m"},
      {"2,3,20,16", "2,3,30,16", "2,3,30,8", ParameterLine("%m", "2,1,1,30"),
       ", %m"},
      {"2,3,20,16", "2,3,30,16", "2,3,30,8", ParameterLine("%m", "3,20,1"),
       ", %m"},
      {"2,3,20,16", "2,3,30,16", "2,3,30,8", ParameterLine("%m", ""), ", %m"},
      {"2,3,20,16", "2,3,30,16", "2,3,30,8",
       ParameterLine("%m", "20,30") + ParameterLine("%s", "1"), ", %m, %s"},
      {"2,3,20,16", "2,3,30,16", "2,3,30,8",
       ParameterLine("%m", "20,30") + ParameterLine("%s", "") +
           ParameterLine("%t", "1,3,1,1"),
       ", %m, %s, %t"},
  };
  CompareOptions options;
  for (const AttentionCase& c : cases) {
    for (const int threads : {1, 3}) {
      options.settings.threads = threads;
      const std::string model = AttentionModel(c);
      const Compared compared = Compare(model, options);
      EXPECT_LT(compared.error, kTolerance) << model << compared.message;
      EXPECT_EQ(compared.KernelOf("ScaledDotProductAttention"),
                "attention_f32");
    }
  }
}

// A constant order of axes, made of what is known of a shape.
std::string Transpose(const std::string& id, const std::string& of) {
  return absl::StrCat(id, " = Transpose-1(", of, ", %order) {}\n");
}

constexpr char kOrder[] =
    "%order = Constant-0() {value: i64[4] {0, 2, 1, 3}}\n";

TEST(AttentionTest, ReadsAndWritesThroughTranspositions) {
  for (const int queries : {1, 20}) {
    const std::string model = absl::StrCat(
        ParameterLine("%a", absl::StrCat("2,", queries, ",3,16")),
        ParameterLine("%b", "2,30,3,16"), ParameterLine("%c", "2,30,3,32"),
        kOrder, Transpose("%q", "%a"), Transpose("%k", "%b"),
        Transpose("%v", "%c"),
        "%o = ScaledDotProductAttention-13(%q, %k, %v) {causal: false}\n",
        Transpose("%y", "%o"), "%r = Result-0(%y) {}\n");
    const Compared compared = Compare(model);
    EXPECT_LT(compared.error, kTolerance) << model << compared.message;
    EXPECT_EQ(compared.steps, "ScaledDotProductAttention+1") << model;
  }
}

// Queries, keys and values lie beside each other, as one product gives them.
TEST(AttentionTest, ReadsPartsOfOneTensor) {
  const std::string rest =
      "%o = ScaledDotProductAttention-13(%q, %k, %v) {causal: false}\n"
      "%r = Result-0(%o) {}\n";
  const std::string gathered =
      absl::StrCat(ParameterLine("%a", "2,20,96"),
                   "%s = Constant-0() {value: i64[5] {2, 20, 3, 2, 16}}\n"
                   "%b = Reshape-1(%a, %s) {special_zero: false}\n"
                   "%order = Constant-0() {value: i64[5] {2, 0, 3, 1, 4}}\n",
                   Transpose("%t", "%b"),
                   "%zero = Constant-0() {value: i64[] {0}}\n"
                   "%one = Constant-0() {value: i64[] {1}}\n"
                   "%two = Constant-0() {value: i64[] {2}}\n"
                   "%q = Gather-8(%t, %zero, %zero) {batch_dims: 0}\n"
                   "%k = Gather-8(%t, %one, %zero) {batch_dims: 0}\n"
                   "%v = Gather-8(%t, %two, %zero) {batch_dims: 0}\n",
                   rest);
  const std::string split =
      absl::StrCat(ParameterLine("%a", "20,96"),
                   "%axis = Constant-0() {value: i64[] {1}}\n"
                   "%b = Split-1(%a, %axis) {num_splits: 3}\n"
                   "%s = Constant-0() {value: i64[4] {1, 20, 2, 16}}\n"
                   "%e = Reshape-1(%b, %s) {special_zero: false}\n"
                   "%f = Reshape-1(%b:1, %s) {special_zero: false}\n"
                   "%g = Reshape-1(%b:2, %s) {special_zero: false}\n",
                   kOrder, Transpose("%q", "%e"), Transpose("%k", "%f"),
                   Transpose("%v", "%g"), rest);
  for (const std::string& model : {gathered, split}) {
    const Compared compared = Compare(model);
    EXPECT_LT(compared.error, kTolerance) << model << compared.message;
    EXPECT_EQ(compared.steps, "ScaledDotProductAttention") << model;
  }
}

// Queries are a Transpose of "%a" that a Reshape merges axes of.
std::string MergedQueries(const std::string& a, const std::string& k,
                          const std::string& v, const std::string& merged) {
  return absl::StrCat(
      ParameterLine("%a", a), ParameterLine("%k", k), ParameterLine("%v", v),
      "%order = Constant-0() {value: i64[4] {1, 0, 2, 3}}\n",
      Transpose("%t", "%a"), "%s = Constant-0() {value: i64[3] {", merged,
      "}}\n"
      "%q = Reshape-1(%t, %s) {special_zero: false}\n"
      "%o = ScaledDotProductAttention-13(%q, %k, %v) {causal: false}\n"
      "%r = Result-0(%o) {}\n");
}

// Heads that lie apart have no one distance when they are an axis with others.
TEST(AttentionTest, ReadsHeadsThatLieApart) {
  const std::string model =
      MergedQueries("4,3,20,16", "12,30,16", "12,30,32", "12, 20, 16");
  const Compared compared = Compare(model);
  EXPECT_LT(compared.error, kTolerance) << model << compared.message;
  EXPECT_EQ(compared.steps, "ScaledDotProductAttention") << model;
}

// Rows that lie apart have no one distance either.
TEST(AttentionTest, CopiesRowsThatHaveNoStride) {
  const std::string model =
      MergedQueries("4,20,3,16", "20,30,16", "20,30,32", "20, 12, 16");
  const Compared compared = Compare(model);
  EXPECT_LT(compared.error, kTolerance) << model << compared.message;
  EXPECT_EQ(compared.steps, "Transpose, ScaledDotProductAttention") << model;
}

// Several heads of queries share one of keys and values, which a Broadcast
// repeats; others read the keys, too.
TEST(AttentionTest, ReadsHeadsThatAreRepeated) {
  for (const char* mode : {"numpy", "bidirectional"}) {
    for (const int queries : {1, 9}) {
      const std::string model = absl::StrCat(
          ParameterLine("%q", absl::StrCat("2,6,", queries, ",16")),
          ParameterLine("%a", "2,2,30,16"), ParameterLine("%b", "2,2,30,8"),
          "%two = Constant-0() {value: i64[] {2}}\n"
          "%c = Sin-0(%a) {}\n"
          "%e = Unsqueeze-0(%c, %two) {}\n"
          "%f = Unsqueeze-0(%b, %two) {}\n"
          "%g = Constant-0() {value: i64[5] {2, 2, 3, 30, 16}}\n"
          "%h = Constant-0() {value: i64[5] {2, 2, 3, 30, 8}}\n"
          "%i = Broadcast-3(%e, %g) {mode: ",
          mode,
          "}\n"
          "%j = Broadcast-3(%f, %h) {mode: ",
          mode,
          "}\n"
          "%s = Constant-0() {value: i64[4] {2, 6, 30, -1}}\n"
          "%k = Reshape-1(%i, %s) {special_zero: false}\n"
          "%v = Reshape-1(%j, %s) {special_zero: false}\n"
          "%o = ScaledDotProductAttention-13(%q, %k, %v) {causal: false}\n"
          "%r = Result-0(%o) {}\n"
          "%keys = Result-0(%c) {}\n");
      const Compared compared = Compare(model);
      EXPECT_LT(compared.error, kTolerance) << model << compared.message;
      EXPECT_EQ(compared.steps, "Sin, ScaledDotProductAttention") << model;
    }
  }
}

// x * cos + (-b, a) * sin of what "%x" is made of "%a".
std::string Rotary(const std::string& x, int extent) {
  const std::string half = absl::StrCat(extent / 2);
  return absl::StrCat(
      x, "%h = Constant-0() {value: i64[1] {", half, "}}\n",
      "%e = Constant-0() {value: i64[1] {9223372036854775807}}\n"
      "%one = Constant-0() {value: i64[1] {1}}\n"
      "%zero = Constant-0() {value: i64[1] {0}}\n"
      "%last = Constant-0() {value: i64[1] {3}}\n"
      "%minus = Constant-0() {value: f32[] {-1}}\n"
      "%p = Multiply-1(%x, %cos) {}\n"
      "%b = Slice-8(%x, %h, %e, %one, %last) {}\n"
      "%n = Multiply-1(%b, %minus) {}\n"
      "%f = Slice-8(%x, %zero, %h, %one, %last) {}\n"
      "%t = Concat-0(%n, %f) {axis: -1}\n"
      "%u = Multiply-1(%t, %sin) {}\n"
      "%y = Add-1(%p, %u) {}\n%r = Result-0(%y) {}\n");
}

TEST(RotaryTest, IsOneStepThatReadsThroughATransposition) {
  for (const int extent : {6, 64}) {
    for (const int steps : {1, 37}) {
      const std::string angles = absl::StrCat("1,1,", steps, ",", extent);
      const std::string model = absl::StrCat(
          ParameterLine("%a", absl::StrCat("2,", steps, ",3,", extent)),
          ParameterLine("%cos", angles), ParameterLine("%sin", angles), kOrder,
          Rotary(Transpose("%x", "%a"), extent));
      const Compared compared = Compare(model);
      EXPECT_LT(compared.error, kTolerance) << model << compared.message;
      EXPECT_EQ(compared.KernelOf("Add"), "rotary_f32") << model;
      EXPECT_EQ(compared.steps, "Add+6") << model;
    }
  }
}

TEST(RotaryTest, ReadsWhatIsNoTranspositionToo) {
  const std::string model =
      absl::StrCat(ParameterLine("%a", "2,3,5,8"), ParameterLine("%cos", "5,8"),
                   ParameterLine("%sin", "2,1,5,8"),
                   Rotary("%x = Softmax-8(%a) {axis: 1}\n", 8));
  const Compared compared = Compare(model);
  EXPECT_LT(compared.error, kTolerance) << model << compared.message;
  EXPECT_EQ(compared.steps, "Softmax, Add+6");
}

TEST(AttentionTest, LeavesTranspositionsThatOthersRead) {
  const std::string model = absl::StrCat(
      ParameterLine("%q", "2,3,20,16"), ParameterLine("%b", "2,30,3,16"),
      ParameterLine("%v", "2,3,30,32"), kOrder, Transpose("%k", "%b"),
      "%o = ScaledDotProductAttention-13(%q, %k, %v) {causal: false}\n",
      Transpose("%y", "%o"), "%r = Result-0(%y) {}\n%s = Result-0(%o) {}\n",
      "%t = Result-0(%k) {}\n");
  const Compared compared = Compare(model);
  EXPECT_LT(compared.error, kTolerance) << model << compared.message;
  EXPECT_EQ(compared.steps, "Transpose, ScaledDotProductAttention, Transpose");
}

}  // namespace
}  // namespace dovetail::cpu
