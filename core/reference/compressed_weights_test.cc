// Weights in types smaller than a byte, in the forms in which files hold them.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/core/ops/text/parse.h"
#include "dovetail/core/reference/evaluate.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

Tensor Make(ElementType type, const Shape& shape,
            const std::vector<double>& values) {
  return Tensor::FromDoubles(type, shape, values).value();
}

// The only result of a model in text form, or the error.
std::string RunText(const std::string& text,
                    const std::vector<Tensor>& inputs) {
  const auto model = ParseModelText(text);
  if (!model.ok()) return model.status().ToString();
  const auto results = EvaluateModel(*model, inputs, {});
  return results.ok() ? (*results)[0].ToString(1000)
                      : results.status().ToString();
}

constexpr const char* kSmallTypes[] = {"u1", "u2",  "u3",  "u4",    "u6",
                                       "i2", "i4",  "nf4", "f4e2m1"};

// Four groups of two weights, each group with a zero point and a scale.
TEST(CompressedWeightsTest, AreConvertedShiftedScaledAndMultiplied) {
  for (const std::string type : kSmallTypes) {
    const std::string text = absl::StrCat(R"(
      %x = Parameter-0() {shape: [1,4], element_type: f32}
      %w = Constant-0() {value: )", type, R"([2,2,2] {1, 0, 1, 1, 0, 1, 0, 0}}
      %c = Convert-0(%w) {destination_type: f32}
      %z = Constant-0() {value: )", type, R"([2,2,1] {0, 1, 1, 0}}
      %d = Convert-0(%z) {destination_type: f32}
      %e = Subtract-1(%c, %d) {}
      %s = Constant-0() {value: f32[2,2,1] {10, 2, 3, 4}}
      %m = Multiply-1(%e, %s) {}
      %p = Constant-0() {value: i64[2] {2, 4}}
      %r = Reshape-1(%m, %p) {special_zero: false}
      %y = MatMul-0(%x, %r) {transpose_a: false, transpose_b: true}
      %o = Result-0(%y) {})");
    // Rows {10, 0, 0, 0} and {-3, 0, 0, 0}.
    EXPECT_EQ(RunText(text, {Make(ElementType::kF32, {1, 4}, {1, 2, 3, 4})}),
              "f32[1,2] {10, -3}")
        << type;
  }
}

TEST(CompressedWeightsTest, RowsOfATableAreGatheredBeforeTheyAreConverted) {
  for (const std::string type : kSmallTypes) {
    const std::string text = absl::StrCat(R"(
      %i = Parameter-0() {shape: [?], element_type: i64}
      %w = Constant-0() {value: )", type, R"([3,3] {1, 0, 1, 0, 1, 0, 0, 0, 1}}
      %a = Constant-0() {value: i64[] {0}}
      %g = Gather-8(%w, %i, %a) {batch_dims: 0}
      %c = Convert-0(%g) {destination_type: f16}
      %s = Constant-0() {value: f16[] {0.5}}
      %m = Multiply-1(%c, %s) {}
      %o = Result-0(%m) {})");
    EXPECT_EQ(RunText(text, {Make(ElementType::kI64, {2}, {2, 0})}),
              "f16[2,3] {0, 0, 0.5, 0.5, 0, 0.5}")
        << type;
    EXPECT_EQ(RunText(text, {Make(ElementType::kI64, {0}, {})}),
              "f16[0,3] {}")
        << type;
  }
}

// What moves elements does not look into them.
TEST(CompressedWeightsTest, AreMovedAsTheyAre) {
  const struct {
    std::string operations;
    std::string want;
  } cases[] = {
      {R"(%o = Constant-0() {value: i64[2] {1, 0}}
          %y = Transpose-1(%w, %o) {})",
       "[3,2] {1, 0, 0, 1, 1, 1}"},
      {R"(%y = Concat-0(%w, %w) {axis: 1})",
       "[2,6] {1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1}"},
      {R"(%a = Constant-0() {value: i64[] {1}}
          %v = Split-1(%w, %a) {num_splits: 3}
          %y = Concat-0(%v:2, %v:0) {axis: 0})",
       "[4,1] {1, 1, 1, 0}"},
      {R"(%b = Constant-0() {value: i64[1] {-1}}
          %e = Constant-0() {value: i64[1] {-4}}
          %s = Constant-0() {value: i64[1] {-1}}
          %a = Constant-0() {value: i64[1] {1}}
          %y = Slice-8(%w, %b, %e, %s, %a) {})",
       "[2,3] {1, 0, 1, 1, 1, 0}"},
      {R"(%b = Constant-0() {value: i64[2] {0, 1}}
          %e = Constant-0() {value: i64[2] {2, 3}}
          %s = Constant-0() {value: i64[2] {1, 1}}
          %y = StridedSlice-1(%w, %b, %e, %s) {begin_mask: [0,0], end_mask: [0,0]})",
       "[2,2] {0, 1, 1, 1}"},
      {R"(%s = Constant-0() {value: i64[2] {3, 2}}
          %y = Reshape-1(%w, %s) {special_zero: false})",
       "[3,2] {1, 0, 1, 0, 1, 1}"},
      {R"(%s = Constant-0() {value: i64[1] {0}}
          %y = Unsqueeze-0(%w, %s) {})",
       "[1,2,3] {1, 0, 1, 0, 1, 1}"},
      {R"(%b = Constant-0() {value: i64[2] {0, 1}}
          %e = Constant-0() {value: i64[2] {1, 0}}
          %y = Pad-12(%w, %b, %e) {pad_mode: constant})",
       "[3,4] {0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0}"},
      {R"(%s = Constant-0() {value: i64[2] {1, 2}}
          %y = Tile-0(%w, %s) {})",
       "[2,6] {1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1}"},
      {R"(%s = Constant-0() {value: i64[3] {2, 2, 3}}
          %y = Broadcast-3(%w, %s) {mode: numpy})",
       "[2,2,3] {1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 1}"},
      {R"(%c = Constant-0() {value: boolean[3] {1, 0, 1}}
          %z = Constant-0() {value: i64[1] {0}}
          %v = Split-1(%w, %n) {num_splits: 2}
          %y = Select-1(%c, %v:0, %v:1) {auto_broadcast: numpy})",
       "[1,3] {1, 1, 1}"},
      {R"(%i = Constant-0() {value: i64[1] {1}}
          %v = Split-1(%w, %n) {num_splits: 2}
          %y = ScatterUpdate-3(%w, %i, %v:0, %n) {})",
       "[2,3] {1, 0, 1, 1, 0, 1}"},
  };
  for (const std::string type : kSmallTypes) {
    for (const auto& c : cases) {
      const std::string text = absl::StrCat(
          "%w = Parameter-0() {shape: [2,3], element_type: ", type,
          "}\n%n = Constant-0() {value: i64[] {0}}\n", c.operations,
          "\n%r = Result-0(%y) {}");
      const Tensor data =
          Make(*ParseElementType(type), {2, 3}, {1, 0, 1, 0, 1, 1});
      EXPECT_EQ(RunText(text, {data}), type + c.want) << c.operations;
    }
  }
}

// HSigmoid has a kernel for floats only: 2/3, 1/3 and 1/2.
TEST(IntegersAsFloatsTest, AreRounded) {
  EXPECT_EQ(RunText(R"(
      %x = Parameter-0() {shape: [3], element_type: i32}
      %y = HSigmoid-5(%x) {}
      %o = Result-0(%y) {})",
                    {Make(ElementType::kI32, {3}, {1, -1, 0})}),
            "i32[3] {1, 0, 0}");
}

}  // namespace
}  // namespace dovetail
