// Tests of building, looking, changing and verifying models.
#include "dovetail/core/graph/model.h"

#include "dovetail/core/graph/body.h"
#include "dovetail/core/graph/fused_names.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/graph/testing/test_ops.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

std::vector<std::string> Names(const std::vector<Node*>& nodes) {
  std::vector<std::string> names;
  for (const Node* node : nodes) names.push_back(node->name());
  return names;
}
using Strings = std::vector<std::string>;

TEST(ModelTest, ListsParametersResultsAndSinks) {
  Model model;
  Node* x = AddTestParameter(model, {1}, "x");
  Node* y = AddTestParameter(model, {1}, "y");
  AddTestNode(model, "Assign", {y->output()}, "assign", TestVariable("v"));
  AddTestNode(model, "Result", {x->output()}, "out");
  EXPECT_EQ(Names(model.parameters()), (Strings{"x", "y"}));
  EXPECT_EQ(Names(model.results()), Strings{"out"});
  EXPECT_EQ(Names(model.sinks()), Strings{"assign"});
  EXPECT_TRUE(model.Verify().ok());
}

TEST(ModelTest, NamesWhatHasNoName) {
  Model model;
  AddTestParameter(model, {1}, "x");
  EXPECT_EQ(AddTestParameter(model, {1})->name(), "Parameter_1");
}

