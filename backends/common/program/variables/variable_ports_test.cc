#include "dovetail/backends/common/program/variables/variable_ports.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/core/ops/text/parse.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::ElementsAre;

std::optional<VariablePorts> PortsOf(absl::string_view text) {
  auto model = ParseModelText(text);
  EXPECT_TRUE(model.ok()) << model.status();
  auto ports =
      MakeVariablePorts(std::make_shared<const Model>(*std::move(model)));
  EXPECT_TRUE(ports.ok()) << ports.status();
  return *std::move(ports);
}

TEST(MakeVariablePortsTest, AVariableIsAParameterAndAResult) {
  const auto ports = PortsOf(R"(
    %x = Parameter-0() {shape: [1,2], element_type: f32}
    %zero = Constant-0() {value: f32[] {0}}
    %shape = ShapeOf-3(%x) {output_type: i64}
    %start = Broadcast-3(%zero, %shape) {mode: NUMPY}
    %old = ReadValue-6(%start) {variable_id: "v", variable_type: f32, variable_shape: [?,2]}  # old
    %all = Concat-0(%old, %x) {axis: 0}
    %keep = Assign-6(%all) {variable_id: "v"}
    %sum = Relu-0(%all) {}
    %out = Result-0(%sum) {}
  )");
  ASSERT_TRUE(ports.has_value());
  EXPECT_EQ(ports->own_parameters, 1u);
  EXPECT_EQ(ports->own_results, 1u);
  ASSERT_EQ(ports->variables.size(), 1u);
  EXPECT_EQ(ports->variables[0].id, "v");
  EXPECT_EQ(ports->variables[0].parameter, 1);
  EXPECT_EQ(ports->variables[0].result, 1);
  const Model& model = *ports->model;
  ASSERT_TRUE(model.Verify().ok());
  ASSERT_EQ(model.parameters().size(), 2u);
  EXPECT_EQ(model.parameters()[1]->port().shape.ToString(), "[?,2]");
  ASSERT_EQ(model.results().size(), 2u);
  EXPECT_TRUE(model.results()[1]->input(0).node->Is("Concat"));
  // What gives the first value is elsewhere.
  for (const auto& node : model.nodes()) {
    EXPECT_FALSE(node->Is("Broadcast") || node->Is("Assign"))
        << node->Describe();
  }
  ASSERT_NE(ports->initial, nullptr);
  EXPECT_EQ(ports->initial->parameters().size(), 1u);
  ASSERT_EQ(ports->initial->results().size(), 1u);
  EXPECT_TRUE(ports->initial->results()[0]->input(0).node->Is("Broadcast"));
}

TEST(MakeVariablePortsTest, WhatGrowsDoesSoAlongTheOutermostAxis) {
  const auto ports = PortsOf(R"(
    %x = Parameter-0() {shape: [2,3,1,4], element_type: f32}
    %old = ReadValue-6() {variable_id: "v", variable_type: f32, variable_shape: [2,3,?,4]}
    %all = Concat-0(%old, %x) {axis: -2}
    %keep = Assign-6(%all) {variable_id: "v"}
    %before = ShapeOf-3(%old) {output_type: i32}
    %after = ShapeOf-3(%all) {output_type: i64}
    %r = Relu-0(%all) {}
    %o = Result-0(%r) {}
    %o1 = Result-0(%before) {}
    %o2 = Result-0(%after) {}
  )");
  ASSERT_TRUE(ports.has_value());
  const VariablePorts::Variable& variable = ports->variables[0];
  ASSERT_TRUE(variable.growth.has_value());
  EXPECT_THAT(variable.growth->order, ElementsAre(2, 0, 1, 3));
  EXPECT_FALSE(variable.growth->gather.has_value());
  EXPECT_EQ(variable.shape.ToString(), "[2,3,?,4]");
  const Model& model = *ports->model;
  ASSERT_TRUE(model.Verify().ok());
  const Node& parameter = *model.parameters()[variable.parameter];
  EXPECT_EQ(parameter.port().shape.ToString(), "[?,2,3,4]");
  const Node& joined = *model.results()[variable.result]->input(0).node;
  EXPECT_TRUE(joined.Is("Concat"));
  EXPECT_EQ(joined.input(0).node, &parameter);
  EXPECT_TRUE(joined.input(1).node->Is("Transpose"));
  EXPECT_EQ(joined.port().shape.ToString(), "[1..,2,3,4]");
  // Others see it as it was, and its extents where it is.
  const Node& read = *model.results()[0]->input(0).node->input(0).node;
  EXPECT_TRUE(read.Is("Transpose"));
  EXPECT_EQ(read.port().shape.ToString(), "[2,3,1..,4]");
  for (const int result : {1, 2}) {
    const Node& extents = *model.results()[result]->input(0).node;
    ASSERT_TRUE(extents.Is("Gather")) << extents.Describe();
    EXPECT_TRUE(extents.input(0).node->Is("ShapeOf"));
    EXPECT_EQ(extents.input(0).node->input(0).node,
              result == 1 ? &parameter : &joined);
  }
}

