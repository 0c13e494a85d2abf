#include "dovetail/backends/gpu/steps/elementwise/elementwise.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/gpu/testing/compare_plans.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

std::string Parameter(const std::string& id, const std::string& shape,
                      const std::string& type = "f32") {
  return absl::StrCat(id, " = Parameter-0() {shape: [", shape,
                      "], element_type: ", type, "}\n");
}

// Elements of a work item.
class ElementwiseTest : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (!HasClDevice()) GTEST_SKIP() << "no OpenCL device";
  }

  // Of a model whose result is %y.
  std::string Kernels(const std::string& model) const {
    return KernelsIfRight(model + "%r = Result-0(%y) {}\n", GetParam());
  }

  // Each operation on %x as an output of one kernel.
  void CheckAll(const std::string& input,
                const std::vector<std::string>& operations,
                const std::string& type) {
    std::string model = input;
    for (size_t i = 0; i < operations.size(); ++i) {
      absl::StrAppend(&model, "%y", i, " = ", operations[i], "\n%r", i,
                      " = Result-0(%y", i, ") {}\n");
    }
    const ComparedPlan compared = ComparePlan(model, GetParam());
    EXPECT_EQ(compared.message, "") << model;
    EXPECT_EQ(compared.kernels,
              absl::StrCat("elementwise_", operations.size() + 1, "_", type));
  }
};
INSTANTIATE_TEST_SUITE_P(Lanes, ElementwiseTest, testing::Values(16, 4, 1));

// ---- Functions ----

// Two vectors of 16 and a few elements more.
constexpr char kEnds[] =
    "%in = Constant-0() {value: f32[35] {nan, inf, -inf, 0, -0, 1, -1, 0.5, "
    "-0.5, 1.5, -2.5, 1e-30, -1e-30, 1e-5, 3, -3, 4.2, -4.2, 6, -6, 9, -9, "
    "13.5, -13.5, 20, -20, 0.99999, -0.99999, 0.999, -0.9, 2, -2, 80, -80, "
    "0.25}}\n%x = Convert-0(%in) {destination_type: f32}\n";

TEST_P(ElementwiseTest, Activations) {
  CheckAll(
      absl::StrCat(kEnds,
                   "%alpha = Constant-0() {value: f32[1] {0.3}}\n"
                   "%beta = Constant-0() {value: f32[] {0.45}}\n"
                   "%slope = Constant-0() {value: f32[1] {0.1}}\n"),
      {"Elu-0(%x) {alpha: 0.7}", "Erf-0(%x) {}", "Gelu-7(%x) {}",
       "HSigmoid-5(%x) {}", "HardSigmoid-0(%x, %beta, %alpha) {}",
       "PRelu-0(%x, %slope) {}", "Relu-0(%x) {}",
       "Selu-0(%x, %alpha, %beta) {}", "Sigmoid-0(%x) {}", "SoftPlus-4(%x) {}",
       "Swish-4(%x) {}", "Swish-4(%x, %beta) {}", "Tanh-0(%x) {}"},
      "f32");
}

TEST_P(ElementwiseTest, Functions) {
  CheckAll(
      kEnds,
      {"Abs-0(%x) {}", "Asin-0(%x) {}", "Atan-0(%x) {}", "Ceiling-0(%x) {}",
       "Cos-0(%x) {}", "ErfInv-17(%x) {}", "Floor-0(%x) {}", "Log-0(%x) {}",
       "Negative-0(%x) {}", "Round-5(%x) {mode: half_to_even}",
       "Round-5(%x) {mode: half_away_from_zero}", "Sign-0(%x) {}",
       "Sin-0(%x) {}", "Sqrt-0(%x) {}", "Tan-0(%x) {}",
       "Clamp-0(%x) {min: -1, max: 2}"},
      "f32");
}

TEST_P(ElementwiseTest, Predicates) {
  CheckAll(
      kEnds,
      {"IsFinite-10(%x) {}", "IsInf-10(%x) {}", "IsNaN-10(%x) {}",
       "IsInf-10(%x) {detect_negative: false}",
       "IsInf-10(%x) {detect_positive: false}",
       "IsInf-10(%x) {detect_negative: false, detect_positive: false}",
       "LogicalNot-1(%x) {}", "Greater-1(%x, %in) {}", "LogicalNot-1(%y0) {}",
       "LogicalAnd-1(%y0, %y1) {}", "LogicalOr-1(%y0, %y2) {}",
       "LogicalXor-1(%y1, %y2) {}", "Xor-0(%y0, %y7) {}",
       "BitwiseXor-13(%y0, %y2) {}", "Select-1(%y3, %x, %in) {}"},
      "f32");
}

