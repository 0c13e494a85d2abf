#include "dovetail/core/tensor/types/narrow_float.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// All finite values of a format with the even-ness of their patterns, for
// checks of rounding that know nothing of how it is done.
struct Level {
  float value;
  unsigned bits;
};

template <typename T>
std::vector<Level> LevelsOf(unsigned patterns) {
  std::vector<Level> levels;
  for (unsigned bits = 0; bits < patterns; ++bits) {
    const float value = T::FromBits(static_cast<typename T::Bits>(bits));
    const bool negative_zero = value == 0 && std::signbit(value);
    if (std::isfinite(value) && !negative_zero) levels.push_back({value, bits});
  }
  std::sort(levels.begin(), levels.end(), [](const Level& a, const Level& b) {
    return a.value < b.value;
  });
  return levels;
}

// Halfway between neighbours the even pattern wins, a hair beside it the
// nearer one.
template <typename T>
void ExpectNearestEven(unsigned patterns) {
  const std::vector<Level> levels = LevelsOf<T>(patterns);
  for (size_t i = 0; i + 1 < levels.size(); ++i) {
    const Level low = levels[i], high = levels[i + 1];
    const float middle = low.value + (high.value - low.value) / 2;
    const Level even = low.bits % 2 == 0 ? low : high;
    ASSERT_EQ(float{T(middle)}, even.value) << middle;
    ASSERT_EQ(float{T(std::nextafter(middle, -kInf))}, low.value) << middle;
    ASSERT_EQ(float{T(std::nextafter(middle, kInf))}, high.value) << middle;
  }
}

template <typename T>
void ExpectAllPatternsReturn(unsigned patterns) {
  for (unsigned bits = 0; bits < patterns; ++bits) {
    const T value = T::FromBits(static_cast<typename T::Bits>(bits));
    ASSERT_EQ(T(float{value}).bits, bits);
  }
}

TEST(Float16, EveryPatternReturns) { ExpectAllPatternsReturn<Float16>(65536); }
TEST(Float16, RoundsToNearestEven) { ExpectNearestEven<Float16>(65536); }

TEST(Float16, KnownValues) {
  EXPECT_EQ(F16BitsToFloat(0x3c00), 1.0f);
  EXPECT_EQ(F16BitsToFloat(0xc000), -2.0f);
  EXPECT_EQ(F16BitsToFloat(0x7bff), 65504.0f);
  EXPECT_EQ(F16BitsToFloat(0x0400), std::ldexp(1.0f, -14));
  EXPECT_EQ(F16BitsToFloat(0x0001), std::ldexp(1.0f, -24));
  EXPECT_EQ(F16BitsToFloat(0x7c00), kInf);
  EXPECT_EQ(F16BitsToFloat(0xfc00), -kInf);
  EXPECT_TRUE(std::isnan(F16BitsToFloat(0x7e00)));
  EXPECT_TRUE(std::signbit(F16BitsToFloat(0x8000)));
}

TEST(Float16, OverflowsToInfinityAndUnderflowsToZero) {
  EXPECT_EQ(FloatToF16Bits(65519.996f), 0x7bff);
  EXPECT_EQ(FloatToF16Bits(65520.0f), 0x7c00);
  EXPECT_EQ(FloatToF16Bits(-1e30f), 0xfc00);
  EXPECT_EQ(FloatToF16Bits(kInf), 0x7c00);
  EXPECT_EQ(FloatToF16Bits(std::ldexp(1.0f, -25)), 0);
  EXPECT_EQ(FloatToF16Bits(std::ldexp(1.0001f, -25)), 1);
  EXPECT_EQ(FloatToF16Bits(-1e-45f), 0x8000);
  EXPECT_TRUE(std::isnan(float{Float16(kNan)}));
}

TEST(BFloat16, EveryPatternReturns) {
  ExpectAllPatternsReturn<BFloat16>(65536);
}
TEST(BFloat16, RoundsToNearestEven) { ExpectNearestEven<BFloat16>(65536); }

TEST(BFloat16, SpecialValues) {
  EXPECT_EQ(FloatToBf16Bits(kInf), 0x7f80);
  EXPECT_EQ(FloatToBf16Bits(-kInf), 0xff80);
  EXPECT_EQ(FloatToBf16Bits(std::numeric_limits<float>::max()), 0x7f80);
  EXPECT_TRUE(std::isnan(float{BFloat16(kNan)}));
  // A NaN whose payload stands in the lower half alone stays a NaN.
  EXPECT_TRUE(std::isnan(float{BFloat16(std::nanf("1"))}));
}

TEST(Float8E4M3, Table) {
  ExpectAllPatternsReturn<Float8E4M3>(256);
  EXPECT_EQ(F8E4M3BitsToFloat(0x01), std::ldexp(1.0f, -9));
  EXPECT_EQ(F8E4M3BitsToFloat(0x08), std::ldexp(1.0f, -6));
  EXPECT_EQ(F8E4M3BitsToFloat(0x38), 1.0f);
  EXPECT_EQ(F8E4M3BitsToFloat(0x7e), 448.0f);
  EXPECT_EQ(F8E4M3BitsToFloat(0xfe), -448.0f);
  EXPECT_TRUE(std::isnan(F8E4M3BitsToFloat(0x7f)));
  EXPECT_TRUE(std::isnan(F8E4M3BitsToFloat(0xff)));
}

