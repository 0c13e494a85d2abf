#include "dovetail/transformations/simplify/nop_elimination.h"

#include "absl/strings/str_cat.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

// x of that type and shape, a Relu, `lines` that make %y of it, and a Relu.
std::string Around(absl::string_view lines, absl::string_view type = "f32",
                   absl::string_view shape = "[2,3]") {
  return absl::StrCat("%x = Parameter-0() {shape: ", shape,
                      ", element_type: ", type, "}\n%a = Abs-0(%x) {}\n",
                      lines, "\n%z = Abs-0(%y) {}\n%r = Result-0(%z) {}");
}

// The pass makes `lines` the same as nothing.
void ExpectGone(absl::string_view lines, absl::string_view type = "f32",
                absl::string_view shape = "[2,3]") {
  SCOPED_TRACE(std::string(lines));
  Model model = ParseOrFail(Around(lines, type, shape));
  const auto original = model.Clone();
  const auto changed = NopElimination().Run(model);
  ASSERT_TRUE(changed.ok()) << changed.status();
  EXPECT_TRUE(*changed);
  model.RemoveUnused();
  EXPECT_EQ(model.node_count(), 4u) << model.ToString();
  EXPECT_TRUE(model.Verify().ok());
  ExpectSameResults(*original, model, 0);
}

void ExpectKept(absl::string_view lines, absl::string_view type = "f32",
                absl::string_view shape = "[2,3]") {
  SCOPED_TRACE(std::string(lines));
  NopElimination pass;
  RunAndExpectNoChange(pass, Around(lines, type, shape));
}

TEST(NopEliminationTest, Converts) {
  ExpectGone("%y = Convert-0(%a) {destination_type: f32}");
  ExpectKept("%y = Convert-0(%a) {destination_type: f16}");
}

TEST(NopEliminationTest, Views) {
  ExpectGone(R"(
    %s = Constant-0() {value: i64[2] {2, 3}}
    %y = Reshape-1(%a, %s) {special_zero: false})");
  ExpectGone(R"(
    %s = Constant-0() {value: i64[2] {3, 2}}
    %b = Reshape-1(%a, %s) {special_zero: false}
    %t = Constant-0() {value: i64[2] {2, -1}}
    %y = Reshape-1(%b, %t) {special_zero: false})");
  ExpectGone(R"(
    %s = Constant-0() {value: i64[1] {1}}
    %b = Unsqueeze-0(%a, %s) {}
    %y = Squeeze-0(%b, %s) {})");
  ExpectKept(R"(
    %s = Constant-0() {value: i64[2] {3, 2}}
    %y = Reshape-1(%a, %s) {special_zero: false})");
  ExpectKept(R"(
    %s = Constant-0() {value: i64[2] {2, -1}}
    %y = Reshape-1(%a, %s) {special_zero: false})",
             "f32", "[?,3]");
}

TEST(NopEliminationTest, Transposes) {
  ExpectGone(R"(
    %s = Constant-0() {value: i64[2] {0, 1}}
    %y = Transpose-1(%a, %s) {})");
  ExpectGone(R"(
    %s = Constant-0() {value: i64[3] {1, 2, 0}}
    %t = Constant-0() {value: i64[3] {2, 0, 1}}
    %b = Transpose-1(%a, %s) {}
    %y = Transpose-1(%b, %t) {})",
             "f32", "[2,3,4]");
  ExpectGone(R"(
    %s = Constant-0() {value: i64[0] {}}
    %b = Transpose-1(%a, %s) {}
    %y = Transpose-1(%b, %s) {})");
  ExpectKept(R"(
    %s = Constant-0() {value: i64[3] {1, 2, 0}}
    %b = Transpose-1(%a, %s) {}
    %y = Transpose-1(%b, %s) {})",
             "f32", "[3,3,3]");
  ExpectKept(R"(
    %s = Constant-0() {value: i64[0] {}}
    %y = Transpose-1(%a, %s) {})",
             "f32", "[2,2]");
}

