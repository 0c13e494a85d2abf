#include "dovetail/backends/cpu/steps/views/reshape.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/testing/compare.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

std::string Parameter(const std::string& id, const std::string& shape,
                      bool constant = false) {
  return absl::StrCat(id, " = Parameter-0() {shape: [", shape,
                      "], element_type: f32}",
                      constant ? absl::StrCat("  # constant", id) : "", "\n");
}

std::string Reshape(const std::string& id, const std::string& of,
                    const std::string& shape) {
  return absl::StrCat(id, "_shape = Constant-0() {value: i64[",
                      1 + std::count(shape.begin(), shape.end(), ','), "] {",
                      shape, "}}\n", id, " = Reshape-1(", of, ", ", id,
                      "_shape) {special_zero: false}\n");
}

std::string Transpose(const std::string& id, const std::string& of,
                      const std::string& order) {
  return absl::StrCat(id, "_order = Constant-0() {value: i64[3] {", order,
                      "}}\n", id, " = Transpose-1(", of, ", ", id,
                      "_order) {}\n");
}

// Tokens become a picture and tokens again, with their numbers side by side.
TEST(ReshapeTest, KeepsNumbersOfAPixelTogether) {
  const Compared compared = Compare(absl::StrCat(
      Parameter("%x", "2,48,32"), Transpose("%t", "%x", "0, 2, 1"),
      Reshape("%image", "%t", "2,32,6,8"), "%a = Relu-0(%image) {}\n",
      Parameter("%s", "1,32,1,1", true), "%m = Multiply-1(%a, %s) {}\n",
      Reshape("%tokens", "%m", "2,32,48"),
      Transpose("%y", "%tokens", "0, 2, 1"), "%r = Result-0(%y) {}\n"));
  EXPECT_LT(compared.error, 1e-6) << compared.message;
  EXPECT_EQ(compared.steps, "Relu+1");
  EXPECT_EQ(compared.reorders, 0);
}

// Blocks of channels, and what has other channels afterwards.
TEST(ReshapeTest, IsRightInEveryLayout) {
  for (const std::string shape :
       {"1,24,30", "1,24,5,2,3", "1,4,6,30", "24,30", "2,12,5,6", "1,720"}) {
    for (const std::string channels : {"3", "24"}) {
      const Compared compared = Compare(absl::StrCat(
          Parameter("%x", absl::StrCat("1,", channels, ",5,6")),
          Parameter("%w", absl::StrCat("24,", channels, ",3,3"), true),
          "%c = Convolution-1(%x, %w) {strides: [1,1], pads_begin: [1,1], ",
          "pads_end: [1,1], dilations: [1,1], auto_pad: explicit}\n",
          Reshape("%y", "%c", shape), "%z = Abs-0(%y) {}\n",
          "%r = Result-0(%z) {}\n"));
      EXPECT_LT(compared.error, 1e-5) << shape << compared.message;
    }
  }
}

}  // namespace
}  // namespace dovetail::cpu
