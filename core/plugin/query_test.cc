#include "dovetail/core/plugin/query.h"

#include <functional>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/fused_names.h"
#include "dovetail/core/graph/testing/test_ops.h"
#include "dovetail/core/plugin/testing/standalone_call.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Lowers and refuses as a test says.
class PickyPlugin : public Plugin {
 public:
  PickyPlugin() : Plugin("PICKY", PropertySchema()) {}

  std::function<absl::Status(Model&)> lower = [](Model&) {
    return absl::OkStatus();
  };
  std::string refused_type;
  std::string refused_name;

  absl::StatusOr<std::vector<Device>> Devices() const override {
    return std::vector<Device>{{"", "Picky"}};
  }
  absl::Status Lower(Model& model, const PluginCall&) const override {
    return lower(model);
  }
  absl::StatusOr<Support> Supports(const Node& node,
                                   const PluginCall&) const override {
    if (node.Is(OpType::Named(refused_type)) || node.name() == refused_name) {
      return Unimplemented("no kernel for ", node.op().ToString());
    }
    return Support{node.Is("ShapeOf") ? "host" : "native"};
  }
  absl::StatusOr<std::unique_ptr<Executable>> CompileLowered(
      LoweredModel, const PluginCall&) const override {
    return Unimplemented("compiles nothing");
  }
};

absl::StatusOr<QueryResult> Query(const PickyPlugin& plugin,
                                  const Model& model) {
  return plugin.Query(model, StandaloneCall(plugin));
}

// x + c -> relu -> out
Model AddReluModel() {
  Model model("add_relu");
  Node* x = AddTestParameter(model, {2}, "x");
  Node* c = AddTestConstant(
      model, Tensor::Allocate(ElementType::kF32, {2}).value(), "c");
  Node* add = AddTestNode(model, "Add", {x->output(), c->output()}, "add");
  Node* relu = AddTestNode(model, "Relu", {add->output()}, "relu");
  AddTestNode(model, "Result", {relu->output()}, "out");
  return model;
}

std::string DeviceOf(const QueryResult& result, absl::string_view layer) {
  const QueryResult::Layer* found = result.Find(layer);
  EXPECT_NE(found, nullptr) << layer;
  return found == nullptr ? "" : found->device;
}

TEST(QueryTest, AllSupported) {
  const auto result = Query(PickyPlugin(), AddReluModel());
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(result->all_supported());
  ASSERT_EQ(result->layers.size(), 5u);
  EXPECT_EQ(result->Find("add")->type, "Add-1");
  EXPECT_EQ(DeviceOf(*result, "add"), "PICKY");
  EXPECT_EQ(result->Find("none"), nullptr);
}

TEST(QueryTest, ARefusalKeepsItsReasonAndTakesItsNeighbours) {
  PickyPlugin plugin;
  plugin.refused_type = "Add";
  const auto result = Query(plugin, AddReluModel());
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_FALSE(result->all_supported());
  EXPECT_EQ(result->Find("add")->reason,
            absl::UnimplementedError("no kernel for Add-1"));
  EXPECT_EQ(DeviceOf(*result, "add"), "");
  EXPECT_EQ(DeviceOf(*result, "c"), "");  // follows its consumer
  EXPECT_EQ(DeviceOf(*result, "x"), "");
  EXPECT_EQ(DeviceOf(*result, "relu"), "PICKY");
  EXPECT_EQ(DeviceOf(*result, "out"), "PICKY");
}

// Makes of add and relu one node "fused".
absl::Status Fuse(Model& model) {
  Node* relu = model.FindNode("relu");
  Node* add = model.FindNode("add");
  Node* fused = AddTestNode(model, "Everything", {add->input(0)}, "fused");
  SetFusedNames(*fused, {"add", "relu"});
  model.ReplaceUses(relu->output(), fused->output());
  model.RemoveUnused();
  return absl::OkStatus();
}

TEST(QueryTest, AnswersForLoweredNodesGoToAllTheyStandFor) {
  PickyPlugin plugin;
  plugin.lower = Fuse;
  plugin.refused_type = "Add";  // gone after lowering
  auto result = Query(plugin, AddReluModel());
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(result->all_supported());
  plugin.refused_type = "Everything";
  result = Query(plugin, AddReluModel());
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(DeviceOf(*result, "add"), "");
  EXPECT_EQ(DeviceOf(*result, "relu"), "");
}

