#include "dovetail/backends/cpu/steps/common/quantized_data.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/core/ops/text/parse.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

// Of %d, which `text` makes of a picture %x of that type and of floats %y.
bool IsOfQuantized(const std::string& text, const std::string& type = "u8") {
  const auto model = ParseModelText(
      absl::StrCat("%x = Parameter-0() {shape: [1,3,4,4], element_type: ", type,
                   "}\n%y = Parameter-0() {shape: [1,3,4,4], ",
                   "element_type: f32}\n%l = Constant-0() {value: f32[] {0}}\n",
                   "%h = Constant-0() {value: f32[] {4}}\n", text,
                   "%r = Result-0(%d) {}\n%s = Result-0(%x) {}\n",
                   "%t = Result-0(%y) {}\n"));
  EXPECT_TRUE(model.ok()) << model.status();
  return model.ok() && cpu::IsOfQuantized(model->results()[0]->input(0));
}

constexpr char kConverted[] = "%f = Convert-0(%x) {destination_type: f32}\n";
constexpr char kNormalized[] =
    "%m = Subtract-1(%f, %h) {}\n%d = Multiply-1(%m, %h) {}\n";

TEST(QuantizedDataTest, WhatQuantizationsGive) {
  EXPECT_TRUE(IsOfQuantized(
      "%d = FakeQuantize-0(%y, %l, %h, %l, %h) {levels: 16}\n"));
  EXPECT_TRUE(IsOfQuantized(absl::StrCat(
      "%q = FakeQuantize-0(%y, %l, %h, %l, %h) {levels: 16}\n",
      "%b = Convert-0(%q) {destination_type: u8}\n",
      "%f = Convert-0(%b) {destination_type: f32}\n", kNormalized)));
  EXPECT_FALSE(IsOfQuantized("%d = Relu-0(%y) {}\n"));
}

// A picture keeps no network from bf16, whatever its type.
TEST(QuantizedDataTest, APictureOfBytesIsNotQuantized) {
  for (const char* type : {"u8", "i8", "f32"}) {
    EXPECT_FALSE(IsOfQuantized(absl::StrCat(kConverted, kNormalized), type))
        << type;
  }
  EXPECT_FALSE(IsOfQuantized(absl::StrCat(
      kConverted, "%o = Constant-0() {value: i64[4] {0, 3, 1, 2}}\n",
      "%d = Transpose-1(%f, %o) {}\n")));
}

// But a network may quantize it.
TEST(QuantizedDataTest, AQuantizedPicture) {
  EXPECT_TRUE(IsOfQuantized(absl::StrCat(
      kConverted, "%d = FakeQuantize-0(%f, %l, %h, %l, %h) {levels: 16}\n")));
}

}  // namespace
}  // namespace dovetail::cpu