TEST(MakeVariablePortsTest, OnlyWhatIsJoinedBehindItGrows) {
  for (const char* joined : {"%x, %old", "%old, %old", "%x, %x"}) {
    const auto ports = PortsOf(absl::StrCat(R"(
      %x = Parameter-0() {shape: [2,1], element_type: f32}
      %old = ReadValue-6() {variable_id: "v", variable_type: f32, variable_shape: [2,?]}
      %all = Concat-0()",
                                            joined, R"() {axis: 1}
      %keep = Assign-6(%all) {variable_id: "v"}
      %r = Relu-0(%old) {}
      %o = Result-0(%r) {})"));
    ASSERT_TRUE(ports.has_value());
    EXPECT_FALSE(ports->variables[0].growth.has_value()) << joined;
  }
}

// What a decoder of four beams does with a variable, of which `reads` makes
// %mine.
std::string Beams(absl::string_view reads) {
  return absl::StrCat(R"(
    %x = Parameter-0() {shape: [4,3,1,5], element_type: f32}
    %beams = Parameter-0() {shape: [4], element_type: i32}
    %batch = Constant-0() {value: i64[] {0}}
    %row = Constant-0() {value: i32[4] {3, 2, 1, 0}}
    %old = ReadValue-6() {variable_id: "v", variable_type: f32, variable_shape: [?,3,?,5]}
    )",
                      reads, R"(
    %all = Concat-0(%mine, %x) {axis: 2}
    %keep = Assign-6(%all) {variable_id: "v"}
    %extents = ShapeOf-3(%mine) {output_type: i64}
    %r = Relu-0(%all) {}
    %o = Result-0(%r) {}
    %o1 = Result-0(%extents) {})");
}

TEST(MakeVariablePortsTest, WhatIsGatheredForBeamsGrows) {
  for (const char* gather : {"Gather-8", "Gather-7"}) {
    const auto ports = PortsOf(
        Beams(absl::StrCat("%mine = ", gather, "(%old, %beams, %batch) {}")));
    ASSERT_TRUE(ports.has_value());
    const VariablePorts::Variable& variable = ports->variables[0];
    ASSERT_TRUE(variable.growth.has_value());
    EXPECT_THAT(variable.growth->order, ElementsAre(2, 0, 1, 3));
    ASSERT_TRUE(variable.growth->gather.has_value());
    EXPECT_EQ(variable.growth->gather->indices, 1);
    EXPECT_EQ(variable.growth->gather->axis, 1);
    EXPECT_EQ(variable.growth->gather->from_end, gather[7] == '8');
    // The variable itself may have other beams than are taken.
    EXPECT_EQ(variable.shape.ToString(), "[?,3,?,5]");
    const Model& model = *ports->model;
    ASSERT_TRUE(model.Verify().ok());
    ASSERT_EQ(model.parameters().size(), 3u);
    EXPECT_EQ(model.parameters()[2]->port().shape.ToString(), "[?,4,3,5]");
    const Node& joined = *model.results()[variable.result]->input(0).node;
    EXPECT_EQ(joined.input(0).node, model.parameters()[2]);
    // The one that is left is that of extents.
    const Node& extents = *model.results()[1]->input(0).node;
    ASSERT_TRUE(extents.Is("Gather")) << extents.Describe();
    EXPECT_EQ(extents.input(0).node->input(0).node, model.parameters()[2]);
  }
}

