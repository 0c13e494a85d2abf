// Each instruction against a function of doubles.
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/backends/cpu/isa/machine_model.h"
#include "dovetail/backends/cpu/kernels/elementwise/run_elementwise.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// The results of one instruction, whose operands are all of one length.
std::vector<float> Apply(ElementwiseOp op,
                         const std::vector<std::vector<float>>& operands,
                         std::vector<float> parameters) {
  ElementwiseProgram::Builder builder;
  std::vector<int> values;
  std::vector<const void*> inputs;
  for (const std::vector<float>& operand : operands) {
    values.push_back(builder.AddInput(ElementType::kF32));
    inputs.push_back(operand.data());
  }
  builder.Output(builder.Op(op, values, parameters), ElementType::kF32);
  const auto program = std::move(builder).Build();
  EXPECT_TRUE(program.ok()) << program.status();
  const int64_t count = operands[0].size();
  const std::vector<ElementwiseStrides> strides(operands.size(), {1});
  const auto geometry = MakeGeometry(*program, {count}, strides);
  EXPECT_TRUE(geometry.ok()) << geometry.status();
  std::vector<float> result(count);
  void* const outputs[] = {result.data()};
  RunElementwise(*program, *geometry, inputs, outputs, 0, geometry->tile_count);
  return result;
}

// Numbers of all sizes from `low` to `high`, and those that are special.
std::vector<float> Numbers(float low, float high) {
  std::vector<float> numbers;
  for (const float x :
       {0.0f,    -0.0f,  kInf,        -kInf,           kNaN,    1e-45f,
        -1e-45f, 1e-39f, -1e-39f,     1.17549435e-38f, 1e-20f,  -1e-20f,
        0.5f,    -0.5f,  1.0f,        -1.0f,           2.0f,    1.5f,
        2.5f,    -2.5f,  0.49999997f, 8388609.0f,      3.4e38f, -3.4e38f}) {
    if (!(x < low) && !(x > high)) numbers.push_back(x);
    if (std::isinf(x) || std::isnan(x)) numbers.push_back(x);
  }
  constexpr int kSteps = 20011;
  for (int i = 0; i <= kSteps; ++i) {
    const double linear = low + (double{high} - low) * i / kSteps;
    numbers.push_back(static_cast<float>(linear));
    const double size = std::exp(-40.0 * i / kSteps);
    numbers.push_back(static_cast<float>(high * size));
    numbers.push_back(static_cast<float>(low * size));
  }
  return numbers;
}

// `near` is relative to the result; results below `tiny` may be off by it.
void ExpectClose(float got, double want, const std::string& where,
                 double near = 4e-7, double tiny = 2e-45) {
  const float rounded = static_cast<float>(want);
  if (std::isnan(want)) {
    EXPECT_TRUE(std::isnan(got)) << where << " is " << got;
  } else if (std::isinf(rounded)) {
    // The last number before infinity is near enough.
    EXPECT_TRUE(got == rounded || std::fabs(got) > 3.4028e38f)
        << where << " is " << got << ", not " << rounded;
  } else {
    EXPECT_LE(std::fabs(got - want), std::fabs(want) * near + tiny)
        << where << " is " << got << ", not " << want;
  }
}

struct UnaryCase {
  ElementwiseOp op;
  std::function<double(double)> exact;
  float low = -100;
  float high = 100;
  std::vector<float> parameters = {};
  double near = 4e-7;
  double tiny = 2e-45;
};

void PrintTo(const UnaryCase& c, std::ostream* out) {
  *out << ElementwiseOpName(c.op);
}

class UnaryTest : public ::testing::TestWithParam<UnaryCase> {};

TEST_P(UnaryTest, IsNearTheExactFunction) {
  const UnaryCase& c = GetParam();
  const std::vector<float> numbers = Numbers(c.low, c.high);
  const std::vector<float> results = Apply(c.op, {numbers}, c.parameters);
  for (size_t i = 0; i < numbers.size() && !HasFailure(); ++i) {
    ExpectClose(results[i], c.exact(numbers[i]),
                std::string(ElementwiseOpName(c.op)) + " of " +
                    std::to_string(numbers[i]),
                c.near, c.tiny);
  }
}

