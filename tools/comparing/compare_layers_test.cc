#include "dovetail/tools/comparing/compare_layers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "dovetail/core/plugin/registry/registry.h"
#include "dovetail/testing/fakes/device/fake_device.h"
#include "dovetail/testing/fakes/fake_plugin.h"
#include "dovetail/testing/graphs/small_models.h"

namespace dovetail::comparing {
namespace {

// Two convolutions around a skip connection, and a classifier's end.
Model ResidualModel() {
  return ModelOf(R"(model "residual"
    %x = Parameter-0() {shape: [1,2,4,4], element_type: f32} : f32[1,2,4,4]  # x
    %w = Constant-0() {value: f32[2,2,1,1] {0.5,-1,0.25,2}} : f32[2,2,1,1]  # w
    %c1 = Convolution-1(%x, %w) {strides: [1,1], dilations: [1,1], pads_begin: [0,0], pads_end: [0,0], auto_pad: explicit} : f32[1,2,4,4]  # conv1
    %r1 = Relu-0(%c1) {} : f32[1,2,4,4]  # relu1
    %c2 = Convolution-1(%r1, %w) {strides: [1,1], dilations: [1,1], pads_begin: [0,0], pads_end: [0,0], auto_pad: explicit} : f32[1,2,4,4]  # conv2
    %s = Add-1(%c2, %x) {auto_broadcast: numpy} : f32[1,2,4,4]  # skip
    %r2 = Relu-0(%s) {} : f32[1,2,4,4]  # relu2
    %a = Constant-0() {value: i64[2] {2,3}} : i64[2]  # axes
    %m = ReduceMean-1(%r2, %a) {keep_dims: false} : f32[1,2]  # pool
    %o = Result-0(%m) {}  # out
  )");
}

// Attention of three tokens, written out.
Model AttentionModel() {
  return ModelOf(R"(model "attention"
    %x = Parameter-0() {shape: [3,2], element_type: f32} : f32[3,2]  # x
    %wq = Constant-0() {value: f32[2,2] {1,0.5,-0.5,2}} : f32[2,2]  # wq
    %wv = Constant-0() {value: f32[2,2] {0.25,1,1,-1}} : f32[2,2]  # wv
    %h = Constant-0() {value: f32[] {0.7}} : f32[]  # scale
    %q = MatMul-0(%x, %wq) {transpose_a: false, transpose_b: false} : f32[3,2]  # query
    %v = MatMul-0(%x, %wv) {transpose_a: false, transpose_b: false} : f32[3,2]  # value
    %s = MatMul-0(%q, %x) {transpose_a: false, transpose_b: true} : f32[3,3]  # scores
    %d = Multiply-1(%s, %h) {auto_broadcast: numpy} : f32[3,3]  # scaled
    %p = Softmax-8(%d) {axis: 1} : f32[3,3]  # probabilities
    %c = MatMul-0(%p, %v) {transpose_a: false, transpose_b: false} : f32[3,2]  # context
    %r = Add-1(%c, %x) {auto_broadcast: numpy} : f32[3,2]  # residual
    %t = Tanh-0(%r) {} : f32[3,2]  # tanh
    %o = Result-0(%t) {}  # out
  )");
}

// "GOOD" and "BAD" are the same device until a kernel of BAD's is spoilt.
class CompareLayersTest : public testing::Test {
 protected:
  CompareLayersTest()
      : good_(std::make_shared<FakeDevice>("GOOD")),
        bad_(std::make_shared<FakeDevice>("BAD")),
        core_(&registry_) {
    EXPECT_TRUE(
        registry_.Register("GOOD", [this] { return MakeFakePlugin(good_); })
            .ok());
    EXPECT_TRUE(
        registry_.Register("BAD", [this] { return MakeFakePlugin(bad_); })
            .ok());
  }

  absl::StatusOr<Comparison> Compare(const Model& model) {
    const Value x{model.parameters()[0], 0};
    Tensor input = *Tensor::Allocate(ElementType::kF32, *x.shape().ToShape());
    for (int64_t i = 0; i < input.element_count(); ++i) {
      input.mutable_data<float>()[i] = 0.1f * static_cast<float>(i % 7) - 0.2f;
    }
    return CompareLayers(core_, model, {input}, {"GOOD", {}}, {"BAD", {}},
                         1e-5);
  }

  // An error in any one layer is found there, and nowhere else.
  void FindsErrorsOf(const Model& model) {
    const std::vector<Node*> order = *model.TopologicalOrder();
    for (const Node* node : order) {
      if (node->op().Has(kStructural)) continue;
      SCOPED_TRACE(node->Describe());
      bad_->SpoilRun(node->name(), [](Tensor& output) {
        output.mutable_data<float>()[1] += 0.125f;
      });
      const auto comparison = Compare(model);
      ASSERT_TRUE(comparison.ok()) << comparison.status();
      ASSERT_NE(comparison->first_off, -1);
      const ComparedLayer& first = comparison->layers[comparison->first_off];
      EXPECT_EQ(first.name, node->name());
      EXPECT_NEAR(first.own.largest, 0.125, 1e-5);
      EXPECT_EQ(first.own.differing, 1);
      int off = 0;
      for (const ComparedLayer& layer : comparison->layers) off += layer.is_off;
      EXPECT_EQ(off, 1);
    }
  }

  std::shared_ptr<FakeDevice> good_, bad_;
  PluginRegistry registry_;
  Core core_;
};

TEST_F(CompareLayersTest, NothingIsOffWhereAllIsTheSame) {
  for (const Model& model : {ResidualModel(), AttentionModel()}) {
    const auto comparison = Compare(model);
    ASSERT_TRUE(comparison.ok()) << comparison.status();
    EXPECT_EQ(comparison->first_off, -1);
    EXPECT_FALSE(comparison->outputs_off);
    EXPECT_GT(comparison->layers.size(), 5u);
    for (const ComparedLayer& layer : comparison->layers) {
      EXPECT_EQ(layer.own.largest, 0) << layer.name;
      EXPECT_GT(layer.own.count, 0) << layer.name;
    }
  }
}

TEST_F(CompareLayersTest, FindsAnErrorInAnyLayerOfAConvolutionalNetwork) {
  FindsErrorsOf(ResidualModel());
}

TEST_F(CompareLayersTest, FindsAnErrorInAnyLayerOfAttention) {
  FindsErrorsOf(AttentionModel());
}

TEST_F(CompareLayersTest, FollowsTheErrorThroughTheNetwork) {
  bad_->SpoilRun("conv2", [](Tensor& output) {
    for (float& x : output.mutable_span<float>()) x *= 2;
  });
  const auto comparison = Compare(ResidualModel());
  ASSERT_TRUE(comparison.ok()) << comparison.status();
  EXPECT_TRUE(comparison->outputs_off);
  for (const ComparedLayer& layer : comparison->layers) {
    const bool before = layer.name == "conv1" || layer.name == "relu1";
    EXPECT_EQ(layer.through.largest == 0, before) << layer.name;
  }
}

}  // namespace
}  // namespace dovetail::comparing