TEST(QueryTest, NodesThatAPassPutInCountForThoseTheyServe) {
  PickyPlugin plugin;
  plugin.lower = [](Model& model) {
    Node* relu = model.FindNode("relu");
    Node* helper =
        AddTestNode(model, "ShapeOf", {relu->input(0)}, "helper");
    Node* other = AddTestNode(model, "Relu", {helper->output()}, "inserted");
    relu->SetInput(0, other->output());
    return absl::OkStatus();
  };
  plugin.refused_name = "inserted";
  const auto result = Query(plugin, AddReluModel());
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(DeviceOf(*result, "relu"), "");
  EXPECT_EQ(DeviceOf(*result, "add"), "PICKY");
}

std::string HowOf(const QueryResult& result, absl::string_view layer) {
  const QueryResult::Layer* found = result.Find(layer);
  EXPECT_NE(found, nullptr) << layer;
  return found == nullptr ? "" : found->how;
}

TEST(QueryTest, SaysHowLayersRun) {
  PickyPlugin plugin;
  auto result = Query(plugin, AddReluModel());
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(HowOf(*result, "add"), "native");
  plugin.lower = Fuse;
  result = Query(plugin, AddReluModel());
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(HowOf(*result, "add"), "fused");
  EXPECT_EQ(HowOf(*result, "relu"), "fused");
}

TEST(QueryTest, OtherOperationsInALayersPlaceAreADecomposition) {
  PickyPlugin plugin;
  plugin.lower = [](Model& model) {
    Node* relu = model.FindNode("relu");
    Node* other = AddTestNode(model, "ShapeOf", {relu->input(0)}, "helper");
    SetFusedNames(*other, {"relu"});
    model.ReplaceUses(relu->output(), other->output());
    model.RemoveUnused();
    return absl::OkStatus();
  };
  const auto result = Query(plugin, AddReluModel());
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(HowOf(*result, "relu"), "decomposed");
  EXPECT_EQ(HowOf(*result, "add"), "native");
}

TEST(QueryTest, LeavesTheModelAsItWas) {
  PickyPlugin plugin;
  plugin.lower = Fuse;
  const Model model = AddReluModel();
  ASSERT_TRUE(Query(plugin, model).ok());
  EXPECT_TRUE(Model::Compare(model, AddReluModel()).ok());
}

// Passes that infer the model anew must not stop at what nobody knows.
TEST(QueryTest, AnUnknownOperationIsRefusedAlone) {
  Model model("unknown");
  Node* x = AddTestParameter(model, {2}, "x");
  Node* before = AddTestNode(model, "Relu", {x->output()}, "before");
  Node* strange = model.AddUninferred(TestOp("NoRule"), {before->output()},
                                      nullptr, "strange");
  strange->port().type = ElementType::kF32;
  strange->port().shape = {2};
  Node* after = AddTestNode(model, "Relu", {strange->output()}, "after");
  AddTestNode(model, "Result", {after->output()}, "out");
  PickyPlugin plugin;
  plugin.lower = [](Model& lowered) {
    DOVETAIL_RETURN_IF_ERROR(lowered.Infer());
    lowered.RemoveUnused();
    return absl::OkStatus();
  };
  const auto result = Query(plugin, model);
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_EQ(result->layers.size(), 5u);
  for (const char* layer : {"x", "before", "after", "out"}) {
    EXPECT_EQ(DeviceOf(*result, layer), "PICKY") << layer;
  }
  EXPECT_EQ(result->Find("before")->how, "native");
  EXPECT_EQ(DeviceOf(*result, "strange"), "");
  const absl::Status reason = result->Find("strange")->reason;
  EXPECT_EQ(reason.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(reason.message()),
              AllOf(HasSubstr("'strange'"), HasSubstr("NoRule")));
}

TEST(QueryTest, ErrorsOfLoweringComeThrough) {
  PickyPlugin plugin;
  plugin.lower = [](Model&) { return absl::InternalError("broken pass"); };
  EXPECT_EQ(Query(plugin, AddReluModel()).status(),
            absl::InternalError("broken pass"));
}

TEST(CheckSupportedTest, ListsAllThatCannotRun) {
  PickyPlugin plugin;
  EXPECT_TRUE(CheckSupported(plugin, AddReluModel(), StandaloneCall(plugin)).ok());
  plugin.refused_type = "Add";
  plugin.refused_name = "relu";
  const absl::Status status = CheckSupported(plugin, AddReluModel(), StandaloneCall(plugin));
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("PICKY"), HasSubstr("2 of the layers"),
                    HasSubstr("'add' (Add-1)"), HasSubstr("'relu' (Relu-1)"),
                    HasSubstr("no kernel for Add-1")));
}

}  // namespace
}  // namespace dovetail