TEST(MakeVariablePortsTest, OnlyAGatherOfItsOwnByAnInputIsTakenBeforeGrowing) {
  for (const char* reads :
       {"%mine = Gather-8(%old, %row, %batch) {}",
        "%two = Add-1(%beams, %row) {}\n"
        "%mine = Gather-8(%old, %two, %batch) {}",
        "%mine = Gather-8(%old, %beams, %batch) {}\n"
        "%again = Relu-0(%old) {}\n%o2 = Result-0(%again) {}"}) {
    const auto ports = PortsOf(Beams(reads));
    ASSERT_TRUE(ports.has_value());
    EXPECT_FALSE(ports->variables[0].growth.has_value()) << reads;
  }
}

TEST(MakeVariablePortsTest, ReadOrWrittenAlone) {
  const auto ports = PortsOf(R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %start = Constant-0() {value: f32[2] {1, 2}}
    %a = ReadValue-6(%start) {variable_id: "a", variable_type: f32, variable_shape: [2]}
    %keep = Assign-6(%x) {variable_id: "b"}
    %sum = Add-1(%a, %keep) {}
    %out = Result-0(%sum) {}
  )");
  ASSERT_TRUE(ports.has_value());
  ASSERT_EQ(ports->variables.size(), 2u);
  EXPECT_EQ(ports->variables[0].parameter, 1);
  EXPECT_EQ(ports->variables[0].result, -1);
  EXPECT_EQ(ports->variables[1].parameter, -1);
  EXPECT_EQ(ports->variables[1].result, 1);
  EXPECT_EQ(ports->model->results()[1]->input(0),
            ports->model->parameters()[0]->output());
}

TEST(MakeVariablePortsTest, WithoutAFirstValueItIsZeros) {
  const auto ports = PortsOf(R"(
    %old = ReadValue-6() {variable_id: "v", variable_type: f32, variable_shape: [2,?]}
    %out = Result-0(%old) {}
  )");
  ASSERT_TRUE(ports.has_value());
  const Value initial = ports->initial->results()[0]->input(0);
  EXPECT_TRUE(initial.node->Is("Constant"));
  EXPECT_EQ(initial.shape().ToString(), "[2,0]");
}

TEST(MakeVariablePortsTest, WithoutVariablesItIsTheModel) {
  auto parsed = ParseModelText(R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %out = Result-0(%x) {}
  )");
  ASSERT_TRUE(parsed.ok());
  const auto model = std::make_shared<const Model>(*std::move(parsed));
  const auto ports = MakeVariablePorts(model);
  ASSERT_TRUE(ports.ok() && ports->has_value());
  EXPECT_EQ((*ports)->model, model);
  EXPECT_EQ((*ports)->initial, nullptr);
}

TEST(MakeVariablePortsTest, ReadTwiceOrFromAnotherVariable) {
  EXPECT_FALSE(PortsOf(R"(
    %start = Constant-0() {value: f32[2] {1, 2}}
    %a = ReadValue-6(%start) {variable_id: "a", variable_type: f32, variable_shape: [2]}
    %b = ReadValue-6(%start) {variable_id: "a", variable_type: f32, variable_shape: [2]}
    %sum = Add-1(%a, %b) {}
    %out = Result-0(%sum) {}
  )")
                   .has_value());
  EXPECT_FALSE(PortsOf(R"(
    %start = Constant-0() {value: f32[2] {1, 2}}
    %a = ReadValue-6(%start) {variable_id: "a", variable_type: f32, variable_shape: [2]}
    %b = ReadValue-6(%a) {variable_id: "b", variable_type: f32, variable_shape: [2]}
    %out = Result-0(%b) {}
  )")
                   .has_value());
}

}  // namespace
}  // namespace dovetail
