// ConvertTensor. Expected values are those of OpenVINO 2026.4's constant
// folding on x86, but for NaN, which gives 0 here.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "dovetail/core/tensor/tensor.h"
#include "dovetail/core/tensor/types/narrow_float.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Tensor Converted(const Tensor& tensor, ElementType type) {
  const auto result = ConvertTensor(tensor, type);
  EXPECT_TRUE(result.ok()) << result.status();
  return result.value_or(Tensor());
}

Tensor Floats(std::vector<float> values) {
  return *Tensor::FromValues<float>(
      {static_cast<int64_t>(values.size())}, values);
}

TEST(Convert, EveryF16IsTheFloatThatItsBitsSay) {
  std::vector<uint16_t> bits(1 << 16);
  std::iota(bits.begin(), bits.end(), uint16_t{0});
  Tensor halves = *Tensor::Allocate(ElementType::kF16, {1 << 16});
  std::memcpy(halves.mutable_raw_data(), bits.data(), 2 * bits.size());
  const Tensor floats = Converted(halves, ElementType::kF32);
  for (const uint16_t half : bits) {
    ASSERT_EQ(std::bit_cast<uint32_t>(floats.data<float>()[half]),
              std::bit_cast<uint32_t>(F16BitsToFloat(half)))
        << half;
  }
}

// Floats at, between and next to the halves, and what is no number.
TEST(Convert, FloatsAreRoundedToTheNearestF16) {
  std::vector<float> values;
  for (uint32_t half = 0; half < 1 << 16; ++half) {
    const auto at = static_cast<uint16_t>(half);
    const auto bits = std::bit_cast<uint32_t>(F16BitsToFloat(at));
    for (const uint32_t past : {0, 1, 0xfff, 0x1000, 0x1001, 0x1fff}) {
      values.push_back(std::bit_cast<float>(bits + past));
    }
    // A factor of 2^-10, and more, below the halves: most are subnormal.
    values.push_back(std::bit_cast<float>(bits - (10u << 23)));
    values.push_back(std::bit_cast<float>(half << 16 | half));
  }
  const Tensor source = Floats(values);
  const Tensor halves = Converted(source, ElementType::kF16);
  const auto* const found = static_cast<const uint16_t*>(halves.raw_data());
  for (size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(found[i], FloatToF16Bits(values[i]))
        << std::hex << std::bit_cast<uint32_t>(values[i]);
  }
}

TEST(Convert, EveryPairOfNumericTypesAgreesOnSmallNumbers) {
  for (ElementType from : AllElementTypes()) {
    for (ElementType to : AllElementTypes()) {
      if (from == ElementType::kString || to == ElementType::kString) continue;
      // 600 elements take more than one piece of the work.
      std::vector<double> values(600, 1);
      const bool zero =
          from != ElementType::kF8E8M0 && to != ElementType::kF8E8M0;
      for (size_t i = 0; zero && i < values.size(); i += 3) values[i] = 0;
      const Tensor source = *Tensor::FromDoubles(from, {20, 30}, values);
      const Tensor target = Converted(source, to);
      EXPECT_EQ(target.type(), to);
      EXPECT_EQ(target.shape(), source.shape());
      EXPECT_EQ(ToDoubleVector(target), values) << from << " to " << to;
    }
  }
}

TEST(Convert, GivesATensorOfItsOwn) {
  const Tensor source = Floats({1, 2});
  const Tensor same = Converted(source, ElementType::kF32);
  EXPECT_NE(same.raw_data(), source.raw_data());
  EXPECT_TRUE(same.Equals(source));
}

TEST(Convert, BoxesAndEmptyTensors) {
  const Tensor source = *Floats({0, 1, 2, 3, 4, 5}).Reshape({2, 3});
  const Tensor box = *source.Roi({0, 1}, {2, 3});
  EXPECT_EQ(ToInt64Vector(Converted(box, ElementType::kU6)),
            (std::vector<int64_t>{1, 2, 4, 5}));
  const Tensor none = *Tensor::Allocate(ElementType::kF32, {0, 3});
  EXPECT_EQ(Converted(none, ElementType::kU3).shape(), Shape({0, 3}));
}

