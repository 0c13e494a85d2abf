// An export of a model whose weights have changed since: the layer is found
// that reads them.
#include "dovetail/tools/comparing/compare_export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/testing/graphs/small_models.h"

namespace dovetail::comparing {
namespace {

using testing::HasSubstr;

// Weights of the layers below; `changed` says whose first number is another.
Model NetworkWith(const std::string& changed = "") {
  const auto first = [&](const char* layer) {
    return layer == changed ? "0.75" : "0.5";
  };
  const std::string convolution =
      "{strides: [1,1], dilations: [1,1], pads_begin: [0,0], pads_end: [0,0], "
      "auto_pad: explicit} : f32[1,2,4,4]  # ";
  return ModelOf(absl::StrCat(
      R"(model "network"
    %x = Parameter-0() {shape: [1,2,4,4], element_type: f32} : f32[1,2,4,4] "x"
    %w1 = Constant-0() {value: f32[2,2,1,1] {)",
      first("conv1"), R"(,-1,0.25,2}} : f32[2,2,1,1]
    %c1 = Convolution-1(%x, %w1) )", convolution, R"(conv1
    %r1 = Relu-0(%c1) {} : f32[1,2,4,4]  # relu1
    %w2 = Constant-0() {value: f32[2,2,1,1] {)", first("conv2"),
      R"(,1,0.25,-1}} : f32[2,2,1,1]
    %c2 = Convolution-1(%r1, %w2) )", convolution, R"(conv2
    %s = Add-1(%c2, %x) {auto_broadcast: numpy} : f32[1,2,4,4]  # skip
    %t = Tanh-0(%s) {} : f32[1,2,4,4]  # tanh
    %a = Constant-0() {value: i64[2] {1,32}} : i64[2]
    %f = Reshape-1(%t, %a) {special_zero: false} : f32[1,32]  # flat
    %g = Softmax-8(%f) {axis: 1} : f32[1,32]  # gate
    %m = Multiply-1(%g, %f) {auto_broadcast: numpy} : f32[1,32]  # gated
    %k = Constant-0() {value: f32[] {)", first("shift"),
      R"(}} : f32[]
    %p = Add-1(%m, %k) {auto_broadcast: numpy} : f32[1,32]  # shift
    %e = Erf-0(%p) {} : f32[1,32]  # erf
    %o = Result-0(%e) {}  # out)"));
}

class CompareExportTest : public testing::TestWithParam<std::string> {
 protected:
  CompiledModel Exported(const Model& model) {
    const PropertyMap f32 = {{"INFERENCE_PRECISION_HINT", "f32"}};
    const auto compiled = core_.Compile(model, GetParam(), f32);
    return core_.ImportFromString(*compiled->ExportToString()).value();
  }
  absl::StatusOr<Comparison> Compare(const Model& model,
                                     const CompiledModel& exported) {
    std::vector<double> values;
    for (int i = 0; i < 32; ++i) values.push_back(0.1 * (i % 7) - 0.2);
    return CompareExport(core_, model, {Floats({1, 2, 4, 4}, values)},
                         {"REFERENCE", {}}, exported, GetParam(), 1e-4);
  }

  Core core_;
};

TEST_P(CompareExportTest, TheSameModelIsNotOff) {
  const Model model = NetworkWith();
  const auto comparison = Compare(model, Exported(model));
  ASSERT_TRUE(comparison.ok()) << comparison.status();
  EXPECT_EQ(comparison->first_off, -1);
  EXPECT_FALSE(comparison->outputs_off);
  std::vector<std::string> names;
  for (const ComparedLayer& layer : comparison->layers) {
    names.push_back(layer.name);
    EXPECT_LT(layer.through.relative, 1e-4) << layer.name;
  }
  EXPECT_THAT(names, testing::IsSupersetOf(
                         {"relu1", "skip", "tanh", "gate", "gated", "erf"}));
}

TEST_P(CompareExportTest, TheLayerWithOtherWeightsIsNamed) {
  const Model model = NetworkWith();
  for (const std::string changed : {"conv1", "conv2", "shift"}) {
    SCOPED_TRACE(changed);
    const auto comparison = Compare(model, Exported(NetworkWith(changed)));
    ASSERT_TRUE(comparison.ok()) << comparison.status();
    EXPECT_TRUE(comparison->outputs_off);
    ASSERT_NE(comparison->first_off, -1);
    EXPECT_EQ(comparison->layers[comparison->first_off].name, changed);
    int off = 0;
    for (const ComparedLayer& layer : comparison->layers) off += layer.is_off;
    EXPECT_EQ(off, 1);
  }
}

// y = relu(second(first(x) + shift) + last): what is between the products may
// be computed behind them.
Model ShiftedWith(const std::string& changed = "") {
  const auto first = [&](const char* layer) {
    return layer == changed ? "0.75" : "0.5";
  };
  const std::string convolution =
      "{strides: [1,1], dilations: [1,1], pads_begin: [0,0], pads_end: [0,0], "
      "auto_pad: explicit} : f32[1,2,4,4]  # ";
  return ModelOf(absl::StrCat(
      R"(model "shifted"
    %x = Parameter-0() {shape: [1,2,4,4], element_type: f32} : f32[1,2,4,4] "x"
    %w1 = Constant-0() {value: f32[2,2,1,1] {1,-1,0.25,2}} : f32[2,2,1,1]
    %c1 = Convolution-1(%x, %w1) )", convolution, R"(first
    %h = Constant-0() {value: f32[1,2,1,1] {)", first("shift"),
      R"(,3}} : f32[1,2,1,1]
    %s = Add-1(%c1, %h) {auto_broadcast: numpy} : f32[1,2,4,4]  # shift
    %w2 = Constant-0() {value: f32[2,2,1,1] {)", first("second"),
      R"(,1,0.25,-1}} : f32[2,2,1,1]
    %c2 = Convolution-1(%s, %w2) )", convolution, R"(second
    %k = Constant-0() {value: f32[1,2,1,1] {0.5,-1}} : f32[1,2,1,1]
    %t = Add-1(%c2, %k) {auto_broadcast: numpy} : f32[1,2,4,4]  # last
    %r = Relu-0(%t) {} : f32[1,2,4,4]  # relu
    %o = Result-0(%r) {}  # out)"));
}

TEST_P(CompareExportTest, WhatPassesMoveToLaterLayersIsNoError) {
  const Model model = ShiftedWith();
  const auto same = Compare(model, Exported(model));
  ASSERT_TRUE(same.ok()) << same.status();
  EXPECT_EQ(same->first_off, -1);
  for (const std::string changed : {"shift", "second"}) {
    SCOPED_TRACE(changed);
    const auto other = Compare(model, Exported(ShiftedWith(changed)));
    ASSERT_TRUE(other.ok()) << other.status();
    ASSERT_NE(other->first_off, -1);
    // The layer, or one up to that to which it was moved.
    EXPECT_THAT(other->layers[other->first_off].name,
                testing::AnyOf("shift", "second", "last"));
  }
}

TEST_P(CompareExportTest, AnotherModelIsRefused) {
  const auto comparison = Compare(NetworkWith(), Exported(TwoByTwoModel()));
  EXPECT_EQ(comparison.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(comparison.status().message()),
              HasSubstr("the exported model has 2 inputs, the model 1"));
}

INSTANTIATE_TEST_SUITE_P(Devices, CompareExportTest,
                         testing::Values("CPU", "REFERENCE"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace dovetail::comparing
