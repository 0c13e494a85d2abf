#include "dovetail/core/ops/string/string.h"

#include "dovetail/core/ops/string/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::HasSubstr;

const InferTester tester(StringOps());

TEST(StringTensorPackTest, GivesAStringForEachBeginAndEnd) {
  const InputSpec symbols = Typed(ElementType::kU8, {-1});
  EXPECT_EQ(tester.Shapes("StringTensorPack-15",
                          {I32({2, -1}), I32({-1, 3}), symbols}),
            "string[2,3]");
  EXPECT_THAT(tester.Error("StringTensorPack-15",
                           {I32({2}), I32({3}), symbols}),
              HasSubstr("input 1 has shape [3], want [2] as input 0 has"));
  EXPECT_THAT(tester.Error("StringTensorPack-15",
                           {I32({2}), I64({2}), symbols}),
              HasSubstr("input 1 has type i64"));
  EXPECT_THAT(tester.Error("StringTensorPack-15",
                           {I32({2}), I32({2}), I32({9})}),
              HasSubstr("input 2 has type i32, want u8"));
}

TEST(StringTensorUnpackTest, CannotKnowHowManySymbolsThereAre) {
  EXPECT_EQ(tester.Shapes("StringTensorUnpack-15",
                          {Typed(ElementType::kString, {2, -1})}),
            "i32[2,?] i32[2,?] u8[?]");
  EXPECT_EQ(tester.Shapes("StringTensorUnpack-15",
                          {Typed(ElementType::kString, {2, 0})}),
            "i32[2,0] i32[2,0] u8[0]");
  EXPECT_THAT(tester.Error("StringTensorUnpack-15", {F32({2})}),
              HasSubstr("want string"));
}

}  // namespace
}  // namespace dovetail
