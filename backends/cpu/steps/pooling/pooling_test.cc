#include "dovetail/backends/cpu/steps/pooling/pooling.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "dovetail/backends/cpu/testing/compare.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

constexpr double kTolerance = 1e-5;

struct Case {
  std::string shape;
  std::string kernel, strides, begin, end;
};

const std::vector<Case>& Cases() {
  static const auto& cases = *new std::vector<Case>{
      {"1,16,11,12", "[3,3]", "[2,2]", "[1,1]", "[1,1]"},
      {"2,20,11,13", "[3,2]", "[1,2]", "[1,0]", "[0,1]"},
      {"1,3,11,12", "[2,2]", "[2,2]", "[0,0]", "[0,0]"},
      {"1,8,11,12", "[11,12]", "[1,1]", "[0,0]", "[0,0]"},
      {"1,8,30", "[5]", "[3]", "[2]", "[1]"},
      {"1,12,5,6,7", "[3,3,3]", "[2,2,2]", "[1,1,1]", "[1,1,1]"},
  };
  return cases;
}

std::string Attributes(const Case& c, const std::string& rounding,
                       const std::string& auto_pad) {
  return absl::StrCat("kernel: ", c.kernel, ", strides: ", c.strides,
                      ", pads_begin: ", c.begin, ", pads_end: ", c.end,
                      ", rounding_type: ", rounding, ", auto_pad: ", auto_pad);
}

// The pooling of an input, and of what a convolution has laid out; `rest` is
// the pooling of %x to %y.
std::vector<std::string> Models(const Case& c, const std::string& type,
                                const std::string& rest) {
  const std::string parameter =
      absl::StrCat("%x = Parameter-0() {shape: [", c.shape,
                   "], element_type: ", type, "}\n");
  std::vector<std::string> models = {
      absl::StrCat(parameter, rest, "%r = Result-0(%y) {}\n")};
  if (absl::StartsWith(c.shape, "1,16,")) {
    models.push_back(absl::StrCat(
        absl::StrReplaceAll(parameter, {{"%x", "%p"}}),
        "%w = Parameter-0() {shape: [24,16,1,1], element_type: f32}"
        "  # constant weights\n"
        "%x = Convolution-1(%p, %w) {strides: [1,1], dilations: [1,1], "
        "pads_begin: [0,0], pads_end: [0,0], auto_pad: explicit}\n",
        rest, "%r = Result-0(%y) {}\n"));
  }
  return models;
}

void ExpectRight(const std::string& model, const std::string& type) {
  const Compared compared = Compare(model);
  EXPECT_LT(compared.error, kTolerance) << model << compared.message;
  EXPECT_FALSE(absl::StartsWith(compared.KernelOf(type), "reference")) << model;
}

TEST(PoolingTest, TakesMaxima) {
  for (const Case& c : Cases()) {
    for (const std::string rounding : {"floor", "ceil"}) {
      for (const std::string pad : {"explicit", "same_upper", "valid"}) {
        const std::string rest = absl::StrCat(
            "%y = MaxPool-1(%x) {", Attributes(c, rounding, pad), "}\n");
        for (const std::string& model : Models(c, "f32", rest)) {
          ExpectRight(model, "MaxPool");
        }
      }
    }
  }
}

TEST(PoolingTest, TakesMaximaOfBytes) {
  for (const std::string type : {"u8", "i8"}) {
    for (const Case& c : Cases()) {
      if (absl::StartsWith(c.shape, "1,16,")) continue;
      const std::string rest = absl::StrCat(
          "%y = MaxPool-1(%x) {", Attributes(c, "floor", "explicit"), "}\n");
      for (const std::string& model : Models(c, type, rest)) {
        const Compared compared = Compare(model);
        EXPECT_EQ(compared.error, 0) << model << compared.message;
      }
    }
  }
}

// Behind a convolution whose results are quantized, where they lie.
TEST(PoolingTest, TakesMaximaOfQuantizedResults) {
  const Case c = {"1,16,11,12", "[3,3]", "[2,2]", "[1,1]", "[1,1]"};
  const std::string model = absl::StrCat(
      "%p = Parameter-0() {shape: [1,16,11,12], element_type: f32}\n"
      "%w = Parameter-0() {shape: [24,16,1,1], element_type: f32}"
      "  # constant weights\n"
      "%c = Convolution-1(%p, %w) {strides: [1,1], dilations: [1,1], "
      "pads_begin: [0,0], pads_end: [0,0], auto_pad: explicit}\n"
      "%a = Constant-0() {value: f32[] {-1}}\n"
      "%b = Constant-0() {value: f32[] {1}}\n"
      "%x = FakeQuantize-0(%c, %a, %b, %a, %b) {levels: 256}\n"
      "%y = MaxPool-1(%x) {",
      Attributes(c, "floor", "explicit"), "}\n%r = Result-0(%y) {}\n");
  ExpectRight(model, "MaxPool");
}

TEST(PoolingTest, TakesMeans) {
  for (const Case& c : Cases()) {
    for (const std::string rounding : {"floor", "ceil", "ceil_torch"}) {
      for (const std::string exclude : {"true", "false"}) {
        const std::string rest =
            absl::StrCat("%y = AvgPool-14(%x) {exclude-pad: ", exclude, ", ",
                         Attributes(c, rounding, "explicit"), "}\n");
        for (const std::string& model : Models(c, "f32", rest)) {
          const Compared compared = Compare(model);
          EXPECT_LT(compared.error, kTolerance) << model << compared.message;
        }
      }
    }
  }
}

TEST(PoolingTest, KeepsBlocks) {
  const Case c = {"1,16,11,12", "[3,3]", "[2,2]", "[1,1]", "[1,1]"};
  const std::string rest = absl::StrCat(
      "%y = MaxPool-1(%x) {", Attributes(c, "ceil", "explicit"), "}\n");
  const Compared compared = Compare(Models(c, "f32", rest)[1]);
  EXPECT_LT(compared.error, kTolerance) << compared.message;
  EXPECT_LE(compared.reorders, 2);
}

// Of one size, and of several.
TEST(PoolingTest, AdaptsToExtents) {
  const std::pair<std::string, std::string> cases[] = {
      {"1,16,8,12", "1, 1"},  {"1,16,8,12", "4, 4"}, {"1,16,8,12", "2, 5"},
      {"2,20,11,13", "3, 5"}, {"1,3,60,7", "60, 2"}, {"2,5,40", "6"},
      {"1,3,5,6,7", "2, 6, 3"}};
  for (const auto& [shape, extents] : cases) {
    const auto rank = std::count(extents.begin(), extents.end(), ',') + 1;
    for (const std::string type : {"AdaptiveAvgPool", "AdaptiveMaxPool"}) {
      const std::string rest = absl::StrCat(
          "%n = Constant-0() {value: i64[", rank, "] {", extents,
          "}}\n%y = ", type, "-8(%x, %n) {}\n");
      for (const std::string& model : Models({shape}, "f32", rest)) {
        ExpectRight(model, type);
      }
    }
  }
}

}  // namespace
}  // namespace dovetail::cpu
