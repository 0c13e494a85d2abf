#include "dovetail/core/pass/rewrite_pass.h"

#include "dovetail/core/graph/body.h"
#include "dovetail/core/graph/testing/test_ops.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

// Relu of Relu is Relu: the outer one goes.
absl::StatusOr<bool> DropOuter(Model& model, const Match& match) {
  const Value values[] = {match.at("inner")};
  model.ReplaceNode(match.node(), values);
  return true;
}

RewritePass TwiceRelu() {
  return RewritePass("relu-relu",
                     Op("Relu", {Op("Relu").As("inner")}), DropOuter);
}

Model ThreeRelus() {
  Model model("m");
  Value value = AddTestParameter(model, {2}, "x")->output();
  for (const char* name : {"a", "b", "c"}) {
    value = AddTestNode(model, "Relu", {value}, name)->output();
  }
  AddTestNode(model, "Result", {value}, "out");
  return model;
}

TEST(RewritePassTest, RewritesEveryMatch) {
  Model model = ThreeRelus();
  RewritePass pass = TwiceRelu();
  EXPECT_TRUE(pass.Run(model).value());
  EXPECT_EQ(model.node_count(), 3u);
  EXPECT_TRUE(model.Verify().ok());
  EXPECT_EQ(model.OutputName(0), "c");
  EXPECT_FALSE(pass.Run(model).value());
}

TEST(RewritePassTest, RewritesBodies) {
  Model model = LoopTestModel();
  model.FindNode("loop")->bodies()[0]->model =
      std::make_unique<Model>(ThreeRelus());
  EXPECT_TRUE(TwiceRelu().Run(model).value());
  EXPECT_EQ(model.FindNode("loop")->bodies()[0]->model->node_count(), 3u);
}

TEST(RewritePassTest, NodesRemovedOnTheWayAreNotVisited) {
  Model model = ThreeRelus();
  int calls = 0;
  RewritePass pass("unused", Op("Parameter"),
                   [&](Model& m, const Match&) -> absl::StatusOr<bool> {
                     ++calls;
                     m.RemoveNode(m.results()[0]);
                     return m.RemoveUnused() > 0;
                   });
  EXPECT_TRUE(pass.Run(model).value());
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(model.node_count(), 1u);
}

TEST(RewritePassTest, FirstRuleThatChangesIsTheLast) {
  Model model = ThreeRelus();
  std::vector<std::string> calls;
  const auto rule = [&](const char* name, bool answer) {
    return RewritePass::Rule{
        Op("Parameter"), [&calls, name, answer](Model&, const Match&) {
          calls.push_back(name);
          return answer;
        }};
  };
  RewritePass pass("rules", {rule("no", false), rule("yes", true),
                             rule("late", true)});
  EXPECT_TRUE(pass.Run(model).value());
  EXPECT_EQ(calls, (std::vector<std::string>{"no", "yes"}));
}

TEST(RewritePassTest, ErrorsStop) {
  Model model = ThreeRelus();
  RewritePass pass("bad", Op("Relu"),
                   [](Model&, const Match&) -> absl::StatusOr<bool> {
                     return absl::InternalError("broken");
                   });
  EXPECT_EQ(pass.Run(model).status().message(), "broken");
}

}  // namespace
}  // namespace dovetail