double SigmoidOf(double x) { return 1 / (1 + std::exp(-x)); }
double SoftPlusOf(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x)));
}
double HSigmoidOf(double x) {
  return std::isnan(x) ? x : std::min(std::max(x + 3, 0.0), 6.0) / 6;
}
double GeluTanhOf(double x) {
  // Not by 1 + tanh, which leaves no digits of a small result.
  const double u = std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x);
  return x * SigmoidOf(2 * u);
}
double GeluErfOf(double x) {
  return x == -kInf ? 0 : x * 0.5 * std::erfc(-x * M_SQRT1_2);
}
// With AVX-512, GELU is exact beside x, not beside a small result.
bool HasSixteenLanes() { return ThisMachine().f32_16 > 0; }
double RoundEven(double x) { return std::nearbyint(x); }

INSTANTIATE_TEST_SUITE_P(
    Arithmetic, UnaryTest,
    ::testing::ValuesIn(std::vector<UnaryCase>{
        {ElementwiseOp::kCopy, [](double x) { return x; }},
        {ElementwiseOp::kAbs, [](double x) { return std::fabs(x); }},
        {ElementwiseOp::kNegative, [](double x) { return -x; }},
        {ElementwiseOp::kSign,
         [](double x) { return std::isnan(x) ? x : (x > 0) - (x < 0); }},
        {ElementwiseOp::kFloor, [](double x) { return std::floor(x); }, -1e10f,
         1e10f},
        {ElementwiseOp::kCeiling, [](double x) { return std::ceil(x); }, -1e10f,
         1e10f},
        {ElementwiseOp::kRoundHalfToEven, RoundEven, -1e10f, 1e10f},
        {ElementwiseOp::kRoundHalfAwayFromZero,
         [](double x) { return std::round(x); }, -1e10f, 1e10f},
        {ElementwiseOp::kTruncate, [](double x) { return std::trunc(x); }},
        {ElementwiseOp::kSquare, [](double x) { return x * x; }},
        {ElementwiseOp::kCube, [](double x) { return x * x * x; }, -1e10f,
         1e10f},
        {ElementwiseOp::kSqrt, [](double x) { return std::sqrt(x); }},
        {ElementwiseOp::kReciprocalSqrt,
         [](double x) { return 1 / std::sqrt(x); }},
        {ElementwiseOp::kReciprocal, [](double x) { return 1 / x; }},
        {ElementwiseOp::kRelu, [](double x) { return x < 0 ? 0 : x; }},
        {ElementwiseOp::kSoftSign,
         [](double x) { return x / (1 + std::fabs(x)); }},
        {ElementwiseOp::kHSigmoid, HSigmoidOf},
        {ElementwiseOp::kHSwish, [](double x) { return x * HSigmoidOf(x); }},
        {ElementwiseOp::kClamp,
         [](double x) { return x < -2    ? -2
                               : x > 3.5 ? 3.5
                                         : x; },
         -10,
         10,
         {-2, 3.5f}},
        {ElementwiseOp::kLeakyRelu,
         [](double x) { return x < 0 ? 0.25 * x : x; },
         -10,
         10,
         {0.25f}},
        {ElementwiseOp::kHardSigmoid,
         [](double x) {
           const double y = 0.25 * x + 0.5;
           return y < 0 ? 0 : y > 1 ? 1 : y;
         },
         -10,
         10,
         {0.25f, 0.5f}},
    }));

