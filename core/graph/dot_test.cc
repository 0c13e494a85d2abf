#include "dovetail/core/graph/dot.h"

#include "dovetail/core/graph/testing/test_ops.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::HasSubstr;
using testing::Not;

// x -> Relu "a" -> Relu "say \"b\"".
Model TwoLayers(const PartialShape& shape) {
  Model model;
  Node* x = AddTestParameter(model, shape, "x");
  Node* a = AddTestNode(model, "Relu", {x->output()}, "a");
  AddTestNode(model, "Relu", {a->output()}, "say \"b\"");
  return model;
}

TEST(DotTest, HasABoxANodeAndAnArrowATensor) {
  const std::string dot = ModelDot(TwoLayers({2, 3}));
  EXPECT_THAT(dot, HasSubstr("label=\"Relu-1\na\""));
  EXPECT_THAT(dot, HasSubstr("say \\\"b\\\""));
  EXPECT_THAT(dot, HasSubstr("n0 -> n1 [label=\"[2,3]\"]"));
  EXPECT_THAT(dot, Not(HasSubstr("cluster")));
}

TEST(DotTest, PartsHaveFramesAndTellWhatCrosses) {
  const Model model = TwoLayers({2, 3});
  const DotParts parts = {
      [](const Node& node) { return node.name() == "a" ? 0 : 1; },
      {"CPU", "GPU"}};
  const std::string dot = ModelDot(model, parts);
  EXPECT_THAT(dot, HasSubstr("subgraph cluster_0 {\n  label=\"CPU\""));
  EXPECT_THAT(dot, HasSubstr("subgraph cluster_1 {\n  label=\"GPU\""));
  EXPECT_THAT(dot,
              HasSubstr("n1 -> n2 [label=\"[2,3]\n24 bytes\", style=bold]"));
}

TEST(DotTest, BytesOfDynamicShapesAreUnknown) {
  const Model model = TwoLayers({-1, 3});
  EXPECT_EQ(BytesText(model.nodes()[1]->output()), "bytes unknown");
}

}  // namespace
}  // namespace dovetail
