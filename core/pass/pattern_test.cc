#include "dovetail/core/pass/pattern.h"

#include "dovetail/core/graph/testing/test_ops.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

class PatternTest : public testing::Test {
 protected:
  Model model_;
  Value x_ = AddTestParameter(model_, {2}, "x")->output();
  Value c_ = AddTestConstant(model_, *Tensor::Allocate(ElementType::kF32, {2}),
                             "c")->output();
  Value relu_ = AddTestNode(model_, "Relu", {x_}, "relu")->output();
  // The constant comes first.
  Value sum_ = AddTestNode(model_, "Add", {c_, relu_}, "sum")->output();
};

TEST_F(PatternTest, FindsAndNamesValues) {
  const auto match = Op("Add", {Op("Relu", {AnyValue().As("in")}).As("relu"),
                                AnyConstant().As("c")})
                         .MatchAt(sum_);
  ASSERT_TRUE(match.has_value());
  EXPECT_EQ(match->root(), sum_);
  EXPECT_EQ(match->at("in"), x_);
  EXPECT_EQ(match->at("relu"), relu_);
  EXPECT_EQ(match->at("c"), c_);
  EXPECT_FALSE(match->at("other"));
}

TEST_F(PatternTest, SaysWhenItDoesNotFit) {
  EXPECT_FALSE(AnyConstant().MatchAt(x_));
  EXPECT_FALSE(Op("Add", {AnyConstant(), AnyConstant()}).MatchAt(sum_));
  EXPECT_FALSE(Op("Add", {AnyValue()}).MatchAt(sum_));
  EXPECT_FALSE(AnyValue().MatchAt(Value{}));
  EXPECT_TRUE(Op("Add").MatchAt(sum_));
}

TEST_F(PatternTest, OrderMattersWhereInputsDoNotCommute) {
  const Value target =
      AddTestConstant(model_, *Tensor::FromValues<int64_t>({1}, {2}))
          ->output();
  const Value reshape =
      AddTestNode(model_, "Reshape", {relu_, target})->output();
  EXPECT_FALSE(
      Op("Reshape", {AnyConstant(), AnyValue()}).MatchAt(reshape));
  EXPECT_TRUE(Op("Reshape", {AnyValue(), AnyConstant()}).MatchAt(reshape));
}

TEST_F(PatternTest, OneNameIsOneValue) {
  const Pattern doubled =
      Op("Add", {AnyValue().As("v"), AnyValue().As("v")});
  EXPECT_FALSE(doubled.MatchAt(sum_));
  const Value twice = AddTestNode(model_, "Add", {x_, x_})->output();
  EXPECT_TRUE(doubled.MatchAt(twice));
}

TEST_F(PatternTest, CountsReaders) {
  const Pattern single = Op("Add", {Op("Relu").UsedOnce(), AnyValue()});
  EXPECT_TRUE(single.MatchAt(sum_));
  AddTestNode(model_, "Relu", {relu_});
  EXPECT_FALSE(single.MatchAt(sum_));
}

TEST_F(PatternTest, AsksConditions) {
  const auto of_rank = [](int rank) {
    return AnyValue().Where(
        [rank](Value v) { return v.shape().rank() == rank; });
  };
  EXPECT_TRUE(of_rank(1).MatchAt(x_));
  EXPECT_FALSE(of_rank(2).MatchAt(x_));
}

TEST_F(PatternTest, TriesChoicesInOrder) {
  const Pattern choice =
      OneOf({Op("Relu", {AnyConstant().As("constant")}),
             Op("Relu", {AnyValue().As("value")}), AnyValue().As("any")});
  const auto match = choice.MatchAt(relu_);
  ASSERT_TRUE(match.has_value());
  EXPECT_EQ(match->at("value"), x_);
  EXPECT_FALSE(match->at("constant"));
  EXPECT_FALSE(match->at("any"));
}

TEST_F(PatternTest, FailedAttemptsLeaveNoNames) {
  // In the first order "a" takes the constant before the second input fails.
  const auto match = Op("Add", {AnyValue().As("a"), AnyConstant().As("c")})
                         .MatchAt(sum_);
  ASSERT_TRUE(match.has_value());
  EXPECT_EQ(match->at("a"), relu_);
}

}  // namespace
}  // namespace dovetail
