// Elements by index, FromDoubles and ToString.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "dovetail/core/tensor/tensor.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(Elements, EveryNumericTypeHoldsSmallNumbers) {
  for (ElementType type : AllElementTypes()) {
    if (type == ElementType::kString) continue;
    // 1 is a value of every type, and so is 0 but in f8e8m0.
    const std::vector<double> values = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    const auto tensor = Tensor::FromDoubles(type, {11}, values);
    ASSERT_TRUE(tensor.ok()) << tensor.status();
    EXPECT_EQ(ToDoubleVector(*tensor), values) << type;
    EXPECT_EQ(ToInt64Vector(*tensor), std::vector<int64_t>(11, 1)) << type;
  }
}

// The largest and the least number that SetElement leaves in each type.
TEST(Elements, IntegersSaturateAndRound) {
  struct Row {
    ElementType type;
    int64_t least, most;
  };
  const Row rows[] = {
      {ElementType::kI2, -2, 1},
      {ElementType::kI4, -8, 7},
      {ElementType::kI8, -128, 127},
      {ElementType::kI16, -32768, 32767},
      {ElementType::kI32, std::numeric_limits<int32_t>::min(),
       std::numeric_limits<int32_t>::max()},
      {ElementType::kI64, std::numeric_limits<int64_t>::min(),
       std::numeric_limits<int64_t>::max()},
      {ElementType::kU1, 0, 1},
      {ElementType::kU2, 0, 3},
      {ElementType::kU3, 0, 7},
      {ElementType::kU4, 0, 15},
      {ElementType::kU6, 0, 63},
      {ElementType::kU8, 0, 255},
      {ElementType::kU16, 0, 65535},
      {ElementType::kU32, 0, std::numeric_limits<uint32_t>::max()},
  };
  for (const Row& row : rows) {
    const auto tensor = Tensor::FromDoubles(
        row.type, {8}, {kInf, -kInf, 1e30, -1e30, kNan, 0.5, 0.6, -0.5});
    ASSERT_TRUE(tensor.ok()) << tensor.status();
    EXPECT_EQ(ToInt64Vector(*tensor),
              (std::vector<int64_t>{row.most, row.least, row.most, row.least, 0,
                                    0, 1, 0}))
        << row.type;
  }
  const auto even = Tensor::FromDoubles(ElementType::kI32, {4},
                                        {1.5, 2.5, -1.5, -2.5});
  EXPECT_EQ(ToInt64Vector(*even), (std::vector<int64_t>{2, 2, -2, -2}));
}

TEST(Elements, U64) {
  const auto tensor = Tensor::FromDoubles(ElementType::kU64, {4},
                                          {1e30, -1, kNan, 1e19});
  EXPECT_EQ(tensor->data<uint64_t>()[0], std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(tensor->data<uint64_t>()[1], 0u);
  EXPECT_EQ(tensor->data<uint64_t>()[2], 0u);
  EXPECT_EQ(tensor->data<uint64_t>()[3], 10000000000000000000u);
  EXPECT_EQ(tensor->ElementAsDouble(3), 1e19);
  EXPECT_EQ(tensor->ElementAsInt64(3), std::numeric_limits<int64_t>::max());
}

TEST(Elements, I64KeepsAllItsDigits) {
  const auto tensor =
      Tensor::FromValues<int64_t>({1}, {(int64_t{1} << 53) + 1});
  EXPECT_EQ(tensor->ElementAsInt64(0), (int64_t{1} << 53) + 1);
}

TEST(Elements, FloatsAreCutOffAndSaturateAsInt64) {
  const auto tensor = Tensor::FromDoubles(ElementType::kF64, {6},
                                          {1.9, -1.9, kInf, -kInf, kNan, 1e18});
  EXPECT_EQ(ToInt64Vector(*tensor),
            (std::vector<int64_t>{1, -1, std::numeric_limits<int64_t>::max(),
                                  std::numeric_limits<int64_t>::min(), 0,
                                  1000000000000000000}));
}

TEST(Elements, BooleanIsNotZero) {
  const auto tensor = Tensor::FromDoubles(ElementType::kBoolean, {4},
                                          {0, 0.25, -3, kNan});
  EXPECT_EQ(ToInt64Vector(*tensor), (std::vector<int64_t>{0, 1, 1, 1}));
  uint8_t byte = 7;  // some writers of files have more than one "true"
  const auto odd = Tensor::Borrow(ElementType::kBoolean, {1}, &byte, 1);
  EXPECT_EQ(odd->ElementAsInt64(0), 1);
  EXPECT_EQ(odd->ElementAsDouble(0), 1.0);
}

TEST(Elements, FloatsOverflowAsTheirFormatSays) {
  const auto f16 = Tensor::FromDoubles(ElementType::kF16, {2}, {1e30, 1.0001});
  EXPECT_EQ(ToDoubleVector(*f16), (std::vector<double>{kInf, 1}));
  const auto f32 = Tensor::FromDoubles(ElementType::kF32, {1}, {1e300});
  EXPECT_EQ(f32->ElementAsDouble(0), kInf);
}

TEST(FromDoubles, RefusesStringsAndWrongNumbers) {
  EXPECT_FALSE(Tensor::FromDoubles(ElementType::kString, {1}, {1}).ok());
  EXPECT_FALSE(Tensor::FromDoubles(ElementType::kF32, {2}, {1}).ok());
  EXPECT_FALSE(Tensor::FromDoubles(ElementType::kDynamic, {1}, {1}).ok());
}

TEST(ToString, ShowsTypeShapeAndSomeElements) {
  const Tensor tensor = *Tensor::FromValues<float>({2, 2}, {1, 2.5f, -3, 4});
  EXPECT_EQ(tensor.ToString(), "f32[2,2] {1, 2.5, -3, 4}");
  EXPECT_EQ(tensor.ToString(2), "f32[2,2] {1, 2.5, …}");
  EXPECT_EQ(tensor.ToString(0), "f32[2,2] {…}");
  EXPECT_EQ(tensor.ToString(-1), "f32[2,2] {…}");
  EXPECT_EQ(tensor.Roi({0, 1}, {2, 2})->ToString(), "f32[2,1] {2.5, 4}");
  EXPECT_EQ(Tensor::Allocate(ElementType::kI64, {0})->ToString(), "i64[0] {}");
  EXPECT_EQ(Tensor::FromValues<bool>({2}, {true, false})->ToString(),
            "boolean[2] {true, false}");
  EXPECT_EQ(Tensor::FromDoubles(ElementType::kI4, {2}, {-8, 7})->ToString(),
            "i4[2] {-8, 7}");
  EXPECT_EQ(Tensor::FromValues<uint64_t>(
                {}, {std::numeric_limits<uint64_t>::max()})
                ->ToString(),
            "u64[] {18446744073709551615}");
  const std::vector<std::string> words = {"a\n"};
  EXPECT_EQ(Tensor::FromValues<std::string>({1}, words)->ToString(),
            "string[1] {\"a\\n\"}");
}

}  // namespace
}  // namespace dovetail
