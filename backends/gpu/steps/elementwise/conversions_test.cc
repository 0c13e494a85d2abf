// Conversions between all types against the reference kernels, for all kinds of
// lanes.
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "dovetail/backends/gpu/testing/compare_plans.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

struct TypeCase {
  std::string name;
  std::string numbers;
};

// Around the ends of the ranges of integers, where floats have such numbers.
// None is denormal, as those count as zeros.
constexpr char kFloats[] =
    "nan, inf, -inf, -0, 1.5, -1.5, 127.9, 128, -129, 255.5, 300, 65504, 7e4, "
    "2147483520, 2147483648, -2147483648, -2147483904, 4294967296, 5e9, -5e9, "
    "9.2233715e18, 9.223372e18, -9.223372e18, -9.3e18, 1e19, 1.8446743e19, "
    "1.8446744e19, 2e19, 1e30, -1e30, 1e-37, 0.5, -0.5, 3e-5, 1024.5";
constexpr char kHalves[] =
    "nan, inf, -inf, -0, 1.5, -1.5, 127.9, 128, -129, 255.5, 300, 65504, "
    "-65504, 6e-8, 0.1, 0.2, -300";

const std::vector<TypeCase>& Types() {
  static const auto& types = *new std::vector<TypeCase>{
      {"f32", kFloats},
      {"f16", kHalves},
      {"bf16", kHalves},
      {"boolean", "1, 0, 0"},
      {"i8", "-128, -1, 0, 1, 127"},
      {"u8", "0, 1, 128, 255"},
      {"i16", "-32768, -129, -1, 0, 1, 300, 32767"},
      {"u16", "0, 1, 300, 32768, 65535"},
      {"i32", "-2147483648, -70000, -1, 0, 1, 16777217, 2147483647"},
      {"u32", "0, 1, 70000, 16777217, 2147483648, 4294967295"},
      {"i64",
       "-9223372036854775808, -1, 0, 1, 4294967301, "
       "9223372036854775807"},
      {"u64", "0, 1, 4294967301, 9223372036854775808, 18446744073709551615"},
  };
  return types;
}

// Two vectors of 16 and a few elements more.
std::string Constant(const TypeCase& type) {
  const std::vector<std::string> numbers = absl::StrSplit(type.numbers, ", ");
  std::vector<std::string> all;
  for (size_t i = 0; i < 35; ++i) all.push_back(numbers[i % numbers.size()]);
  return absl::StrCat("%in = Constant-0() {value: ", type.name, "[35] {",
                      absl::StrJoin(all, ", "), "}}\n");
}

class ConversionsTest : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (!HasClDevice()) GTEST_SKIP() << "no OpenCL device";
  }
};
INSTANTIATE_TEST_SUITE_P(Lanes, ConversionsTest, testing::Values(16, 4, 1));

TEST_P(ConversionsTest, AreThoseOfTheReference) {
  for (const TypeCase& from : Types()) {
    // Kernels read half precision from memory only, so each conversion is one.
    const bool is_half = from.name == "f16" || from.name == "bf16";
    std::string model = absl::StrCat(
        Constant(from), "%x = Convert-0(%in) {destination_type: ", from.name,
        "}\n");
    std::vector<std::string> kernels = {
        is_half
            ? absl::StrCat("elementwise_1_", from.name)
            : absl::StrCat("elementwise_", Types().size() + 1, "_", from.name)};
    for (const TypeCase& to : Types()) {
      absl::StrAppend(&model, "%y", to.name,
                      " = Convert-0(%x) {destination_type: ", to.name, "}\n%r",
                      to.name, " = Result-0(%y", to.name, ") {}\n");
      if (is_half) kernels.push_back(absl::StrCat("elementwise_1_", to.name));
    }
    const ComparedPlan compared = ComparePlan(model, GetParam(), 0);
    EXPECT_EQ(compared.message, "") << from.name;
    EXPECT_EQ(compared.kernels, absl::StrJoin(kernels, ", "));
  }
}

// Half precision is rounded in memory, so another kernel reads it.
TEST_P(ConversionsTest, RoundHalves) {
  const ComparedPlan compared = ComparePlan(R"(
      %x = Parameter-0() {shape: [5,9], element_type: f16}
      %1 = Convert-0(%x) {destination_type: f32}
      %2 = Multiply-1(%1, %1) {}
      %3 = Convert-0(%2) {destination_type: f16}
      %4 = Convert-0(%3) {destination_type: f32}
      %5 = ConvertLike-1(%4, %x) {}
      %r = Result-0(%4) {}
      %s = Result-0(%5) {}
      )",
                                            GetParam(), 0);
  EXPECT_EQ(compared.message, "");
  EXPECT_EQ(compared.kernels, "elementwise_3_f32, elementwise_2_f32");
}

}  // namespace
}  // namespace dovetail::gpu
