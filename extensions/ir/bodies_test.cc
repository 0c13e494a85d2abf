// Layers with bodies: what the reader makes of them, that the writer gives the
// same, and what is refused.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/extensions/ir/reader.h"
#include "dovetail/extensions/ir/testing/body_nets.h"
#include "dovetail/extensions/ir/testing/ir_text.h"
#include "dovetail/extensions/ir/writer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ir::EdgeText;
using ir::IfNet;
using ir::LoopNet;
using ir::NestedNet;
using ir::Replaced;
using ir::ResultText;
using ir::TensorIteratorNet;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

absl::StatusOr<std::unique_ptr<Model>> TryRead(const std::string& xml) {
  return ReadIrFromMemory(xml, ir::BytesOf(ir::LoopWeights()));
}

std::unique_ptr<Model> Read(const std::string& xml) {
  auto model = TryRead(xml);
  EXPECT_TRUE(model.ok()) << model.status() << "\n" << xml;
  return model.ok() ? *std::move(model) : std::make_unique<Model>();
}

// Expects an error whose message has all these parts.
void ExpectRefused(const std::string& xml,
                   const std::vector<std::string>& parts) {
  const auto model = TryRead(xml);
  ASSERT_FALSE(model.ok()) << xml;
  for (const std::string& part : parts) {
    EXPECT_THAT(std::string(model.status().message()), HasSubstr(part));
  }
}

void ExpectSameAfterRoundTrip(const Model& model) {
  const auto files = WriteIrToMemory(model);
  ASSERT_TRUE(files.ok()) << files.status();
  const auto again =
      ReadIrFromMemory(files->xml, ir::BytesOf(files->weights));
  ASSERT_TRUE(again.ok()) << again.status() << "\n" << files->xml;
  const absl::Status same = Model::Compare(model, **again, true);
  EXPECT_TRUE(same.ok()) << same << "\n" << files->xml;
}

TEST(BodiesTest, TensorIterator) {
  const auto model = Read(TensorIteratorNet());
  const Node* node = model->FindNode("iterate");
  ASSERT_NE(node, nullptr);
  ASSERT_EQ(node->bodies().size(), 1u);
  const Body& body = *node->bodies()[0];
  const Slicing slicing;
  EXPECT_THAT(body.inputs,
              ElementsAre(BodyInput{0, 0, slicing}, BodyInput{1, 1, {}}));
  EXPECT_THAT(body.outputs,
              ElementsAre(BodyOutput{0, 0, {}}, BodyOutput{1, 0, slicing}));
  EXPECT_THAT(body.back_edges, ElementsAre(BackEdge{0, 1}));
  EXPECT_EQ(body.current_iteration_parameter, -1);
  EXPECT_EQ(body.execution_condition_result, -1);
  EXPECT_EQ(node->port(0).shape, (PartialShape{1, 4}));
  EXPECT_EQ(node->port(1).shape, (PartialShape{7, 4}));
  ExpectSameAfterRoundTrip(*model);
}

TEST(BodiesTest, Loop) {
  const auto model = Read(LoopNet());
  const Node* node = model->FindNode("iterate");
  ASSERT_NE(node, nullptr);
  const Body& body = *node->bodies()[0];
  EXPECT_THAT(body.inputs,
              ElementsAre(BodyInput{2, 0, Slicing()}, BodyInput{3, 1, {}}));
  EXPECT_EQ(body.model->parameters()[body.current_iteration_parameter]->name(),
            "i");
  EXPECT_EQ(body.model->results()[body.execution_condition_result]->name(),
            "go on");
  EXPECT_EQ(node->port(1).shape, (PartialShape{7, 4}));
  ExpectSameAfterRoundTrip(*model);
}

TEST(BodiesTest, If) {
  const auto model = Read(IfNet());
  const Node* node = model->FindNode("if");
  ASSERT_NE(node, nullptr);
  ASSERT_EQ(node->bodies().size(), 2u);
  for (const auto& body : node->bodies()) {
    EXPECT_THAT(body->inputs,
                ElementsAre(BodyInput{1, 0, {}}, BodyInput{2, 1, {}}));
    EXPECT_THAT(body->outputs, ElementsAre(BodyOutput{0, 0, {}}));
  }
  ExpectSameAfterRoundTrip(*model);
}

TEST(BodiesTest, OutputsMayBeNumberedInTheirOrder) {
  // Some writers number the outputs of the port map from 0.
  const auto model =
      Read(Replaced(Replaced(IfNet(), "<output external_port_id=\"3\"",
                             "<output external_port_id=\"0\""),
                    "<input external_port_id=\"1\" internal_layer_id=\"0\"/>",
                    "<input external_port_id=\"1\" internal_layer_id=\"0\" "
                    "axis=\"\"/>"));
  EXPECT_THAT(model->FindNode("if")->bodies()[0]->outputs,
              ElementsAre(BodyOutput{0, 0, {}}));
}