INSTANTIATE_TEST_SUITE_P(
    Exponential, UnaryTest,
    ::testing::ValuesIn(std::vector<UnaryCase>{
        {ElementwiseOp::kExp, [](double x) { return std::exp(x); }, -110, 95},
        {ElementwiseOp::kExpm1, [](double x) { return std::expm1(x); }, -110,
         95},
        {ElementwiseOp::kLog, [](double x) { return std::log(x); }, -1, 1e38f},
        {ElementwiseOp::kTanh, [](double x) { return std::tanh(x); }, -12, 12},
        {ElementwiseOp::kSigmoid, SigmoidOf, -110, 95},
        {ElementwiseOp::kErf, [](double x) { return std::erf(x); }, -6, 6},
        // The argument of its exponential is rounded.
        {ElementwiseOp::kGeluErf,
         GeluErfOf,
         -8,
         20,
         {},
         3e-6,
         HasSixteenLanes() ? 1.5e-7 : 2e-45},
        {ElementwiseOp::kGeluTanh, GeluTanhOf, -5, 20, {}, 4e-6},
        {ElementwiseOp::kSoftPlus, SoftPlusOf, -100, 100},
        {ElementwiseOp::kMish,
         [](double x) { return x * std::tanh(SoftPlusOf(x)); },
         -80,
         100,
         {},
         6e-7},
        {ElementwiseOp::kElu,
         [](double x) { return x < 0 ? 0.5 * std::expm1(x) : x; },
         -110,
         100,
         {0.5f}},
        {ElementwiseOp::kSelu,
         [](double x) { return 2 * (x > 0 ? x : 0.5 * std::expm1(x)); },
         -110,
         100,
         {0.5f, 2.0f}},
        {ElementwiseOp::kSwish,
         [](double x) { return x * SigmoidOf(1.5 * x); },
         -50,
         100,
         {1.5f},
         4e-6},
    }));

INSTANTIATE_TEST_SUITE_P(
    Trigonometric, UnaryTest,
    ::testing::ValuesIn(std::vector<UnaryCase>{
        {ElementwiseOp::kSin,
         [](double x) { return std::sin(x); },
         -8000,
         8000,
         {},
         4e-7,
         1e-10},
        {ElementwiseOp::kCos,
         [](double x) { return std::cos(x); },
         -8000,
         8000,
         {},
         4e-7,
         1e-10},
        {ElementwiseOp::kSin, [](double x) { return std::sin(x); }, -1e30f,
         1e30f},
        {ElementwiseOp::kTan,
         [](double x) { return std::tan(x); },
         -100,
         100,
         {},
         4e-6},
        {ElementwiseOp::kAsin, [](double x) { return std::asin(x); }, -1.5f,
         1.5f},
        {ElementwiseOp::kAcos, [](double x) { return std::acos(x); }, -1.5f,
         1.5f},
        {ElementwiseOp::kAtan, [](double x) { return std::atan(x); }},
        {ElementwiseOp::kSinh, [](double x) { return std::sinh(x); }},
        {ElementwiseOp::kCosh, [](double x) { return std::cosh(x); }},
        {ElementwiseOp::kAsinh, [](double x) { return std::asinh(x); }},
        {ElementwiseOp::kAcosh, [](double x) { return std::acosh(x); }},
        {ElementwiseOp::kAtanh, [](double x) { return std::atanh(x); }, -1.5f,
         1.5f},
    }));

INSTANTIATE_TEST_SUITE_P(
    Logic, UnaryTest,
    ::testing::ValuesIn(std::vector<UnaryCase>{
        {ElementwiseOp::kLogicalNot, [](double x) { return x == 0; }},
        {ElementwiseOp::kIsNaN, [](double x) { return std::isnan(x); }},
        {ElementwiseOp::kIsFinite, [](double x) { return std::isfinite(x); }},
        {ElementwiseOp::kIsInf,
         [](double x) { return x == kInf; },
         -10,
         10,
         {0, 1}},
        {ElementwiseOp::kIsInf,
         [](double x) { return x == -kInf; },
         -10,
         10,
         {1, 0}},
    }));

TEST(GeluTest, IsNoNumberOnlyOfNaN) {
  for (const ElementwiseOp op :
       {ElementwiseOp::kGeluErf, ElementwiseOp::kGeluTanh}) {
    const std::vector<float> results = Apply(op, {{kInf, -30, 30, kNaN}}, {});
    EXPECT_EQ(results[0], kInf);
    EXPECT_NEAR(results[1], 0, 1e-30);
    EXPECT_EQ(results[2], 30);
    EXPECT_TRUE(std::isnan(results[3]));
  }
}

struct BinaryCase {
  ElementwiseOp op;
  std::function<double(double, double)> exact;
  double near = 1e-7;
};

class BinaryTest : public ::testing::TestWithParam<BinaryCase> {};

