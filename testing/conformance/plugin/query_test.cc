// What a device says that it can run, and that this is what it runs.

#include <string>
#include <vector>

#include "dovetail/core/graph/testing/test_ops.h"
#include "dovetail/core/ops/op_table.h"
#include "dovetail/core/ops/text/parse.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/testing/backend/device_test.h"
#include "dovetail/testing/graphs/small_models.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// An operation that nobody has an implementation of.
const OpInfo* FindStrangeOp(absl::string_view type, int version) {
  return type == "NoRule" ? &TestOp(type) : FindOp(type, version);
}

Model StrangeModel() {
  return ParseModelText(R"(model "strange"
    %x = Parameter-0() {shape: [2], element_type: f32} : f32[2] "x"
    %r = Relu-0(%x) {}  # relu
    %s = NoRule-1(%r) {} : f32[2]  # strange_layer
    %o = Result-0(%s) {})",
                        FindStrangeOp)
      .value();
}

std::vector<Model> Models() {
  std::vector<Model> models;
  models.push_back(ChainModel());
  models.push_back(DynamicModel());
  models.push_back(TwoByTwoModel());
  models.push_back(CounterModel());
  models.push_back(LongModel(3, 4));
  models.push_back(StrangeModel());
  return models;
}

class QueryTest : public DeviceTest {
 protected:
  absl::StatusOr<QueryResult> Query(const Model& model,
                                    const PropertyMap& properties = {}) const {
    return core_.Query(model, device(), properties);
  }
};

TEST_F(QueryTest, EveryLayerIsAnsweredWithADeviceOrAReason) {
  for (const Model& model : Models()) {
    SCOPED_TRACE(model.name());
    const auto query = Query(model);
    ASSERT_TRUE(query.ok()) << query.status();
    EXPECT_EQ(query->layers.size(), model.node_count());
    for (const auto& node : model.nodes()) {
      const QueryResult::Layer* layer = query->Find(node->name());
      ASSERT_NE(layer, nullptr) << node->Describe();
      EXPECT_EQ(layer->type, node->op().ToString());
      EXPECT_EQ(layer->device.empty(), !layer->reason.ok());
      if (layer->reason.ok()) continue;
      EXPECT_EQ(layer->reason.code(), absl::StatusCode::kUnimplemented);
      EXPECT_FALSE(layer->reason.message().empty()) << layer->name;
    }
  }
}

TEST_F(QueryTest, WhatCompilesIsWhatIsSupported) {
  for (const Model& model : Models()) {
    SCOPED_TRACE(model.name());
    const auto query = Query(model);
    ASSERT_TRUE(query.ok()) << query.status();
    const absl::Status compiled = core_.Compile(model, device()).status();
    EXPECT_EQ(compiled.ok(), query->all_supported()) << compiled;
    if (compiled.ok()) continue;
    EXPECT_EQ(compiled.code(), absl::StatusCode::kUnimplemented) << compiled;
  }
}

TEST_F(QueryTest, WhatNobodyCanComputeIsRefusedByName) {
  if (!computes()) GTEST_SKIP() << device() << " computes nothing";
  const auto query = Query(StrangeModel());
  ASSERT_TRUE(query.ok()) << query.status();
  EXPECT_TRUE(query->Find("relu")->reason.ok());
  EXPECT_FALSE(query->Find("strange_layer")->reason.ok());
  const absl::Status status = core_.Compile(StrangeModel(), device()).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("strange_layer"), HasSubstr("NoRule")));
  EXPECT_THAT(status.message(), testing::Not(HasSubstr("'relu'")));
}

TEST_F(QueryTest, WhatNobodyCanComputeIsRefusedAloneInEveryPrecision) {
  const std::string hint(properties::kInferencePrecisionHint);
  if (!computes() || !HasProperty(hint)) GTEST_SKIP() << "no " << hint;
  for (const char* precision : {"f32", "bf16", "f16"}) {
    const auto query = Query(StrangeModel(), {{hint, precision}});
    if (absl::IsInvalidArgument(query.status())) continue;  // not this one
    ASSERT_TRUE(query.ok()) << precision << ": " << query.status();
    EXPECT_TRUE(query->Find("relu")->reason.ok()) << precision;
    EXPECT_THAT(std::string(query->Find("strange_layer")->reason.message()),
                HasSubstr("NoRule"))
        << precision;
  }
}

TEST_F(QueryTest, SmallModelsAreSupported) {
  for (const Model& model : {ChainModel(), TwoByTwoModel()}) {
    const auto query = Query(model);
    ASSERT_TRUE(query.ok()) << query.status();
    for (const auto& layer : query->layers) {
      EXPECT_TRUE(layer.reason.ok()) << layer.name << ": " << layer.reason;
    }
  }
}

TEST_F(QueryTest, TheModelStaysAsItIs) {
  const Model model = ChainModel();
  const std::unique_ptr<Model> before = model.Clone();
  ASSERT_TRUE(core_.Query(model, device()).ok());
  EXPECT_TRUE(Model::Compare(model, *before, /*with_rt_info=*/true).ok());
  ASSERT_TRUE(core_.Compile(model, device()).ok());
  EXPECT_TRUE(Model::Compare(model, *before, /*with_rt_info=*/true).ok());
}

TEST_F(QueryTest, PortsAreThoseOfTheModel) {
  for (const Model& model : Models()) {
    if (!Query(model)->all_supported()) continue;
    SCOPED_TRACE(model.name());
    const CompiledModel compiled = Compile(model);
    ASSERT_EQ(compiled.inputs().size(), model.parameters().size());
    for (size_t i = 0; i < model.parameters().size(); ++i) {
      const OutputPort& port = model.parameters()[i]->port();
      EXPECT_EQ(compiled.inputs()[i].name,
                model.InputName(static_cast<int>(i)));
      EXPECT_EQ(compiled.inputs()[i].type, port.type);
      EXPECT_EQ(compiled.inputs()[i].shape, port.shape);
    }
    ASSERT_EQ(compiled.outputs().size(), model.results().size());
    for (size_t i = 0; i < model.results().size(); ++i) {
      const Value value = model.results()[i]->input(0);
      EXPECT_EQ(compiled.outputs()[i].name,
                model.OutputName(static_cast<int>(i)));
      EXPECT_EQ(compiled.outputs()[i].type, value.type());
      EXPECT_EQ(compiled.outputs()[i].shape, value.shape());
    }
  }
}

}  // namespace
}  // namespace dovetail
