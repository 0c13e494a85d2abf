// Integers of all types at the ends of their ranges, in all pairs, against the
// reference kernels, for all kinds of lanes.
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

const std::vector<TypeCase>& Types() {
  static const auto& types = *new std::vector<TypeCase>{
      {"i8", "-128,-127,-1,0,1,5,127"},
      {"u8", "0,1,2,5,17,254,255"},
      {"i16", "-32768,-32767,-1,0,1,5,32767"},
      {"u16", "0,1,2,5,17,65534,65535"},
      {"i32", "-2147483648,-2147483647,-1,0,1,5,2147483647"},
      {"u32", "0,1,2,5,17,4294967294,4294967295"},
      {"i64",
       "-9223372036854775808,-9223372036854775807,-1,0,1,5,"
       "9223372036854775807"},
      {"u64", "0,1,2,5,17,18446744073709551614,18446744073709551615"},
  };
  return types;
}

// Three vectors of 16 and one element more: every number with every other one.
std::string Constant(const std::string& id, const TypeCase& type,
                     bool is_second, bool has_zero) {
  const std::vector<std::string> numbers = absl::StrSplit(type.numbers, ',');
  std::vector<std::string> all;
  for (size_t i = 0; i < 49; ++i) {
    const std::string& number = numbers[is_second ? i / 7 : i % 7];
    all.push_back(number == "0" && !has_zero ? "3" : number);
  }
  return absl::StrCat(id, " = Constant-0() {value: ", type.name, "[49] {",
                      absl::StrJoin(all, ", "), "}}\n");
}

class IntegersTest : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (!HasClDevice()) GTEST_SKIP() << "no OpenCL device";
  }

  // Each operation, such as "Add-1(%a, %b) {}", as an output of one kernel.
  void Check(const std::vector<std::string>& operations) {
    for (const TypeCase& type : Types()) {
      std::string model = absl::StrCat(
          Constant("%in", type, false, true), Constant("%b", type, true, true),
          Constant("%divisors", type, true, false),
          "%a = Convert-0(%in) {destination_type: ", type.name, "}\n");
      for (size_t i = 0; i < operations.size(); ++i) {
        absl::StrAppend(&model, "%y", i, " = ", operations[i], "\n%r", i,
                        " = Result-0(%y", i, ") {}\n");
      }
      const ComparedPlan compared = ComparePlan(model, GetParam(), 0);
      EXPECT_EQ(compared.message, "") << model;
      EXPECT_EQ(
          compared.kernels,
          absl::StrCat("elementwise_", operations.size() + 1, "_", type.name));
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Lanes, IntegersTest, testing::Values(16, 4, 1));

TEST_P(IntegersTest, Wrap) {
  Check({"Add-1(%a, %b) {}", "Subtract-1(%a, %b) {}", "Multiply-1(%a, %b) {}",
         "SquaredDifference-0(%a, %b) {}", "Power-1(%a, %b) {}",
         "Negative-0(%a) {}", "Abs-0(%a) {}", "PRelu-0(%a, %b) {}"});
}

TEST_P(IntegersTest, Compare) {
  Check({"Maximum-1(%a, %b) {}", "Minimum-1(%a, %b) {}", "Sign-0(%a) {}",
         "Relu-0(%a) {}", "Sigmoid-0(%a) {}", "Floor-0(%a) {}",
         "Equal-1(%a, %b) {}", "NotEqual-1(%a, %b) {}", "Less-1(%a, %b) {}",
         "LessEqual-1(%a, %b) {}", "Greater-1(%a, %b) {}",
         "GreaterEqual-1(%a, %b) {}", "LogicalNot-1(%a) {}",
         "Select-1(%y8, %a, %b) {}", "Select-1(%y6, %y7, %y8) {}",
         "Clamp-0(%a) {min: 1.5, max: 17.9}"});
}

TEST_P(IntegersTest, AreDivided) {
  Check({"Divide-1(%a, %divisors) {}",
         "Divide-1(%a, %divisors) {m_pythondiv: false}",
         "Mod-1(%a, %divisors) {}", "FloorMod-1(%a, %divisors) {}"});
}

TEST_P(IntegersTest, AreBits) {
  Check({"BitwiseAnd-13(%a, %b) {}", "BitwiseOr-13(%a, %b) {}",
         "BitwiseXor-13(%a, %b) {}", "BitwiseNot-13(%a) {}",
         "BitwiseLeftShift-15(%a, %b) {}", "BitwiseRightShift-15(%a, %b) {}"});
}

// Of a divisor that is not known the host says that it is 0.
TEST_P(IntegersTest, OfUnknownDivisorsAreForTheHost) {
  const ComparedPlan compared = ComparePlan(R"(
      %a = Parameter-0() {shape: [9], element_type: i32}
      %p = Parameter-0() {shape: [9], element_type: i32}
      %one = Constant-0() {value: i32[] {1}}
      %b = Add-1(%p, %one) {}
      %y = Divide-1(%a, %b) {}
      %r = Result-0(%y) {}
      )",
                                            GetParam(), 0);
  EXPECT_EQ(compared.message, "");
  EXPECT_EQ(compared.kernels, "elementwise_1_i32, reference_i32");
}

}  // namespace
}  // namespace dovetail::gpu