TEST(Float8E4M3, RoundsAndOverflowsToNan) {
  ExpectNearestEven<Float8E4M3>(256);
  EXPECT_EQ(FloatToF8E4M3Bits(464.0f), 0x7e);
  EXPECT_EQ(FloatToF8E4M3Bits(464.01f), 0x7f);
  EXPECT_EQ(FloatToF8E4M3Bits(-1e30f), 0xff);
  EXPECT_EQ(FloatToF8E4M3Bits(kInf), 0x7f);
  EXPECT_EQ(FloatToF8E4M3Bits(kNan) & 0x7f, 0x7f);
  EXPECT_EQ(FloatToF8E4M3Bits(-0.0f), 0x80);
}

TEST(Float8E5M2, Table) {
  ExpectAllPatternsReturn<Float8E5M2>(256);
  EXPECT_EQ(F8E5M2BitsToFloat(0x01), std::ldexp(1.0f, -16));
  EXPECT_EQ(F8E5M2BitsToFloat(0x3c), 1.0f);
  EXPECT_EQ(F8E5M2BitsToFloat(0x7b), 57344.0f);
  EXPECT_EQ(F8E5M2BitsToFloat(0xfc), -kInf);
}

TEST(Float8E5M2, RoundsAndOverflowsToInfinity) {
  ExpectNearestEven<Float8E5M2>(256);
  EXPECT_EQ(FloatToF8E5M2Bits(61439.0f), 0x7b);
  EXPECT_EQ(FloatToF8E5M2Bits(61440.0f), 0x7c);
  EXPECT_EQ(FloatToF8E5M2Bits(-kInf), 0xfc);
  EXPECT_TRUE(std::isnan(float{Float8E5M2(kNan)}));
}

TEST(Float8E8M0, IsAPowerOfTwo) {
  ExpectAllPatternsReturn<Float8E8M0>(256);
  for (int bits = 0; bits < 255; ++bits) {
    EXPECT_EQ(F8E8M0BitsToFloat(static_cast<uint8_t>(bits)),
              std::ldexp(1.0f, bits - 127));
  }
  EXPECT_TRUE(std::isnan(F8E8M0BitsToFloat(0xff)));
}

TEST(Float8E8M0, RoundsAndSaturates) {
  ExpectNearestEven<Float8E8M0>(256);
  EXPECT_EQ(FloatToF8E8M0Bits(kInf), 0xfe);
  EXPECT_EQ(FloatToF8E8M0Bits(std::numeric_limits<float>::max()), 0xfe);
  EXPECT_EQ(FloatToF8E8M0Bits(kNan), 0xff);
  for (float low : {0.0f, -0.0f, -1.0f, -kInf, 1e-45f, 1e-40f}) {
    EXPECT_EQ(FloatToF8E8M0Bits(low), 0) << low;
  }
}

TEST(Float4E2M1, TableRoundingAndSaturation) {
  const float table[] = {0, .5f, 1, 1.5f, 2, 3, 4, 6};
  for (uint8_t bits = 0; bits < 8; ++bits) {
    EXPECT_EQ(F4E2M1BitsToFloat(bits), table[bits]);
    EXPECT_EQ(F4E2M1BitsToFloat(bits | 8), -table[bits]);
    EXPECT_EQ(FloatToF4E2M1Bits(table[bits]), bits);
    EXPECT_EQ(FloatToF4E2M1Bits(-table[bits]), bits | 8);
  }
  using Float4E2M1 = NarrowFloat<uint8_t, &F4E2M1BitsToFloat,
                                 &FloatToF4E2M1Bits>;
  ExpectNearestEven<Float4E2M1>(16);
  EXPECT_EQ(FloatToF4E2M1Bits(1e30f), 7);
  EXPECT_EQ(FloatToF4E2M1Bits(-kInf), 15);
  EXPECT_EQ(FloatToF4E2M1Bits(kNan) & 7, 7);
}

TEST(Nf4, TakesTheNearestLevel) {
  for (uint8_t bits = 0; bits < 16; ++bits) {
    EXPECT_EQ(FloatToNf4Bits(Nf4BitsToFloat(bits)), bits);
  }
  for (uint8_t bits = 0; bits < 15; ++bits) {
    const float low = Nf4BitsToFloat(bits), high = Nf4BitsToFloat(bits + 1);
    EXPECT_LT(low, high);
    EXPECT_EQ(FloatToNf4Bits(low + (high - low) * .49f), bits);
    EXPECT_EQ(FloatToNf4Bits(low + (high - low) * .51f), bits + 1);
  }
  EXPECT_EQ(Nf4BitsToFloat(7), 0.0f);
  EXPECT_EQ(FloatToNf4Bits(-5.0f), 0);
  EXPECT_EQ(FloatToNf4Bits(kInf), 15);
  EXPECT_EQ(FloatToNf4Bits(kNan), 7);
}

TEST(NarrowFloat, ReadsAsFloatAndIsMadeFromAnyNumber) {
  const Float16 half(0.5f);
  EXPECT_EQ(half + 1, 1.5f);
  EXPECT_EQ(float{Float16(2.0)}, 2.0f);
  EXPECT_EQ(float{Float16(3)}, 3.0f);
  EXPECT_EQ(float{Float16(int64_t{4})}, 4.0f);
  EXPECT_EQ(float{BFloat16(true)}, 1.0f);
  EXPECT_EQ(float{BFloat16(half)}, 0.5f);
  EXPECT_EQ(Float16().bits, 0);
}

}  // namespace
}  // namespace dovetail