TEST(NopEliminationTest, Pads) {
  const auto pad = [](absl::string_view end) {
    return absl::StrCat("%b = Constant-0() {value: i64[2] {0, 0}}\n",
                        "%e = Constant-0() {value: i64[2] ", end, "}\n",
                        "%y = Pad-1(%a, %b, %e) {pad_mode: edge}");
  };
  ExpectGone(pad("{0, 0}"));
  ExpectKept(pad("{0, 1}"));
}

TEST(NopEliminationTest, Slices) {
  const auto slice = [](absl::string_view stop, absl::string_view step) {
    return absl::StrCat("%b = Constant-0() {value: i64[1] {",
                        step == "-1" ? "-1" : "0", "}}\n",
                        "%e = Constant-0() {value: i64[1] {", stop, "}}\n",
                        "%s = Constant-0() {value: i64[1] {", step, "}}\n",
                        "%y = Slice-8(%a, %b, %e, %s) {}");
  };
  ExpectGone(slice("2", "1"));
  ExpectGone(slice("100", "1"));
  ExpectKept(slice("1", "1"));
  ExpectKept(slice("-100", "-1"));
}

TEST(NopEliminationTest, SinglesOfMany) {
  ExpectGone("%y = Concat-0(%a) {axis: 1}");
  ExpectGone(R"(
    %s = Constant-0() {value: i64[] {1}}
    %y = Split-1(%a, %s) {num_splits: 1})");
  ExpectKept("%y = Concat-0(%a, %a) {axis: 1}");
}

TEST(NopEliminationTest, NeutralNumbers) {
  const auto with = [](absl::string_view op, absl::string_view constant) {
    return absl::StrCat("%c = Constant-0() {value: ", constant, "}\n%y = ", op,
                        " {}");
  };
  ExpectGone(with("Multiply-1(%a, %c)", "f32[] {1}"));
  ExpectGone(with("Multiply-1(%c, %a)", "f32[3] {1, 1, 1}"));
  ExpectGone(with("Divide-1(%a, %c)", "f32[1] {1}"));
  ExpectGone(with("Subtract-1(%a, %c)", "f32[1] {0}"));
  ExpectGone(with("Add-1(%a, %c)", "f32[1] {-0}"));
  ExpectGone(with("Add-1(%a, %c)", "i32[1] {0}"), "i32");
  ExpectKept(with("Add-1(%a, %c)", "f32[1] {0}"));
  ExpectKept(with("Multiply-1(%a, %c)", "f32[3] {1, 1, 2}"));
  ExpectKept(with("Subtract-1(%c, %a)", "f32[1] {0}"));
  ExpectKept(with("Divide-1(%c, %a)", "f32[1] {1}"));
  // These widen x.
  ExpectKept(with("Multiply-1(%a, %c)", "f32[1,1,1] {1}"));
  ExpectKept(with("Multiply-1(%a, %c)", "f32[2] {1, 1}"), "f32", "[3,1]");
}

TEST(NopEliminationTest, OutputsKeepTheirNames) {
  NopElimination pass;
  // The input would go by the output's name.
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [2], element_type: f32} : f32[2] "in"
    %y = Convert-0(%x) {destination_type: f32} : f32[2] "out"
    %r = Result-0(%y) {})");
  // Two outputs would go by one name.
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %a = Relu-0(%x) {} : f32[2] "relu"
    %y = Convert-0(%a) {destination_type: f32} : f32[2] "out"
    %q = Result-0(%a) {}
    %r = Result-0(%y) {})");
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [2], element_type: f32}  # x
    %a = Relu-0(%x) {}  # relu
    %y = Convert-0(%a) {destination_type: f32} : f32[2] "out"  # y
    %r = Result-0(%y) {}  # r)",
                R"(
    %x = Parameter-0() {shape: [2], element_type: f32}  # x
    %a = Relu-0(%x) {} : f32[2] "out"  # relu
    %r = Result-0(%a) {}  # r)");
}

TEST(NopEliminationTest, NamelessOutputsAreFoundByTheOldNodeName) {
  Model model = ParseOrFail(R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %a = Relu-0(%x) {}  # relu
    %y = Convert-0(%a) {destination_type: f32}  # last
    %r = Result-0(%y) {})");
  ASSERT_TRUE(NopElimination().Run(model).value());
  EXPECT_EQ(model.OutputName(0), "last");
}

}  // namespace
}  // namespace dovetail
