#include "dovetail/backends/auto/model_precision.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/core/ops/text/parse.h"
#include "gtest/gtest.h"

namespace dovetail::automatic {
namespace {

std::string Precision(absl::string_view layers) {
  const auto model = ParseModelText(absl::StrCat(
      "%x = Parameter-0() {shape: [1,2,1,1], element_type: f32}\n", layers));
  return std::string(model.ok() ? PrecisionOf(*model)
                                : model.status().message());
}

TEST(ModelPrecisionTest, IsThatOfMostBytesOfConstants) {
  const auto of_constants = [](absl::string_view a, absl::string_view b) {
    return Precision(absl::StrCat("%a = Constant-0() {value: ", a,
                                  "}\n%b = Constant-0() {value: ", b,
                                  "}\n%o = Result-0(%x) {}"));
  };
  EXPECT_EQ(of_constants("f32[1] {1}", "i64[3] {1, 2, 3}"), "FP32");
  EXPECT_EQ(of_constants("f32[1] {1}", "f16[3] {1, 2, 3}"), "FP16");
  EXPECT_EQ(of_constants("f32[1] {1}", "bf16[3] {1, 2, 3}"), "BF16");
  EXPECT_EQ(of_constants("f32[2] {1, 2}", "f16[3] {1, 2, 3}"), "FP32");
  EXPECT_EQ(of_constants("bf16[2] {1, 2}", "f16[3] {1, 2, 3}"), "FP16");
}

TEST(ModelPrecisionTest, IsFp32WithoutConstants) {
  EXPECT_EQ(Precision("%o = Result-0(%x) {}"), "FP32");
}

TEST(ModelPrecisionTest, IsInt8OfAQuantizedModel) {
  EXPECT_EQ(Precision(R"(
    %l = Constant-0() {value: f32[] {0}}
    %h = Constant-0() {value: f32[] {2}}
    %q = FakeQuantize-0(%x, %l, %h, %l, %h) {levels: 256}
    %o = Result-0(%q) {}
  )"),
            "INT8");
}

TEST(ModelPrecisionTest, IsBinOfBinaryConvolutions) {
  EXPECT_EQ(Precision(R"(
    %w = Constant-0() {value: u1[1,2,1,1] {0,1}}
    %c = BinaryConvolution-1(%x, %w) {strides: [1,1], dilations: [1,1], pads_begin: [0,0], pads_end: [0,0], auto_pad: explicit, mode: xnor-popcount, pad_value: 0}
    %o = Result-0(%c) {}
  )"),
            "BIN");
}

}  // namespace
}  // namespace dovetail::automatic
