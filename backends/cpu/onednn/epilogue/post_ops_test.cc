#include "dovetail/backends/cpu/onednn/epilogue/post_ops.h"

#include <string>
#include <vector>

#include "dovetail/backends/common/compiler/weights_cache.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/ops/text/parse.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

using Algorithm = dnnl::algorithm;
using Algorithms = std::vector<Algorithm>;

// Of [1,2,3,3] channels: the same number, or each its own.
ChannelVector Same(float x) { return {x, x}; }

class PostOpsTest : public testing::Test {
 protected:
  PostOpsTest()
      : model_(*ParseModelText(R"(
          %p = Parameter-0() {shape: [1,2,3,3], element_type: f32}  # p
          %x = Sigmoid-0(%p) {}  # x
          %t = Tanh-0(%p) {}  # t
          %y = Add-1(%x, %t) {}  # sum
          %b = Parameter-0() {shape: [1,2,3,3], element_type: u8}  # bytes
          %r = Result-0(%y) {}  # out
        )")),
        builder_(model_, settings_, weights_, nullptr) {}

  Node* Find(const char* name) const {
    return const_cast<Node*>(model_.FindNode(name));
  }
  PostOps Lowered(const std::vector<EpilogueOp>& ops,
                  const PostOps::Options& options = {}) const {
    Epilogue epilogue;
    epilogue.anchor = {Find("x"), 0};
    for (const EpilogueOp& op : ops) {
      epilogue.stages.push_back({op, {Find("sum")}});
    }
    return PostOps(epilogue, options, builder_);
  }
  static Algorithms AlgorithmsOf(const PostOps& lowered) {
    Algorithms algorithms;
    for (const PostOp& op : lowered.ops()) algorithms.push_back(op.algorithm);
    return algorithms;
  }

  Model model_;
  CompileSettings settings_;
  WeightsCache weights_;
  PlanBuilder builder_;
};

TEST_F(PostOpsTest, ScalesAndBiasComeBeforePostOperations) {
  const std::vector<EpilogueOp> ops = {AffineOp{{2, 3}, Same(0)},
                                       AffineOp{Same(1), {5, 7}},
                                       ClampOp{Same(-1), Same(6)}};
  PostOps::Options options;
  options.takes_scales = true;
  const PostOps all = Lowered(ops, options);
  EXPECT_EQ(all.scales(), (ChannelVector{2, 3}));
  EXPECT_EQ(all.bias(), (ChannelVector{5, 7}));
  EXPECT_EQ(AlgorithmsOf(all), Algorithms{Algorithm::eltwise_clip});
  EXPECT_EQ(all.ops()[0].alpha, -1);
  EXPECT_EQ(all.ops()[0].beta, 6);

  options.takes_scales = options.takes_bias = false;
  const PostOps none = Lowered(ops, options);
  EXPECT_TRUE(none.scales().empty());
  EXPECT_TRUE(none.bias().empty());
  EXPECT_EQ(AlgorithmsOf(none),
            (Algorithms{Algorithm::binary_mul, Algorithm::binary_add,
                        Algorithm::eltwise_clip}));
}

TEST_F(PostOpsTest, WhatAllChannelsHaveIsOneOperation) {
  const PostOps lowered = Lowered(
      {AffineOp{Same(2), Same(3)}, AffineOp{Same(2), {3, 4}},
       SlopeOp{Same(0.5f)}, SlopeOp{{0.5f, 0.25f}}, ClampOp{{1, 2}, Same(9)}});
  EXPECT_EQ(AlgorithmsOf(lowered),
            (Algorithms{Algorithm::eltwise_linear, Algorithm::eltwise_linear,
                        Algorithm::binary_add, Algorithm::eltwise_relu,
                        Algorithm::undef, Algorithm::binary_max,
                        Algorithm::binary_min}));
  EXPECT_EQ(lowered.ops()[0].beta, 3);
  EXPECT_EQ(lowered.ops()[1].beta, 0);
  EXPECT_EQ(lowered.ops()[4].kind, PostOp::Kind::kPRelu);
}

TEST_F(PostOpsTest, NothingIsDoneWhereNothingChanges) {
  PostOps::Options options;
  options.takes_bias = false;
  EXPECT_TRUE(Lowered({AffineOp{Same(1), Same(0)}}, options).ops().empty());
}

// Others may still read what is not computed yet.
TEST_F(PostOpsTest, AccumulatesOnWhatNobodyElseNeeds) {
  PostOps::Options options;
  options.accumulates = true;
  const ResidualOp residual = {Find("sum"), {Find("t"), 0}};
  EXPECT_EQ(Lowered({residual}, options).residual(), residual.value);
  EXPECT_FALSE(Lowered({residual}).residual());
  const PostOps second =
      Lowered({ClampOp{Same(0), Same(6)}, residual}, options);
  EXPECT_FALSE(second.residual());
  EXPECT_EQ(second.ops()[1].algorithm, Algorithm::binary_add);
  const ResidualOp input = {Find("sum"), {Find("p"), 0}};
  EXPECT_FALSE(Lowered({input}, options).residual());
}

QuantizeOp QuantizeOf(float steps, float offset) {
  return {Same(2), Same(1), steps, Same(1), Same(offset), true};
}

// What sums of integers are scaled by, and no operation is left.
TEST_F(PostOpsTest, IntegersAreQuantizedByScalesAndBias) {
  PostOps::Options options;
  options.takes_scales = true;
  const StoreOp store = {ElementType::kU8};
  const QuantizeOp to_bytes = {{10, 20}, Same(3), 255, Same(1), Same(0), true};
  const PostOps lowered =
      Lowered({AffineOp{{2, 3}, Same(0)}, AffineOp{Same(1), {5, 7}},
               ClampOp{Same(-1), Same(26)}, to_bytes, store},
              options);
  EXPECT_EQ(lowered.scales(), (ChannelVector{20, 60}));
  EXPECT_EQ(lowered.bias(), (ChannelVector{53, 143}));
  EXPECT_TRUE(lowered.ops().empty());

  const PostOps limited =
      Lowered({ClampOp{Same(0), Same(6)}, to_bytes, store}, options);
  EXPECT_EQ(AlgorithmsOf(limited),
            (Algorithms{Algorithm::binary_max, Algorithm::binary_min}));
  EXPECT_EQ(limited.ops()[0].channels, (ChannelVector{3, 3}));
  EXPECT_EQ(limited.ops()[1].channels, (ChannelVector{63, 123}));
}

// Steps of the second operand, so that it is added as it is.
TEST_F(PostOpsTest, IntegersAreAddedInTheirSteps) {
  PostOps::Options options;
  options.takes_scales = true;
  const Value bytes = {Find("bytes"), 0};
  const PostOps lowered =
      Lowered({QuantizeOp{Same(2), Same(1), 255, Same(0.5f), Same(4), false},
               ResidualOp{Find("sum"), bytes, 0.25f, -1},
               QuantizeOp{Same(8), Same(0), 255, Same(1), Same(0), true},
               StoreOp{ElementType::kU8}},
              options);
  EXPECT_EQ(AlgorithmsOf(lowered),
            (Algorithms{Algorithm::eltwise_round, Algorithm::eltwise_clip,
                        Algorithm::eltwise_linear, Algorithm::binary_add,
                        Algorithm::eltwise_linear}));
  EXPECT_EQ(lowered.ops()[2].alpha, 2);
  EXPECT_EQ(lowered.ops()[2].beta, 12);
  EXPECT_EQ(lowered.ops()[3].tensor, bytes);
  EXPECT_EQ(lowered.ops()[4].alpha, 2);
}

TEST_F(PostOpsTest, BytesAreRoundedAndLimitedWhereTheyAreStored) {
  const StoreOp store = {ElementType::kU8};
  EXPECT_EQ(AlgorithmsOf(Lowered({QuantizeOf(255, 0), store})),
            Algorithms{Algorithm::eltwise_linear});
  EXPECT_EQ(AlgorithmsOf(Lowered({QuantizeOf(255, 0)})),
            (Algorithms{Algorithm::eltwise_linear, Algorithm::eltwise_round,
                        Algorithm::eltwise_clip}));
}

// Storing limits to the range of bytes, not to fewer levels.
TEST_F(PostOpsTest, FewerLevelsAreLimitedBefore) {
  const PostOps lowered =
      Lowered({QuantizeOf(15, 0), StoreOp{ElementType::kU8}});
  EXPECT_EQ(AlgorithmsOf(lowered),
            (Algorithms{Algorithm::eltwise_linear, Algorithm::eltwise_clip}));
  EXPECT_EQ(lowered.ops()[1].beta, 15);
}

TEST_F(PostOpsTest, SignedBytesAreRoundedAndLimitedAsWell) {
  const StoreOp store = {ElementType::kI8};
  const PostOps lowered = Lowered({QuantizeOf(255, -128), store});
  EXPECT_EQ(AlgorithmsOf(lowered), Algorithms{Algorithm::eltwise_linear});
  EXPECT_EQ(lowered.ops()[0].beta,
            Lowered({QuantizeOf(255, 0)}).ops()[0].beta - 128);
  const PostOps fewer = Lowered({QuantizeOf(250, -126), store});
  ASSERT_EQ(AlgorithmsOf(fewer),
            (Algorithms{Algorithm::eltwise_linear, Algorithm::eltwise_clip}));
  EXPECT_EQ(fewer.ops()[1].alpha, -126);
  EXPECT_EQ(fewer.ops()[1].beta, 124);
}

// The even one of two levels would be an odd number: stores take the other.
TEST_F(PostOpsTest, OddFirstNumbersAreRoundedBeforeStoring) {
  const PostOps lowered =
      Lowered({QuantizeOf(254, -127), StoreOp{ElementType::kI8}});
  EXPECT_EQ(AlgorithmsOf(lowered),
            (Algorithms{Algorithm::eltwise_linear, Algorithm::eltwise_round,
                        Algorithm::eltwise_clip, Algorithm::eltwise_linear}));
  EXPECT_EQ(lowered.ops()[3].beta, -127);
}

}  // namespace
}  // namespace dovetail::cpu