TEST(ModelTest, RefusesBadInputs) {
  Model model, other;
  Node* x = AddTestParameter(model, {1}, "x");
  Node* foreign = AddTestParameter(other, {1}, "foreign");
  const OpInfo& relu = TestOp("Relu");
  EXPECT_EQ(model.Add(relu, {}, nullptr, "r").status().message(),
            "layer 'r' (Relu-1): has 0 inputs, takes 1 to 1");
  EXPECT_EQ(
      model.Add(relu, {foreign->output()}, nullptr, "r").status().message(),
      "layer 'r' (Relu-1): input 0 is of another model");
  EXPECT_EQ(model.Add(relu, {Value{}}, nullptr, "r").status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(model.Add(relu, {x->output(3)}, nullptr, "r").status().message(),
            "layer 'r' (Relu-1): input 0 is output 3 of layer 'x' "
            "(Parameter-0), which has 1");
  EXPECT_EQ(model.node_count(), 1u);
}

TEST(ModelTest, FailedInferenceAddsNothing) {
  Model model;
  Node* a = AddTestParameter(model, {2}, "a");
  Node* b = AddTestParameter(model, {3}, "b");
  const auto add =
      model.Add(TestOp("Add"), {a->output(), b->output()}, nullptr, "sum");
  EXPECT_EQ(add.status().message(),
            "layer 'sum' (Add-1): cannot add [2] and [3]");
  EXPECT_EQ(model.node_count(), 2u);
  EXPECT_FALSE(a->has_uses());
  EXPECT_TRUE(model.Verify().ok());
}

TEST(OrderTest, StaysAsCreatedWhereItCan) {
  Model model;
  Node* x = AddTestParameter(model, {2}, "x");
  Node* relu = AddTestNode(model, "Relu", {x->output()}, "relu");
  Node* other = AddTestNode(model, "Relu", {x->output()}, "other");
  AddTestNode(model, "Result", {other->output()}, "out");
  Node* late = AddTestNode(model, "Relu", {x->output()}, "late");
  relu->SetInput(0, late->output());
  EXPECT_EQ(Names(*model.TopologicalOrder()),
            (Strings{"x", "late", "relu", "other", "out"}));
}

TEST(OrderTest, ParametersKeepTheirOrder) {
  Model model;
  Node* a = AddTestParameter(model, {2}, "a");
  Node* relu = AddTestNode(model, "Relu", {a->output()}, "relu");
  AddTestParameter(model, {2}, "b");
  Node* c = AddTestParameter(model, {2}, "c");
  relu->SetInput(0, c->output());
  EXPECT_EQ(Names(*model.TopologicalOrder()), (Strings{"a", "b", "c", "relu"}));
}

TEST(OrderTest, VariablesAreReadFirst) {
  Model model;
  Node* x = AddTestParameter(model, {2}, "x");
  AddTestNode(model, "Assign", {x->output()}, "assign", TestVariable("v"));
  AddTestNode(model, "ReadValue", {x->output()}, "read", TestVariable("v"));
  EXPECT_EQ(Names(*model.TopologicalOrder()), (Strings{"x", "read", "assign"}));
}

TEST(OrderTest, NamesANodeOnACycle) {
  Model model = SmallTestModel();
  Node* relu = model.FindNode("relu");
  relu->SetInput(0, relu->output());
  EXPECT_EQ(model.TopologicalOrder().status().message(),
            "layer 'relu' (Relu-1): is on a cycle of model 'small'");
  EXPECT_EQ(model.Verify().code(), absl::StatusCode::kInternal);
  EXPECT_NE(model.Hash(), SmallTestModel().Hash());
}

TEST(OrderTest, DeepGraphsDoNotOverflowTheStack) {
  Model model;
  Value value = AddTestParameter(model, {1}, "x")->output();
  for (int i = 0; i < 100000; ++i) {
    value = AddTestNode(model, "Relu", {value})->output();
  }
  AddTestNode(model, "Result", {value}, "out");
  EXPECT_EQ(model.TopologicalOrder()->size(), 100002u);
  EXPECT_TRUE(Model::Compare(model, *model.Clone()).ok());
  EXPECT_TRUE(model.Verify().ok());
}

TEST(FindTest, InputsByTensorNameNodeNameAndIndex) {
  Model model = SmallTestModel();
  model.parameters()[0]->port().names = {"b", "a"};
  EXPECT_EQ(model.FindInput("a").value(), 0);
  EXPECT_EQ(model.FindInput("x").value(), 0);
  EXPECT_EQ(model.FindInput("0").value(), 0);
  EXPECT_EQ(model.InputName(0), "a");
  EXPECT_EQ(model.FindInput("1").status().message(),
            "no input '1'; there is a");
}

TEST(FindTest, OutputsByTheirProducer) {
  Model model = SmallTestModel();
  EXPECT_EQ(model.OutputName(0), "relu");
  model.FindNode("relu")->port().names = {"tensor"};
  EXPECT_EQ(model.OutputName(0), "tensor");
  for (const char* name : {"tensor", "relu", "out", "0"}) {
    EXPECT_EQ(model.FindOutput(name).value(), 0) << name;
  }
  EXPECT_EQ(model.FindOutput("-1").status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(model.FindNode("nobody"), nullptr);
}

TEST(RewriteTest, OutputKeepsItsNames) {
  Model model = SmallTestModel();
  Node* x = model.FindNode("x");
  Node* relu = model.FindNode("relu");
  relu->port().names = {"tensor"};
  Node* other = AddTestNode(model, "Relu", {x->output()}, "other");
  model.ReplaceUses(relu->output(), other->output());
  EXPECT_EQ(model.OutputName(0), "tensor");
  EXPECT_TRUE(relu->port().names.empty());
}

TEST(RewriteTest, OutputWithoutTensorNameIsFoundByTheOldNodeName) {
  Model model = SmallTestModel();
  Node* other =
      AddTestNode(model, "Relu", {model.FindNode("x")->output()}, "other");
  Node* relu = model.FindNode("relu");
  const Value values[] = {other->output()};
  model.ReplaceNode(relu, values);
  EXPECT_EQ(model.OutputName(0), "relu");
  EXPECT_EQ(model.FindNode("relu"), nullptr);
  EXPECT_EQ(FusedNames(*other), (std::set<std::string>{"other", "relu"}));
  EXPECT_TRUE(model.Verify().ok());
}

TEST(RewriteTest, NodeCanBePutBehindAnother) {
  Model model = SmallTestModel();
  Node* x = model.FindNode("x");
  Node* relu = model.FindNode("relu");
  Node* behind = AddTestNode(model, "Relu", {x->output()}, "behind");
  model.ReplaceUses(x->output(), behind->output());
  EXPECT_EQ(behind->input(0), x->output());
  EXPECT_EQ(relu->input(0), behind->output());
  EXPECT_TRUE(model.Verify().ok());
}

TEST(RewriteTest, ReadNodeIsNotRemoved) {
  Model model = SmallTestModel();
  model.RemoveNode(model.FindNode("relu"));
  EXPECT_EQ(model.node_count(), 3u);
  model.RemoveNode(model.FindNode("out"));
  EXPECT_EQ(model.node_count(), 2u);
  EXPECT_TRUE(model.results().empty());
}

TEST(RewriteTest, RemovesWhatNobodyNeeds) {
  Model model = SmallTestModel();
  Node* x = model.FindNode("x");
  AddTestParameter(model, {1}, "unread");
  Node* dead = AddTestNode(model, "Relu", {x->output()}, "dead");
  AddTestNode(model, "Relu", {dead->output()}, "dead too");
  AddTestNode(model, "Assign", {x->output()}, "assign", TestVariable("v"));
  EXPECT_EQ(model.RemoveUnused(), 2);
  EXPECT_EQ(model.node_count(), 5u);
  EXPECT_EQ(x->port().uses.size(), 2u);
  EXPECT_EQ(model.RemoveUnused(), 0);
  EXPECT_TRUE(model.Verify().ok());
}

TEST(VerifyTest, NamesWhatIsWrong) {
  Model model = SmallTestModel();
  Node* relu = model.FindNode("relu");
  relu->AddInput(model.FindNode("x")->output());
  EXPECT_EQ(model.Verify().message(),
            "layer 'relu' (Relu-1): has 2 inputs, takes 1 to 1");
  relu->TruncateInputs(1);
  model.FindNode("x")->port().uses.clear();
  EXPECT_EQ(model.Verify().message(),
            "layer 'relu' (Relu-1): input 0 is not noted as a use of layer "
            "'x' (Parameter-0)");
}

TEST(VerifyTest, BodiesAreTiedToWhatExists) {
  Model model = LoopTestModel();
  ASSERT_TRUE(model.Verify().ok());
  Body& body = *model.FindNode("loop")->bodies()[0];
  body.back_edges[0].parameter = 1;
  EXPECT_EQ(model.Verify().message(),
            "layer 'loop' (Loop-5): a back edge leads from result 0 to "
            "parameter 1, one of which does not exist");
  body.back_edges[0].parameter = 0;
  body.execution_condition_result = 4;
  EXPECT_FALSE(model.Verify().ok());
  body.execution_condition_result = -1;
  body.inputs[0].input = -1;
  EXPECT_FALSE(model.Verify().ok());
}

TEST(VerifyTest, BodiesOfBodiesHaveALimit) {
  Model model = LoopTestModel();
  for (int i = 0; i < kMaxBodyDepth + 1; ++i) {
    Model outer = LoopTestModel();
    outer.FindNode("loop")->bodies()[0]->model =
        std::make_unique<Model>(std::move(model));
    model = std::move(outer);
  }
  EXPECT_EQ(model.Verify().code(), absl::StatusCode::kInternal);
  EXPECT_EQ(model.Infer().code(), absl::StatusCode::kInvalidArgument);
}

TEST(CloneTest, IsEqualAndIndependent) {
  const Model model = LoopTestModel();
  const auto clone = model.Clone();
  EXPECT_TRUE(Model::Compare(model, *clone, true).ok());
  EXPECT_EQ(model.Hash(), clone->Hash());
  EXPECT_TRUE(clone->Verify().ok());
  clone->FindNode("loop")->bodies()[0]->model->FindNode("sum")->set_name("s");
  EXPECT_EQ(Model::Compare(model, *clone).message(),
            "layer 'loop' (Loop-5): body 0: layer 'sum' (Add-1) and layer 's' "
            "(Add-1) differ");
  EXPECT_NE(model.Hash(), clone->Hash());
}

TEST(CloneTest, SharesConstants) {
  Model model;
  Node* c =
      AddTestConstant(model, *Tensor::Allocate(ElementType::kF32, {8}), "c");
  const auto clone = model.Clone();
  EXPECT_EQ(c->As<ConstantAttributes>()->value.raw_data(),
            clone->FindNode("c")->As<ConstantAttributes>()->value.raw_data());
}

TEST(CompareTest, OrderOfCreationDoesNotMatter) {
  const auto build = [](bool swapped) {
    Model model;
    Node* x = AddTestParameter(model, {1}, "x");
    Node *a = nullptr, *b = nullptr;
    if (swapped) b = AddTestNode(model, "Relu", {x->output()}, "b");
    a = AddTestNode(model, "Relu", {x->output()}, "a");
    if (!swapped) b = AddTestNode(model, "Relu", {x->output()}, "b");
    Node* sum = AddTestNode(model, "Add", {a->output(), b->output()}, "sum");
    AddTestNode(model, "Result", {sum->output()}, "out");
    return model;
  };
  const Model a = build(false), b = build(true);
  EXPECT_TRUE(Model::Compare(a, b).ok());
  EXPECT_EQ(a.Hash(), b.Hash());
}

TEST(CompareTest, FindsEveryDifference) {
  const Model model = SmallTestModel();
  const auto differs = [&](auto&& change) {
    Model other = SmallTestModel();
    change(other);
    const bool different = !Model::Compare(model, other).ok();
    EXPECT_EQ(different, model.Hash() != other.Hash());
    return different;
  };
  EXPECT_FALSE(differs([](Model&) {}));
  EXPECT_TRUE(differs([](Model& m) { m.set_name("other"); }));
  EXPECT_TRUE(differs([](Model& m) { AddTestParameter(m, {1}, "new"); }));
  EXPECT_TRUE(differs(
      [](Model& m) { m.FindNode("relu")->port().names.insert("tensor"); }));
  EXPECT_TRUE(differs(
      [](Model& m) { m.FindNode("relu")->port().shape = PartialShape{7}; }));
  EXPECT_TRUE(differs([](Model& m) {
    m.results()[0]->SetInput(0, m.parameters()[0]->output());
  }));
}

TEST(CompareTest, RtInfoWhenAsked) {
  Model a = SmallTestModel(), b = SmallTestModel();
  b.FindNode("relu")->rt_info().Set({"key"}, "value");
  EXPECT_TRUE(Model::Compare(a, b).ok());
  EXPECT_FALSE(Model::Compare(a, b, true).ok());
}

TEST(ReshapeTest, InfersAllAgain) {
  Model model = SmallTestModel();
  ASSERT_TRUE(model.Reshape({{"x", PartialShape{5, 3}}}).ok());
  EXPECT_EQ(model.FindNode("relu")->port().shape, (PartialShape{5, 3}));
}

// Names and layers that look like numbers do not get in the way of indices.
TEST(ReshapeTest, AnIndexIsAnIndex) {
  Model model;
  const Node* a = AddTestParameter(model, {2}, "1");
  const Node* b = AddTestParameter(model, {2}, "0");
  ASSERT_TRUE(model.ReshapeByIndex({{0, PartialShape{3}}}).ok());
  EXPECT_EQ(a->port().shape, (PartialShape{3}));
  ASSERT_TRUE(model.Reshape({{"0", PartialShape{4}}}).ok());
  EXPECT_EQ(a->port().shape, (PartialShape{3}));
  EXPECT_EQ(b->port().shape, (PartialShape{4}));
  EXPECT_FALSE(model.ReshapeByIndex({{2, PartialShape{3}}}).ok());
  EXPECT_FALSE(model.ReshapeByIndex({{-1, PartialShape{3}}}).ok());
}

TEST(ReshapeTest, ErrorLeavesTheModelAsItWas) {
  Model model;
  Node* a = AddTestParameter(model, {2}, "a");
  Node* b = AddTestParameter(model, {2}, "b");
  AddTestNode(model, "Add", {a->output(), b->output()}, "sum");
  const uint64_t before = model.Hash();
  EXPECT_FALSE(model.Reshape({{"a", PartialShape{3}}}).ok());
  EXPECT_FALSE(model.Reshape({{"nobody", PartialShape{3}}}).ok());
  EXPECT_FALSE(
      model.Reshape({{"a", PartialShape{3}}, {"0", PartialShape{4}}}).ok());
  EXPECT_EQ(model.Hash(), before);
}

TEST(ReshapeTest, BatchIsWhereTheLayoutSays) {
  Model model;
  Node* plain = AddTestParameter(model, {2, 3}, "plain");
  Node* last = AddTestParameter(model, {2, 3}, "last");
  Node* dots = AddTestParameter(model, {2, 3, 4}, "dots");
  last->port().rt_info.Set({"layout_0", "layout"}, "[C,N]");
  dots->rt_info().Set({"layout_0", "layout"}, "...NC");
  ASSERT_TRUE(model.SetBatch(8).ok());
  EXPECT_EQ(plain->port().shape, (PartialShape{8, 3}));
  EXPECT_EQ(last->port().shape, (PartialShape{2, 8}));
  EXPECT_EQ(dots->port().shape, (PartialShape{2, 8, 4}));
  AddTestParameter(model, PartialShape(Shape{}), "scalar");
  EXPECT_EQ(model.SetBatch(8).message(),
            "input 'scalar' of shape [] has no batch dimension");
}

TEST(TextTest, ShowsALineANode) {
  Model model = LoopTestModel();
  model.parameters()[0]->port().names = {"in"};
  EXPECT_EQ(model.ToString(),
            R"(model "looping"
%0 = Parameter-0() {shape: [2], element_type: f32} : f32[2] "in"  # x
%1 = Loop-5(%0) {} : f32[2]  # loop
  body "body" inputs {0->0} outputs {0->0} back_edges {0->0} {
    %0 = Parameter-0() {shape: [2], element_type: f32} : f32[2]  # state
    %1 = Constant-0() {value: f32[1] {1}} : f32[1]  # one
    %2 = Add-1(%0, %1) {} : f32[2]  # sum
    %3 = Result-0(%2) {}  # next
  }
%2 = Result-0(%1) {}  # out
)");
}

TEST(TextTest, OddNamesAreQuoted) {
  Model model = SmallTestModel();
  model.FindNode("relu")->set_name("a\nb");
  EXPECT_NE(model.ToString().find("  # \"a\\nb\"\n"), std::string::npos);
}

}  // namespace
}  // namespace dovetail
