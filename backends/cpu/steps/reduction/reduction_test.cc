#include "dovetail/backends/cpu/steps/reduction/reduction.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/testing/compare.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

constexpr double kTolerance = 2e-5;

std::string Parameter(const std::string& id, const std::string& shape,
                      const std::string& name = "") {
  return absl::StrCat(id, " = Parameter-0() {shape: [", shape,
                      "], element_type: f32}",
                      name.empty() ? "" : "  # " + name, "\n");
}

// Reduces %x.
std::string Reduction(const std::string& type, int count,
                      const std::string& axes, bool keep) {
  return absl::StrCat("%axes = Constant-0() {value: i64[", count, "] {", axes,
                      "}}\n%y = ", type, "(%x, %axes) {keep_dims: ",
                      keep ? "true" : "false", "}\n%r = Result-0(%y) {}\n");
}

const std::pair<int, std::string> kAxes[] = {
    {1, "0"}, {1, "-1"}, {2, "2, 3"}, {2, "1, 3"}, {3, "0, 2, 3"},
    {4, "0, 1, 2, 3"}, {1, "2"}};

TEST(ReductionTest, TypesAndAxes) {
  for (const std::string type :
       {"ReduceSum-1", "ReduceMean-1", "ReduceMax-1", "ReduceMin-1",
        "ReduceProd-1", "ReduceL1-4", "ReduceL2-4"}) {
    for (const auto& [count, axes] : kAxes) {
      const Compared compared =
          Compare(Parameter("%x", "2,3,5,7") +
                  Reduction(type, count, axes, count % 2 == 0));
      EXPECT_LT(compared.error, kTolerance) << type << axes << compared.message;
      EXPECT_EQ(compared.KernelOf(type.substr(0, type.find('-'))), "reduce");
    }
  }
}

TEST(ReductionTest, LongOnesAreDividedAmongThreads) {
  CompareOptions options;
  options.settings.threads = 3;
  for (const std::string type :
       {"ReduceMax-1", "ReduceMean-1", "ReduceL1-4", "ReduceL2-4"}) {
    for (const auto& [count, axes] :
         {std::pair(2, "1, 2"), std::pair(1, "1"), std::pair(1, "2")}) {
      const Compared compared =
          Compare(Parameter("%x", "1,500,160") +
                      Reduction(type, count, axes, /*keep=*/false),
                  options);
      EXPECT_LT(compared.error, kTolerance) << type << axes << compared.message;
    }
  }
}

TEST(ReductionTest, KeepsTheLayoutOfItsData) {
  for (const int channels : {32, 5}) {
    for (const bool keep : {false, true}) {
      for (const std::string type :
           {"ReduceMean-1", "ReduceMax-1", "ReduceL2-4"}) {
        for (const auto& [count, axes] : kAxes) {
          const Compared compared = Compare(
              Parameter("%in", "2,16,6,8") +
              Parameter("%w", absl::StrCat(channels, ",16,1,1"), "constant w") +
              "%x = Convolution-1(%in, %w) {strides: [1,1], dilations: [1,1], "
              "pads_begin: [0,0], pads_end: [0,0], auto_pad: explicit}\n" +
              Reduction(type, count, axes, keep));
          EXPECT_LT(compared.error, kTolerance)
              << type << axes << keep << channels << compared.message;
        }
      }
    }
  }
}

// Dequantizes bytes of that type as %x.
std::string Dequantized(const std::string& shape, const std::string& type) {
  return "%b = Parameter-0() {shape: [" + shape + "], element_type: " + type +
         "}\n%f = Convert-0(%b) {destination_type: f32}\n"
         "%z = Constant-0() {value: f32[] {3.25}}\n"
         "%s = Subtract-1(%f, %z) {}\n"
         "%t = Constant-0() {value: f32[] {0.125}}\n"
         "%x = Multiply-1(%s, %t) {}\n";
}

// What they are dequantized to is never stored.
TEST(ReductionTest, AveragesBytes) {
  for (const std::string type : {"u8", "i8"}) {
    for (const auto& [count, axes] : kAxes) {
      const Compared compared =
          Compare(Dequantized("2,3,5,7", type) +
                  Reduction("ReduceMean-1", count, axes, count % 2 == 0));
      EXPECT_LT(compared.error, kTolerance) << type << axes << compared.message;
      EXPECT_EQ(compared.steps, "ReduceMean");
    }
  }
}

// The reference reads floats, which have to be there then.
TEST(ReductionTest, AverageOfOneNumberRunsTheReference) {
  const Compared compared =
      Compare(Dequantized("", "u8") + Reduction("ReduceMean-1", 0, "", true));
  EXPECT_LT(compared.error, kTolerance) << compared.message;
  EXPECT_EQ(compared.steps, "Convert+2, ReduceMean");
}

TEST(ReductionTest, OthersRunTheReference) {
  const Compared compared = Compare(
      "%x = Parameter-0() {shape: [2,3,5,7], element_type: i64}\n" +
      Reduction("ReduceSum-1", 1, "1", true));
  EXPECT_EQ(compared.error, 0) << compared.message;
}

}  // namespace
}  // namespace dovetail::cpu