TEST(Convert, FloatsOutOfRangeOfIntegers) {
  const std::vector<float> values = {1.5,  -1.5,  127.9, 200,        -200,
                                     300,  70000, 2147483648.0, 5e9, -5e9,
                                     1e19, 2e19,  1e30,  kInf,       -kInf,
                                     kNan};
  constexpr int64_t kMin32 = std::numeric_limits<int32_t>::min();
  constexpr int64_t kMin64 = std::numeric_limits<int64_t>::min();
  struct Row {
    ElementType type;
    std::vector<int64_t> expected;
  };
  const Row rows[] = {
      {ElementType::kI8,
       {1, -1, 127, -56, 56, 44, 112, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
      {ElementType::kU8,
       {1, 255, 127, 200, 56, 44, 112, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
      {ElementType::kI16,
       {1, -1, 127, 200, -200, 300, 4464, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
      {ElementType::kU16,
       {1, 65535, 127, 200, 65336, 300, 4464, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
      {ElementType::kI32,
       {1, -1, 127, 200, -200, 300, 70000, kMin32, kMin32, kMin32, kMin32,
        kMin32, kMin32, kMin32, kMin32, 0}},
      {ElementType::kU32,
       {1, 4294967295, 127, 200, 4294967096, 300, 70000, 2147483648,
        705032704, 3589934592, 0, 0, 0, 0, 0, 0}},
      {ElementType::kI64,
       {1, -1, 127, 200, -200, 300, 70000, 2147483648, 5000000000,
        -5000000000, kMin64, kMin64, kMin64, kMin64, kMin64, 0}},
      {ElementType::kU4,
       {1, 15, 15, 8, 8, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
      {ElementType::kI4,
       {1, -1, -1, -8, -8, -4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
      {ElementType::kU1,
       {1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
      {ElementType::kBoolean,
       {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(ToInt64Vector(Converted(Floats(values), row.type)), row.expected)
        << row.type;
    // f64 holds the same numbers and gives the same.
    const Tensor doubles = Converted(Floats(values), ElementType::kF64);
    EXPECT_EQ(ToInt64Vector(Converted(doubles, row.type)), row.expected)
        << row.type;
  }
}

TEST(Convert, FloatsToU64) {
  const Tensor result = Converted(
      Floats({-1.5, 5e9, 1e19f, 2e19f, kInf, -5e9, kNan}), ElementType::kU64);
  const std::vector<uint64_t> expected = {
      18446744073709551615u, 5000000000u, 9999999980506447872u, 0, 0,
      18446744068709551616u, 0};
  EXPECT_EQ(result.span<uint64_t>(), absl::MakeConstSpan(expected));
}

TEST(Convert, DoublesJustInsideTheRange) {
  const Tensor source = *Tensor::FromDoubles(
      ElementType::kF64, {4},
      {2147483647.9, -2147483648.9, 2147483648.0, -2147483649.0});
  constexpr int64_t kMin = std::numeric_limits<int32_t>::min();
  EXPECT_EQ(ToInt64Vector(Converted(source, ElementType::kI32)),
            (std::vector<int64_t>{2147483647, kMin, kMin, kMin}));
}

TEST(Convert, IntegersWrap) {
  const std::vector<int64_t> values = {7,   8,    15,  16, 300,
                                       -1,  -129, 3,   (int64_t{1} << 40) + 5};
  const Tensor source = *Tensor::FromValues<int64_t>({9}, values);
  struct Row {
    ElementType type;
    std::vector<int64_t> expected;
  };
  const Row rows[] = {
      {ElementType::kI8, {7, 8, 15, 16, 44, -1, 127, 3, 5}},
      {ElementType::kU8, {7, 8, 15, 16, 44, 255, 127, 3, 5}},
      {ElementType::kI32, {7, 8, 15, 16, 300, -1, -129, 3, 5}},
      {ElementType::kU32,
       {7, 8, 15, 16, 300, 4294967295, 4294967167, 3, 5}},
      {ElementType::kI4, {7, -8, -1, 0, -4, -1, -1, 3, 5}},
      {ElementType::kU4, {7, 8, 15, 0, 12, 15, 15, 3, 5}},
      {ElementType::kI2, {-1, 0, -1, 0, 0, -1, -1, -1, 1}},
      {ElementType::kU2, {3, 0, 3, 0, 0, 3, 3, 3, 1}},
      {ElementType::kU3, {7, 0, 7, 0, 4, 7, 7, 3, 5}},
      {ElementType::kU6, {7, 8, 15, 16, 44, 63, 63, 3, 5}},
      {ElementType::kU1, {1, 0, 1, 0, 0, 1, 1, 1, 1}},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(ToInt64Vector(Converted(source, row.type)), row.expected)
        << row.type;
  }
  const Tensor u64 = Converted(source, ElementType::kU64);
  EXPECT_EQ(u64.data<uint64_t>()[5], std::numeric_limits<uint64_t>::max());
}

TEST(Convert, U64KeepsItsUpperHalf) {
  const Tensor source = *Tensor::FromValues<uint64_t>(
      {2}, {std::numeric_limits<uint64_t>::max(), uint64_t{1} << 63});
  EXPECT_EQ(ToDoubleVector(Converted(source, ElementType::kF32)),
            (std::vector<double>{std::ldexp(1, 64), std::ldexp(1, 63)}));
  EXPECT_EQ(ToInt64Vector(Converted(source, ElementType::kI64))[0], -1);
}

TEST(Convert, ToNarrowFloats) {
  EXPECT_EQ(ToDoubleVector(Converted(Floats({65535, -1e30f, 3.7f, kInf}),
                                     ElementType::kF16)),
            (std::vector<double>{kInf, -kInf, 3.69921875, kInf}));
  const std::vector<double> e4m3 = ToDoubleVector(
      Converted(Floats({448, 463, 466, kInf}), ElementType::kF8E4M3));
  EXPECT_EQ(e4m3[0], 448);
  EXPECT_EQ(e4m3[1], 448);
  EXPECT_TRUE(std::isnan(e4m3[2]) && std::isnan(e4m3[3]));
  EXPECT_EQ(ToDoubleVector(
                Converted(Floats({57345, 63079}), ElementType::kF8E5M2)),
            (std::vector<double>{57344, kInf}));
  EXPECT_EQ(ToDoubleVector(
                Converted(Floats({7, -7, .25f, .3f}), ElementType::kF4E2M1)),
            (std::vector<double>{6, -6, 0, .5}));
  EXPECT_EQ(ToDoubleVector(
                Converted(Floats({2, -2, .01f}), ElementType::kNf4)),
            (std::vector<double>{1, -1, 0}));
}

TEST(Convert, PadsPackedElementsWithZeros) {
  const Tensor result = Converted(Floats({1, 1, 1}), ElementType::kU4);
  EXPECT_EQ(result.data<uint8_t>()[1], 1);
}

TEST(Convert, StringsAreNoNumbers) {
  const std::vector<std::string> words = {"1"};
  const Tensor text = *Tensor::FromValues<std::string>({1}, words);
  EXPECT_EQ(ConvertTensor(text, ElementType::kF32).status().code(),
            absl::StatusCode::kUnimplemented);
  EXPECT_EQ(ConvertTensor(Floats({1}), ElementType::kString).status().code(),
            absl::StatusCode::kUnimplemented);
  EXPECT_TRUE(Converted(text, ElementType::kString).Equals(text));
  EXPECT_EQ(ConvertTensor(Floats({1}), ElementType::kDynamic).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ConvertTensor(Tensor(), ElementType::kF32).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace dovetail
