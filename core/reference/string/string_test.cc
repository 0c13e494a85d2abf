#include "dovetail/core/reference/string/string.h"

#include <string>

#include "dovetail/core/ops/string/table.h"
#include "dovetail/core/reference/string/table.h"
#include "dovetail/core/reference/testing/run_op.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::HasSubstr;

const OpTester tester(StringOps(), StringKernels());

// "abcd"
Tensor Symbols() {
  return TensorOf(ElementType::kU8, Shape({4}), {97, 98, 99, 100});
}

TEST(StringTensorPackTest, CutsStringsOut) {
  const auto outputs = tester.Outputs(
      "StringTensorPack-15", {Int32s(Shape({3}), {0, 1, 4}),
                              Int32s(Shape({3}), {2, 4, 4}), Symbols()});
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  EXPECT_THAT((*outputs)[0].span<std::string>(),
              testing::ElementsAre("ab", "bcd", ""));
}

TEST(StringTensorPackTest, StaysWithinTheSymbols) {
  EXPECT_THAT(tester.Run("StringTensorPack-15",
                         {Int64s(Shape({1}), {3}), Int64s(Shape({1}), {5}),
                          Symbols()}),
              HasSubstr("string 0 is [3, 5) of 4 symbols"));
  EXPECT_THAT(tester.Run("StringTensorPack-15",
                         {Int64s(Shape({1}), {-1}), Int64s(Shape({1}), {2}),
                          Symbols()}),
              HasSubstr("string 0 is [-1, 2)"));
  EXPECT_THAT(tester.Run("StringTensorPack-15",
                         {Int64s(Shape({1}), {2}), Int64s(Shape({1}), {1}),
                          Symbols()}),
              HasSubstr("string 0 is [2, 1)"));
}

TEST(StringTensorUnpackTest, LaysStringsEndToEnd) {
  const std::string strings[] = {"ab", "", "cd"};
  const Tensor x =
      Tensor::FromValues<std::string>(Shape({3}), strings).value();
  EXPECT_EQ(tester.Run("StringTensorUnpack-15", {x}),
            "i32[3] {0, 2, 2}; i32[3] {2, 2, 4}; u8[4] {97, 98, 99, 100}");
}

}  // namespace
}  // namespace dovetail
