// Tests of value_range.h, rt_info.h, op_info.h and fused_names.h.
#include <cmath>
#include <limits>

#include "dovetail/core/graph/fused_names.h"
#include "dovetail/core/graph/op_info.h"
#include "dovetail/core/graph/rt_info.h"
#include "dovetail/core/graph/testing/test_ops.h"
#include "dovetail/core/graph/value_range.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(ValueRangeTest, TensorIsExact) {
  const auto range =
      ValueRange::OfTensor(*Tensor::FromValues<int64_t>({3}, {1, -1, 7}));
  ASSERT_TRUE(range.has_value());
  EXPECT_TRUE(range->is_exact());
  EXPECT_EQ(range->ToInt64(), (std::vector<int64_t>{1, -1, 7}));
  EXPECT_EQ(range->ToPartialShape(), (PartialShape{1, Dimension(), 7}));
}

TEST(ValueRangeTest, LargeAndTextTensorsAreNotTracked) {
  EXPECT_FALSE(ValueRange::OfTensor(*Tensor::Allocate(ElementType::kI64,
                                                      {1025})));
  EXPECT_FALSE(ValueRange::OfTensor(*Tensor::Allocate(ElementType::kString,
                                                      {1})));
  EXPECT_FALSE(ValueRange::OfTensor(Tensor()));
}

TEST(ValueRangeTest, ShapeGoesThereAndBack) {
  const PartialShape shape{1, Dimension(2, 8), Dimension()};
  const ValueRange range = ValueRange::OfShape(shape);
  EXPECT_FALSE(range.is_exact());
  EXPECT_EQ(range.ToInt64(), std::nullopt);
  EXPECT_EQ(range.ToPartialShape(), shape);
}

TEST(ValueRangeTest, HugeValuesSaturate) {
  const ValueRange range = ValueRange::Exact({1e30, -1e30});
  EXPECT_EQ(range.ToInt64(), (std::vector<int64_t>{
                                 std::numeric_limits<int64_t>::max(),
                                 std::numeric_limits<int64_t>::min()}));
}

TEST(ValueRangeTest, NotANumberMayBeAnything) {
  const ValueRange range = ValueRange::Exact({std::nan("")});
  EXPECT_EQ(range[0], (ValueRange::Interval{-kInfinity, kInfinity}));
  EXPECT_EQ(range.ToPartialShape(), PartialShape{Dimension()});
}

TEST(RtInfoTest, SetsAndFindsPaths) {
  RtInfo info;
  EXPECT_EQ(info.Find({"a", "b"}), nullptr);
  info.Set({"a", "b"}, "text");
  ASSERT_NE(info.Find({"a", "b"}), nullptr);
  EXPECT_EQ(*info.Find({"a", "b"}), "text");
  EXPECT_EQ(info.Find({"a", "b", "c"}), nullptr);
  EXPECT_FALSE(info.empty());
}

TEST(OpInfoTest, OpsetRanges) {
  const OpsetRange range = OpsetRange::Between(2, 4) | OpsetRange::Since(17);
  EXPECT_FALSE(range.Contains(1));
  EXPECT_TRUE(range.Contains(2));
  EXPECT_TRUE(range.Contains(4));
  EXPECT_FALSE(range.Contains(5));
  EXPECT_TRUE(range.Contains(17));
  EXPECT_FALSE(range.Contains(40));
  EXPECT_EQ(range.first(), 2);
  EXPECT_EQ(OpsetRange::None().first(), 0);
}

TEST(OpInfoTest, Text) { EXPECT_EQ(TestOp("Relu").ToString(), "Relu-1"); }

TEST(FusedNamesTest, CommasAreEscaped) {
  const std::set<std::string> names = {"a", "b,c"};
  EXPECT_EQ(JoinFusedNames(names), "a,b\\,c");
  EXPECT_EQ(SplitFusedNames("a,b\\,c"), names);
  EXPECT_EQ(SplitFusedNames(""), std::set<std::string>{});
  EXPECT_EQ(SplitFusedNames(",a,,"), std::set<std::string>{"a"});
}

// As networks have them that were made from paths of Windows.
TEST(FusedNamesTest, BackslashesStayTheNames) {
  EXPECT_EQ(JoinFusedNames({"a\\b", "c\\"}), "a\\b,c\\\\");
  // All words of four letters of which some are special.
  constexpr char kLetters[] = {'a', ',', '\\'};
  std::set<std::string> words;
  for (int number = 0; number < 81; ++number) {
    std::string word;
    for (int i = 0, rest = number; i < 4; ++i, rest /= 3) {
      word += kLetters[rest % 3];
    }
    EXPECT_EQ(SplitFusedNames(JoinFusedNames({word, "next"})),
              (std::set<std::string>{word, "next"}));
    words.insert(word);
  }
  EXPECT_EQ(SplitFusedNames(JoinFusedNames(words)), words);
  // As others write it.
  EXPECT_EQ(SplitFusedNames("a\\b,c\\"),
            (std::set<std::string>{"a\\b", "c\\"}));
}

TEST(FusedNamesTest, NodeStandsForItself) {
  Model model = SmallTestModel();
  Node* relu = model.FindNode("relu");
  EXPECT_EQ(FusedNames(*relu), std::set<std::string>{"relu"});
  AddFusedNames(*relu, *model.FindNode("x"));
  EXPECT_EQ(FusedNames(*relu), (std::set<std::string>{"relu", "x"}));
  SetFusedNames(*relu, {"other"});
  EXPECT_EQ(FusedNames(*relu), std::set<std::string>{"other"});
}

TEST(FusedNamesTest, ListsAreJoinedWhoeverWroteThem) {
  Model model = SmallTestModel();
  Node& relu = *model.FindNode("relu");
  Node& x = *model.FindNode("x");
  SetFusedNames(relu, {"a,b", "c\\"});
  // As others write them: a backslash at the end, nothing between commas.
  constexpr absl::string_view kPath[] = {"fused_names_0", "value"};
  x.rt_info().Set(kPath, "d,,c\\,a\\");
  AddFusedNames(relu, x);
  EXPECT_EQ(FusedNames(relu),
            (std::set<std::string>{"a,b", "c\\", "c,a\\", "d"}));
}

}  // namespace
}  // namespace dovetail
