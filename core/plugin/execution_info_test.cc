#include "dovetail/core/plugin/execution_info.h"

#include <map>
#include <set>
#include <string>

#include "dovetail/core/graph/fused_names.h"
#include "dovetail/core/graph/testing/test_ops.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

// x -> add(x, x) -> relu -> out, x -> side -> end. `relu` stands for "scale"
// too.
Model TwoBranches() {
  Model model("two_branches");
  Node* x = AddTestParameter(model, {2}, "x");
  Node* add = AddTestNode(model, "Add", {x->output(), x->output()}, "add");
  Node* relu = AddTestNode(model, "Relu", {add->output()}, "relu");
  SetFusedNames(*relu, {"relu", "scale"});
  AddTestNode(model, "Result", {relu->output()}, "out");
  Node* side = AddTestNode(model, "Relu", {x->output()}, "side");
  AddTestNode(model, "Result", {side->output()}, "end");
  return model;
}

// What rt_info of a layer says under a key; "-": nothing.
std::string Says(const Model& model, absl::string_view layer,
                 absl::string_view key) {
  const Node* const node = model.FindNode(layer);
  if (node == nullptr) return "no such layer";
  const std::string* const text = node->rt_info().Find({key});
  return text == nullptr ? "-" : *text;
}

int OrderOf(const Model& model, absl::string_view layer) {
  return std::stoi(Says(model, layer, "execOrder"));
}

TEST(DescribeExecutionTest, SaysWhatEveryDeviceKnows) {
  const Model model = TwoBranches();
  const auto described =
      DescribeExecution(model, [](const Node&) { return ExecutionInfo(); });
  ASSERT_NE(described, nullptr);
  EXPECT_TRUE(Model::Compare(model, *described).ok());
  EXPECT_EQ(Says(*described, "add", "layerType"), "Add");
  EXPECT_EQ(Says(*described, "add", "originalLayersNames"), "add");
  EXPECT_EQ(Says(*described, "relu", "originalLayersNames"), "relu,scale");
  EXPECT_EQ(Says(*described, "relu", "outputPrecisions"), "f32");
  EXPECT_EQ(Says(*described, "out", "layerType"), "Result");
  for (const char* key : {"primitiveType", "runtimePrecision", "outputLayouts",
                          "executionDevice", "fusedInto", "declinedKernels"}) {
    EXPECT_EQ(Says(*described, "add", key), "-") << key;
  }
  // The model itself says nothing.
  EXPECT_EQ(Says(model, "add", "layerType"), "-");
}

TEST(DescribeExecutionTest, SaysWhatTheDeviceKnows) {
  const Model model = TwoBranches();
  const auto described = DescribeExecution(model, [](const Node& node) {
    ExecutionInfo info;
    if (node.name() == "add") {
      info = {"fast_add", "bf16", "nChw16c", "bf16",
              "GPU.1",    "",     0,         "better: odd"};
    }
    if (node.name() == "relu") info.fused_into = "add";
    return info;
  });
  EXPECT_EQ(Says(*described, "add", "primitiveType"), "fast_add");
  EXPECT_EQ(Says(*described, "add", "runtimePrecision"), "bf16");
  EXPECT_EQ(Says(*described, "add", "outputLayouts"), "nChw16c");
  EXPECT_EQ(Says(*described, "add", "outputPrecisions"), "bf16");
  EXPECT_EQ(Says(*described, "add", "executionDevice"), "GPU.1");
  EXPECT_EQ(Says(*described, "add", "declinedKernels"), "better: odd");
  EXPECT_EQ(Says(*described, "add", "fusedInto"), "-");
  EXPECT_EQ(Says(*described, "relu", "fusedInto"), "add");
  EXPECT_EQ(Says(*described, "relu", "primitiveType"), "-");
}

void ExpectEachOrderOnce(const Model& model) {
  std::set<int> orders;
  for (const auto& node : model.nodes()) {
    orders.insert(OrderOf(model, node->name()));
  }
  EXPECT_EQ(orders.size(), model.node_count());
  EXPECT_EQ(*orders.begin(), 0);
  EXPECT_EQ(*orders.rbegin(), static_cast<int>(model.node_count()) - 1);
}

TEST(DescribeExecutionTest, OrdersAreThoseOfTheGraphUnlessTheDeviceHasOthers) {
  const Model model = TwoBranches();
  const auto plain =
      DescribeExecution(model, [](const Node&) { return ExecutionInfo(); });
  ExpectEachOrderOnce(*plain);
  EXPECT_LT(OrderOf(*plain, "x"), OrderOf(*plain, "add"));
  EXPECT_LT(OrderOf(*plain, "relu"), OrderOf(*plain, "side"));

  // The device runs the second branch first.
  const std::map<std::string, int64_t> orders = {
      {"side", 3}, {"add", 70}, {"relu", 70}};
  const auto other = DescribeExecution(model, [&](const Node& node) {
    ExecutionInfo info;
    const auto it = orders.find(node.name());
    if (it != orders.end()) info.order = it->second;
    return info;
  });
  ExpectEachOrderOnce(*other);
  EXPECT_EQ(OrderOf(*other, "x"), 0);
  EXPECT_EQ(OrderOf(*other, "side"), 1);
  EXPECT_LT(OrderOf(*other, "side"), OrderOf(*other, "add"));
  EXPECT_LT(OrderOf(*other, "add"), OrderOf(*other, "relu"));
}

}  // namespace
}  // namespace dovetail