TEST_P(BinaryTest, IsNearTheExactFunction) {
  const BinaryCase& c = GetParam();
  const std::vector<float> some = {0,  1,     -1,      2,    -2,    0.5f, 3.25f,
                                   -7, 1e-3f, 12.125f, kInf, -kInf, 1e10f};
  std::vector<float> a, b;
  for (const float x : some) {
    for (const float y : some) {
      a.push_back(x);
      b.push_back(y);
    }
  }
  const std::vector<float> results = Apply(c.op, {a, b}, {});
  for (size_t i = 0; i < a.size(); ++i) {
    ExpectClose(results[i], c.exact(a[i], b[i]),
                std::string(ElementwiseOpName(c.op)) + " of " +
                    std::to_string(a[i]) + " and " + std::to_string(b[i]),
                c.near);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, BinaryTest,
    ::testing::ValuesIn(std::vector<BinaryCase>{
        {ElementwiseOp::kAdd, std::plus<double>()},
        {ElementwiseOp::kSubtract, std::minus<double>()},
        {ElementwiseOp::kMultiply, std::multiplies<double>()},
        {ElementwiseOp::kDivide, std::divides<double>()},
        {ElementwiseOp::kMaximum,
         [](double a, double b) { return std::max(a, b); }},
        {ElementwiseOp::kMinimum,
         [](double a, double b) { return std::min(a, b); }},
        {ElementwiseOp::kPower,
         [](double a, double b) { return std::pow(a, b); }, 3e-7},
        {ElementwiseOp::kMod,
         [](double a, double b) { return std::fmod(a, b); }},
        {ElementwiseOp::kSquaredDifference,
         [](double a, double b) {
           const float c = static_cast<float>(a - b);
           return double{c} * c;
         }},
        {ElementwiseOp::kPRelu,
         [](double a, double b) { return a < 0 ? a * b : a; }},
        {ElementwiseOp::kEqual, std::equal_to<double>()},
        {ElementwiseOp::kNotEqual, std::not_equal_to<double>()},
        {ElementwiseOp::kLess, std::less<double>()},
        {ElementwiseOp::kLessEqual, std::less_equal<double>()},
        {ElementwiseOp::kGreater, std::greater<double>()},
        {ElementwiseOp::kGreaterEqual, std::greater_equal<double>()},
        {ElementwiseOp::kLogicalAnd, std::logical_and<double>()},
        {ElementwiseOp::kLogicalOr, std::logical_or<double>()},
        {ElementwiseOp::kLogicalXor,
         [](double a, double b) { return (a != 0) != (b != 0); }},
    }));

TEST(FloorModTest, TakesTheSignOfTheDivisor) {
  EXPECT_EQ(
      Apply(ElementwiseOp::kFloorMod, {{7, -7, 7, -7}, {3, 3, -3, -3}}, {}),
      (std::vector<float>{1, 2, -2, -1}));
}

TEST(TernaryTest, MultiplyAddAndSelect) {
  EXPECT_EQ(Apply(ElementwiseOp::kMultiplyAdd, {{2, 3}, {5, -1}, {1, 1}}, {}),
            (std::vector<float>{11, -2}));
  EXPECT_EQ(Apply(ElementwiseOp::kSelect,
                  {{0, -0.0f, 1, kNaN}, {1, 2, 3, 4}, {5, 6, 7, 8}}, {}),
            (std::vector<float>{5, 6, 3, 4}));
}

TEST(FakeQuantizeTest, RoundsToLevelsOfEachElement) {
  // 5 levels from -1 to 1 are -1, -0.5, 0, 0.5, 1; they become 0 ... 4.
  const std::vector<float> x = {-9, -1, -0.76f, -0.74f, 0.1f, 0.26f, 1, kInf};
  const size_t count = x.size();
  const std::vector<float> low(count, -1), high(count, 1);
  const std::vector<float> out_low(count, 0), out_high(count, 4);
  EXPECT_EQ(Apply(ElementwiseOp::kFakeQuantize,
                  {x, low, high, out_low, out_high}, {5}),
            (std::vector<float>{0, 0, 0, 1, 2, 3, 4, 4}));
}

}  // namespace
}  // namespace dovetail::cpu