TEST_P(ElementwiseTest, OfTwo) {
  CheckAll(
      absl::StrCat(kEnds,
                   "%b = Parameter-0() {shape: [35], element_type: f32}\n"),
      {"Add-1(%x, %b) {}", "Subtract-1(%x, %b) {}", "Multiply-1(%x, %b) {}",
       "Divide-1(%x, %b) {}", "Maximum-1(%x, %b) {}", "Minimum-1(%b, %x) {}",
       "SquaredDifference-0(%x, %b) {}", "Mod-1(%x, %b) {}",
       "FloorMod-1(%b, %x) {}", "Power-1(%x, %b) {}"},
      "f32");
}

// ---- Shapes ----

TEST_P(ElementwiseTest, Broadcasts) {
  const std::pair<const char*, const char*> shapes[] = {
      {"3,50", "50"},
      {"3,50", "3,1"},
      {"2,3,4,5", "3,1,5"},
      {"2,1,4,1", "1,3,1,17"},
      {"35", ""},
      {"", ""},
      {"2,3,2,3,2,3", "2,1,2,1,2,1"},
      {"1,1", "1,1,1"}};
  for (const auto& [a, b] : shapes) {
    for (const char* type : {"f32", "u8", "i64"}) {
      EXPECT_EQ(Kernels(Parameter("%a", a, type) + Parameter("%b", b, type) +
                        "%y = Subtract-1(%a, %b) {}\n"),
                absl::StrCat("elementwise_1_", type))
          << a << " and " << b;
    }
  }
}

TEST_P(ElementwiseTest, AlignsAtTheFirstAxis) {
  EXPECT_EQ(Kernels(Parameter("%a", "3,4,5") + Parameter("%b", "3,4") +
                    "%y = Add-1(%a, %b) {auto_broadcast: pdpd}\n"),
            "elementwise_1_f32");
  EXPECT_EQ(Kernels(Parameter("%m", "3,4,5", "boolean") +
                    Parameter("%a", "3,4,5") + Parameter("%b", "3") +
                    "%y = Select-1(%m, %a, %b) {auto_broadcast: pdpd}\n"),
            "elementwise_1_f32");
}

// %x, as convolutions store it.
std::string Blocks(const std::string& shape) {
  return Parameter("%p", shape) + "%x = Clamp-0(%p) {min: -100, max: 100}\n";
}

TEST_P(ElementwiseTest, KeepsBlocksOfChannels) {
  for (const char* channels : {"32", "20"}) {
    const std::string data = absl::Substitute("2,$0,3,5", channels);
    for (const char* other :
         {"1,$0,1,1", "$0,1,1", "2,$0,3,5", "", "1,1,3,5"}) {
      EXPECT_EQ(Kernels(Blocks(data) +
                        Parameter("%b", absl::Substitute(other, channels)) +
                        "%s = Subtract-1(%x, %b) {}\n"
                        "%y = Exp-0(%s) {}\n"),
                "elementwise_2_f32");
    }
    EXPECT_EQ(Kernels(Blocks(data) + Parameter("%slope", channels) +
                      "%y = PRelu-0(%x, %slope) {}\n"),
              "elementwise_1_f32");
    EXPECT_EQ(Kernels(Blocks(data) + "%y = Cos-0(%x) {}\n"),
              "elementwise_1_f32");
  }
}

// ---- FakeQuantize ----

TEST_P(ElementwiseTest, Quantizes) {
  const std::string ranges =
      "%low = Constant-0() {value: f32[1] {-1.3}}\n"
      "%high = Constant-0() {value: f32[] {1.1}}\n"
      "%out = Parameter-0() {shape: [1,1,1,1,1], element_type: f32}\n"
      "%channels = Constant-0() {value: f32[1,5,1,1] {0.5, 1, 1.5, 2, 3}}\n";
  for (const std::string& data :
       {Parameter("%x", "2,5,7,3"), Blocks("2,5,7,3")}) {
    for (const char* levels : {"2", "256"}) {
      EXPECT_EQ(
          Kernels(data + ranges +
                  absl::Substitute("%y = FakeQuantize-0(%x, %low, %channels, "
                                   "%out, %high) {levels: $0}\n",
                                   levels)),
          "elementwise_1_f32");
    }
  }
}

// ---- Numbers ----

TEST_P(ElementwiseTest, TakesConstantsOfOneElement) {
  for (const char* constant :
       {"f32[] {-0.3}", "i64[1] {-7}", "i64[] {9000000000}", "u8[1,1] {255}",
        "i32[] {-2147483648}", "u32[] {4294967295}"}) {
    const std::string type(constant, std::string(constant).find('['));
    EXPECT_EQ(Kernels(Parameter("%x", "3,7", type) +
                      "%c = Constant-0() {value: " + constant +
                      "}\n%y = Multiply-1(%x, %c) {}\n"),
              absl::StrCat("elementwise_1_", type));
  }
}

}  // namespace
}  // namespace dovetail::gpu
