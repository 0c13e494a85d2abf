// An error in any one layer of a large network is found there: ResNet-50, for
// pictures small enough that it is tried with each of its layers, and a small
// BERT with its attention written out. Parts of the layers are tests of their
// own, so that a few of them can be taken as a sample.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/core/plugin/registry/registry.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/extensions/npy/npy.h"
#include "dovetail/testing/fakes/device/fake_device.h"
#include "dovetail/testing/fakes/fake_plugin.h"
#include "dovetail/testing/shared_files.h"
#include "dovetail/tools/comparing/compare_layers.h"
#include "dovetail/tools/comparing/layer_outputs.h"
#include "dovetail/tools/conformance/topologies/generated_weights.h"

namespace dovetail::comparing {
namespace {

constexpr int64_t kMemory = int64_t{8} << 30;
constexpr int kParts = 40;

class PlantedErrorsTest : public testing::TestWithParam<int> {
 protected:
  PlantedErrorsTest()
      : good_(std::make_shared<FakeDevice>("GOOD", kMemory)),
        bad_(std::make_shared<FakeDevice>("BAD", kMemory)),
        core_(&registry_) {
    for (const auto& device : {good_, bad_}) {
      EXPECT_TRUE(registry_
                      .Register(device->name(),
                                [device] { return MakeFakePlugin(device); })
                      .ok());
    }
  }

  void Read(const std::string& folder, int input_count) {
    const std::string weights = absl::StrCat(testing::TempDir(), "/model.bin");
    ASSERT_TRUE(conformance::WriteGeneratedWeights(folder, weights).ok());
    auto model = core_.ReadModel(folder + "/model.xml", weights);
    ASSERT_TRUE(model.ok()) << model.status();
    model_ = *std::move(model);
    for (int i = 0; i < input_count; ++i) {
      auto input = ReadNpy(absl::StrCat(folder, "/in", i, ".npy"));
      ASSERT_TRUE(input.ok()) << input.status();
      inputs_.push_back(*std::move(input));
    }
  }

  // The corner of the picture, of that many rows and columns.
  void TakeCorner(int64_t side) {
    ASSERT_TRUE(model_->ReshapeByIndex({{0, {1, 3, side, side}}}).ok());
    inputs_[0] = *inputs_[0].Roi({0, 0, 0, 0}, {1, 3, side, side})->Clone();
  }

  // In each of the part's layers with floats: every kParts-th of them.
  void FindsErrors() {
    std::vector<Value> floats;
    for (const Value& output : LayerOutputs(*model_)) {
      if (IsFloat(output.type())) floats.push_back(output);
    }
    ASSERT_GT(floats.size(), 50u);
    for (size_t i = GetParam(); i < floats.size(); i += kParts) {
      const Node& node = *floats[i].node;
      SCOPED_TRACE(node.Describe());
      bad_->SpoilRun(node.name(), [](Tensor& output) {
        const int64_t at = output.element_count() / 2;
        output.mutable_data<float>()[at] =
            1.5f * output.data<float>()[at] + 0.5f;
      });
      const auto comparison = CompareLayers(core_, *model_, inputs_,
                                            {"GOOD", {}}, {"BAD", {}}, 1e-4);
      ASSERT_TRUE(comparison.ok()) << comparison.status();
      ASSERT_NE(comparison->first_off, -1);
      EXPECT_EQ(comparison->layers[comparison->first_off].name, node.name());
    }
  }

  std::shared_ptr<FakeDevice> good_, bad_;
  PluginRegistry registry_;
  Core core_;
  std::unique_ptr<Model> model_;
  std::vector<Tensor> inputs_;
};

TEST_P(PlantedErrorsTest, ResNet50) {
  DOVETAIL_SHARED_PATH_OR_SKIP(folder, "topologies/resnet50");
  ASSERT_NO_FATAL_FAILURE(Read(folder, 1));
  // The least for which the last pool has something to add up.
  ASSERT_NO_FATAL_FAILURE(TakeCorner(33));
  FindsErrors();
}

TEST_P(PlantedErrorsTest, Bert) {
  DOVETAIL_SHARED_PATH_OR_SKIP(folder, "topologies/bert_mini_eager");
  ASSERT_NO_FATAL_FAILURE(Read(folder, 2));
  FindsErrors();
}

INSTANTIATE_TEST_SUITE_P(Part, PlantedErrorsTest, testing::Range(0, kParts));

}  // namespace
}  // namespace dovetail::comparing
