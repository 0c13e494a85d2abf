// Tests of node.h and infer_context.h.
#include "dovetail/core/graph/node.h"

#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/graph/testing/test_ops.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

TEST(NodeTest, UsesFollowInputs) {
  Model model;
  Node* x = AddTestParameter(model, {2}, "x");
  Node* y = AddTestParameter(model, {2}, "y");
  Node* add = AddTestNode(model, "Add", {x->output(), x->output()}, "add");
  EXPECT_EQ(x->port().uses, (std::vector<Use>{{add, 0}, {add, 1}}));
  add->SetInput(0, y->output());
  EXPECT_EQ(x->port().uses, (std::vector<Use>{{add, 1}}));
  EXPECT_EQ(y->port().uses, (std::vector<Use>{{add, 0}}));
  add->TruncateInputs(1);
  EXPECT_FALSE(x->has_uses());
  EXPECT_EQ(add->input_count(), 1);
}

TEST(NodeTest, PortThatIsNotThereLeavesInputOpen) {
  Model model;
  Node* x = AddTestParameter(model, {2}, "x");
  Node* relu = AddTestNode(model, "Relu", {x->output()}, "relu");
  relu->SetInput(0, Value{x, 7});
  EXPECT_FALSE(relu->input(0));
  EXPECT_EQ(relu->Infer().message(),
            "layer 'relu' (Relu-1): input 0 is not connected");
}

TEST(NodeTest, EmptyValueIsUnknown) {
  EXPECT_EQ(Value{}.type(), ElementType::kDynamic);
  EXPECT_EQ(Value{}.shape(), PartialShape::DynamicRank());
}

TEST(NodeTest, PortsInUseStay) {
  Model model;
  Node* x = AddTestParameter(model, {4}, "x");
  Node* split = AddTestNode(model, "Split", {x->output()}, "split");
  Node* relu = AddTestNode(model, "Relu", {split->output(1)}, "relu");
  split->SetOutputCount(1);
  EXPECT_EQ(split->output_count(), 2);
  split->As<SplitAttributesForTest>()->num_splits = 1;
  EXPECT_EQ(split->Infer().message(),
            "layer 'split' (Split-1): output 1 is read, but there are only 1");
  model.RemoveNode(relu);
  EXPECT_TRUE(split->Infer().ok());
  EXPECT_EQ(split->output_count(), 1);
}

TEST(NodeTest, InferNeedsARule) {
  Model model;
  Node* x = AddTestParameter(model, {4}, "x");
  const auto node = model.Add(TestOp("NoRule"), {x->output()}, nullptr, "n");
  EXPECT_EQ(node.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(node.status().message(),
            "layer 'n' (NoRule-1): no shape inference for NoRule-1 yet");
  EXPECT_EQ(model.node_count(), 1u);
  EXPECT_FALSE(x->has_uses());
}

TEST(NodeTest, InferKeepsNames) {
  Model model = SmallTestModel();
  Node* relu = model.FindNode("relu");
  relu->port().names = {"tensor"};
  ASSERT_TRUE(relu->Infer().ok());
  EXPECT_EQ(relu->port().names, std::set<std::string>{"tensor"});
}

TEST(NodeTest, AttributesOfAnotherOperationAreRefused) {
  Model model = SmallTestModel();
  Node* relu = model.FindNode("relu");
  relu->set_attributes(std::make_unique<SplitAttributesForTest>());
  EXPECT_EQ(relu->As<NoAttributes>(), nullptr);
  EXPECT_EQ(relu->Infer().code(), absl::StatusCode::kInternal);
}

TEST(NodeTest, ValuesPassThroughShapeSubGraphs) {
  Model model;
  Node* x = AddTestParameter(model, {2, Dimension(1, 8)}, "x");
  Node* y = AddTestParameter(model, {Dimension()}, "y");
  Node* shape = AddTestNode(model, "ShapeOf", {x->output()});
  Node* reshape =
      AddTestNode(model, "Reshape", {y->output(), shape->output()});
  EXPECT_EQ(reshape->port().shape, (PartialShape{2, Dimension(1, 8)}));
}

TEST(InferContextTest, ReadsConstants) {
  Model model;
  Node* c = AddTestConstant(model, *Tensor::FromValues<int64_t>({2}, {3, 4}));
  Node* relu = AddTestNode(model, "Relu", {c->output()});
  const InferContext context(*relu);
  EXPECT_EQ(context.ints(0), (std::vector<int64_t>{3, 4}));
  EXPECT_EQ(context.doubles(0), (std::vector<double>{3, 4}));
  EXPECT_EQ(context.scalar_int(0), std::nullopt);
  ASSERT_NE(context.value(0), nullptr);
  EXPECT_EQ(*context.value(0), ValueRange::Exact({3, 4}));
  EXPECT_EQ(context.ints(1), std::nullopt);
  EXPECT_EQ(context.value(-1 + 2), nullptr);
}

TEST(InferContextTest, ReadsRunTimeTensors) {
  Model model = SmallTestModel();
  const std::vector<Tensor> inputs = {*Tensor::FromValues<float>({1}, {2.5f})};
  const InferContext context(*model.FindNode("relu"), inputs);
  EXPECT_EQ(context.shape(0), PartialShape{1});
  EXPECT_EQ(context.doubles(0), std::vector<double>{2.5});
  EXPECT_EQ(context.tensor(0), &inputs[0]);
  EXPECT_EQ(context.mutable_bodies(), nullptr);
}

TEST(InferContextTest, ValuesThatDoNotFitAreDropped) {
  Model model = SmallTestModel();
  InferContext context(*model.FindNode("relu"));
  context.SetOutput(0, ElementType::kI64, {2});
  context.SetValue(0, ValueRange::Exact({1, 2, 3}));
  EXPECT_FALSE(context.outputs()[0].value.has_value());
  context.SetValue(5, ValueRange::Exact({1, 2}));
  context.SetValue(0, ValueRange::Exact({1, 2}));
  EXPECT_TRUE(context.outputs()[0].value.has_value());
}

TEST(InferContextTest, ErrorsNameTheLayer) {
  Model model = SmallTestModel();
  const InferContext context(*model.FindNode("relu"));
  EXPECT_EQ(context.Error("too ", 1).message(),
            "layer 'relu' (Relu-1): too 1");
}

}  // namespace
}  // namespace dovetail