TEST(BodiesTest, BodiesWithinBodies) {
  ExpectSameAfterRoundTrip(*Read(NestedNet(3)));
  EXPECT_TRUE(TryRead(NestedNet(16)).ok());
  ExpectRefused(NestedNet(17), {"layer 'level0'", "nested over 16 deep"});
  ExpectRefused(NestedNet(300), {"nested over 16 deep"});
}

TEST(BodiesTest, MissingParts) {
  ExpectRefused(Replaced(Replaced(TensorIteratorNet(), "<body>", "<head>"),
                         "</body>", "</head>"),
                {"layer 'iterate'", "<body> is missing"});
  ExpectRefused(Replaced(Replaced(IfNet(), "<else_body>", "<other>"),
                         "</else_body>", "</other>"),
                {"layer 'if'", "<else_body> is missing"});
  ExpectRefused(Replaced(Replaced(TensorIteratorNet(), "<port_map>", "<map>"),
                         "</port_map>", "</map>"),
                {"layer 'iterate'", "no input feeds Parameter 'x'"});
  ExpectRefused(Replaced(IfNet(), "<input external_port_id=\"1\"", "<input"),
                {"layer 'if'", "<input>", "'external_port_id' is missing"});
  ExpectRefused(Replaced(IfNet(), "internal_layer_id=\"3\"", ""),
                {"layer 'if'", "<output>", "'internal_layer_id' is missing"});
}

TEST(BodiesTest, BindsToNowhere) {
  ExpectRefused(Replaced(IfNet(), "<input external_port_id=\"1\"",
                         "<input external_port_id=\"7\""),
                {"layer 'if'", "<input>", "'external_port_id'",
                 "no input port 7", "0, 1, 2"});
  ExpectRefused(Replaced(IfNet(), "internal_layer_id=\"0\"",
                         "internal_layer_id=\"2\""),
                {"layer 'if'", "<input>", "'internal_layer_id'",
                 "no Parameter with layer id 2"});
  ExpectRefused(Replaced(IfNet(), "internal_layer_id=\"3\"",
                         "internal_layer_id=\"0\""),
                {"layer 'if'", "<output>", "'internal_layer_id'",
                 "no Result with layer id 0"});
  ExpectRefused(Replaced(IfNet(), "internal_layer_id=\"1\"",
                         "internal_layer_id=\"0\""),
                {"layer 'if'", "<input>", "two inputs feed one Parameter"});
}

TEST(BodiesTest, BackEdges) {
  const std::string edge = "<edge from-layer=\"3\" to-layer=\"1\"/>";
  const auto with = [&](const std::string& edges) {
    return Replaced(TensorIteratorNet(), edge, edges);
  };
  ExpectRefused(with("<edge from-layer=\"8\" to-layer=\"1\"/>"),
                {"layer 'iterate'", "'from-layer'", "no Result", "id 8"});
  ExpectRefused(with("<edge from-layer=\"3\" to-layer=\"8\"/>"),
                {"layer 'iterate'", "'to-layer'", "no Parameter", "id 8"});
  ExpectRefused(with("<edge to-layer=\"1\"/>"),
                {"layer 'iterate'", "'from-layer' is missing"});
  ExpectRefused(with(edge + edge),
                {"layer 'iterate'", "two back edges lead to one Parameter"});
}

TEST(BodiesTest, Slices) {
  const auto with = [](const std::string& name, const std::string& value) {
    return Replaced(
        TensorIteratorNet(),
        absl::StrCat(name, "=\"", name == "axis" ? "0" : "1", "\""),
        absl::StrCat(name, "=\"", value, "\""));
  };
  ExpectRefused(with("axis", "first"),
                {"layer 'iterate'", "'axis'", "'first'"});
  ExpectRefused(with("axis", "2"), {"layer 'iterate'", "axis"});
  ExpectRefused(with("stride", "0"),
                {"layer 'iterate'", "'stride'", "nothing"});
  ExpectRefused(with("part_size", "-1"),
                {"layer 'iterate'", "'part_size'", "-1"});
}

TEST(BodiesTest, WhatIsWrongWithinIsFoundByItsWay) {
  ExpectRefused(
      Replaced(TensorIteratorNet(), "type=\"Add\"", "type=\"Plus\""),
      {"layer 'iterate'", "<body>", "layer 'add'", "no operation 'Plus'"});
  ExpectRefused(Replaced(IfNet(), EdgeText(1, 0, 2, 1), ""),
                {"layer 'if'", "<then_body>", "layer 'add'", "has 1 inputs"});
  ExpectRefused(
      Replaced(TensorIteratorNet(), EdgeText(1, 0, 2, 1), EdgeText(2, 2, 2, 1)),
      {"layer 'iterate'", "<body>", "cycle"});
}

}  // namespace
}  // namespace dovetail
