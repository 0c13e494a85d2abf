#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "dovetail/core/ops/quantization/table.h"
#include "dovetail/core/reference/quantization/table.h"
#include "dovetail/core/reference/testing/run_op.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const OpTester& Tester() {
  static const OpTester tester(QuantizationOps(), QuantizationKernels());
  return tester;
}

// FakeQuantize with one range for all.
std::string Quantized(const std::vector<double>& values, double in_low,
                      double in_high, double out_low, double out_high,
                      const std::string& levels) {
  const Shape shape{static_cast<int64_t>(values.size())};
  return Tester().Run("FakeQuantize-0",
                      {Floats(shape, values), Floats({}, {in_low}),
                       Floats({1}, {in_high}), Floats({}, {out_low}),
                       Floats({}, {out_high})},
                      {{"levels", levels}});
}

TEST(FakeQuantizeTest, RoundsToLevels) {
  // Four steps of 1; ties go to the even step, what is outside to the ends.
  EXPECT_EQ(Quantized({-9, 0.5, 1.5, 2.5, 2.6, 4, 9}, 0, 4, 0, 4, "5"),
            "f32[7] {0, 0, 2, 2, 3, 4, 4}");
  // Another output range.
  EXPECT_EQ(Quantized({0, 1, 2}, 0, 2, -10, 10, "3"), "f32[3] {-10, 0, 10}");
  // The output may fall.
  EXPECT_EQ(Quantized({0, 1, 2}, 0, 2, 1, -1, "3"), "f32[3] {1, 0, -1}");
  // Equal ends are a threshold.
  EXPECT_EQ(Quantized({0.9, 1, 1.1}, 1, 1, -1, 1, "2"), "f32[3] {-1, -1, 1}");
  // Crossed ends: the formula between them.
  EXPECT_EQ(Quantized({-2, -1, 0, 1, 2}, 1, -1, 0, 4, "5"),
            "f32[5] {0, 0, 2, 0, 4}");
  // So many levels that rounding changes nothing here.
  EXPECT_EQ(Quantized({0.25, 0.5}, 0, 1, 0, 1, "16777217"),
            "f32[2] {0.25, 0.5}");
}

TEST(FakeQuantizeTest, TakesWhatIsNoNumber) {
  EXPECT_EQ(Quantized({kInfinity, -kInfinity}, 0, 2, 3, 4, "3"),
            "f32[2] {4, 3}");
  EXPECT_EQ(Quantized({std::nan("")}, 0, 2, 3, 4, "3"), "f32[1] {nan}");
}

TEST(FakeQuantizeTest, BroadcastsRanges) {
  const Tensor data = Floats({2, 3}, {1, 2, 3, 1, 2, 3});
  const auto run = [&](const Tensor& low, const Tensor& high,
                       const char* mode) {
    return Tester().Run("FakeQuantize-0", {data, low, high, low, high},
                        {{"levels", "2"}, {"auto_broadcast", mode}});
  };
  const Tensor zero = Floats({}, {0});
  EXPECT_EQ(run(zero, Floats({2, 1}, {1, 4}), "numpy"),
            "f32[2,3] {1, 1, 1, 0, 0, 4}");
  EXPECT_EQ(run(zero, Floats({3}, {1, 5, 2}), "numpy"),
            "f32[2,3] {1, 0, 2, 1, 0, 2}");
  EXPECT_EQ(run(zero, Floats({1, 1, 3}, {1, 5, 2}), "numpy"),
            "f32[2,3] {1, 0, 2, 1, 0, 2}");
  EXPECT_EQ(run(zero, Floats({2}, {1, 4}), "pdpd"),
            "f32[2,3] {1, 1, 1, 0, 0, 4}");
  EXPECT_EQ(run(Floats({2, 3}, {0, 0, 0, 0, 0, 0}),
                Floats({2, 3}, {1, 2, 3, 3, 3, 3}), "none"),
            "f32[2,3] {1, 2, 3, 0, 3, 3}");
}

TEST(FakeQuantizeTest, KnowsTypes) {
  for (ElementType type :
       {ElementType::kF16, ElementType::kBf16, ElementType::kF64}) {
    const Tensor low = TensorOf(type, {}, {0}), high = TensorOf(type, {}, {4});
    const auto outputs = Tester().Outputs(
        "FakeQuantize-0",
        {TensorOf(type, {3}, {0.5, 1.5, 7}), low, high, low, high},
        {{"levels", "5"}});
    ExpectNear(outputs, {0, 2, 4}, 0);
    EXPECT_EQ(outputs.value()[0].type(), type);
  }
  EXPECT_EQ(Quantized({}, 0, 1, 0, 1, "2"), "f32[0] {}");
}

TEST(FakeConvertTest, RoundsToEightBits) {
  const Tensor one = Floats({}, {1});
  // Between 1 and 1.125 the tie goes down, between 1.125 and 1.25 up.
  EXPECT_EQ(Tester().Run("FakeConvert-13",
                         {Floats({6}, {1.0625, 1.1875, 1000, -kInfinity,
                                       0.0015, 0.0009}),
                          one}),
            "f32[6] {1, 1.25, 448, -448, 0.00195312, 0}");
  EXPECT_EQ(Tester().Run("FakeConvert-13",
                         {Floats({4}, {1.125, 1.375, 1e6, -0.3}), one},
                         {{"destination_type", "f8e5m2"}}),
            "f32[4] {1, 1.5, 57344, -0.3125}");
  EXPECT_EQ(Tester().Run("FakeConvert-13", {Floats({1}, {std::nan("")}), one}),
            "f32[1] {nan}");
}

TEST(FakeConvertTest, ScalesAndShifts) {
  // 2 * 1.5 - 1 = 2; (2 + 1) / 2 = 1.5. 4 * 1.6 + 1 = 7.4, which is 7.5 in
  // f8e4m3; (7.5 - 1) / 4 = 1.625.
  EXPECT_EQ(Tester().Run("FakeConvert-13",
                         {Floats({1, 2}, {1.5, 1.6}), Floats({2}, {2, 4}),
                          Floats({1, 2}, {1, -1})}),
            "f32[1,2] {1.5, 1.625}");
}

}  // namespace
}  // namespace dovetail
