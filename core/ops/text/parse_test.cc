#include "dovetail/core/ops/text/parse.h"

#include "dovetail/core/graph/body.h"
#include "dovetail/core/graph/testing/test_ops.h"
#include "dovetail/core/graph/text.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const OpInfo* FindTestOp(absl::string_view type, int version) {
  for (const OpInfo& op : TestOps()) {
    if (op.type == type && op.version == version) return &op;
  }
  return nullptr;
}

absl::StatusOr<Model> Parse(absl::string_view text) {
  return ParseModelText(text, FindTestOp);
}

std::string Error(absl::string_view text) {
  return std::string(Parse(text).status().message());
}

TEST(ParseTest, ReadsLittleText) {
  const auto model = Parse(R"(
    %x = Parameter-0() {shape: [2,3], element_type: f32}  # x
    %r = Relu-1(%x) {}  # relu
    %0 = Result-0(%r) {}  # out
  )");
  ASSERT_TRUE(model.ok()) << model.status();
  Model expected = SmallTestModel();
  expected.set_name("");
  EXPECT_TRUE(Model::Compare(*model, expected).ok());
}

TEST(ParseTest, ReadsWhatIsPrinted) {
  Model model = LoopTestModel();
  Body& body = *model.FindNode("loop")->bodies()[0];
  body.inputs[0].slicing = Slicing{0, -1, 0, -1, 2};
  body.current_iteration_parameter = 0;
  body.execution_condition_result = 0;
  model.parameters()[0]->port().names = {"in", "a \"b\""};
  const auto parsed = Parse(model.ToString());
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_TRUE(Model::Compare(model, *parsed).ok());
  EXPECT_EQ(parsed->ToString(), model.ToString());
}

TEST(ParseTest, OutputsOfWhatCannotBeInferredAreAsGiven) {
  const auto model = Parse(R"(
    %0 = Parameter-0() {shape: [2], element_type: f32}
    %1 = NoRule-1(%0) {} : i8[?,3] "t"
    %2 = Result-0(%1) {})");
  ASSERT_TRUE(model.ok()) << model.status();
  const Value result = model->results()[0]->input(0);
  EXPECT_EQ(result.type(), ElementType::kI8);
  EXPECT_EQ(result.shape(), (PartialShape{Dimension(), 3}));
  EXPECT_EQ(model->OutputName(0), "t");
}

TEST(ParseTest, EmptyTextIsAnEmptyModel) {
  EXPECT_EQ(Parse("")->node_count(), 0u);
  EXPECT_EQ(Parse("model \"m\"\n\n")->name(), "m");
}

TEST(ParseTest, ErrorsNameTheLine) {
  EXPECT_EQ(Error("\n%0 = Nothing-1() {}"),
            "line 2: there is no operation Nothing-1");
  EXPECT_EQ(Error("%0 = Relu-1(%1) {}"), "line 1: there is no %1 before");
  EXPECT_EQ(Error("%0 = Parameter-0() {shape: [2], element_type: f32}\n"
                  "%0 = Relu-1(%0) {}"),
            "line 2: %0 is there twice");
  EXPECT_EQ(Error("%0 = Parameter-0() {shape: [2], element_type: f32}\n"
                  "%1 = Relu-1(%0:1) {}"),
            "line 2: %0 has no output 1");
  EXPECT_EQ(Error("%0 = Parameter-0() {shape: [2], element_type: f32} "
                  ": f32[3]  # x"),
            "line 1: layer 'x' (Parameter-0): output 0 is f32[2], the text "
            "says f32[3]");
  EXPECT_EQ(Error("%0 = Relu-1() {}  # r"),
            "line 1: layer 'r' (Relu-1): has 0 inputs, takes 1 to 1");
  EXPECT_EQ(Error("}"), "line 1: there is no body to close");
  EXPECT_EQ(Error("%0 = Parameter-0() {shape: [2]} what"),
            "line 1: left over at 'what'");
}

TEST(ParseTest, OutputsCanBeAsManyAsTheTextSays) {
  const std::string text =
      "%0 = Parameter-0() {shape: [4], element_type: f32} : f32[4]\n"
      "%1 = Parameter-0() {shape: [], element_type: i64} : i64[]\n"
      "%2 = Parameter-0() {shape: [?], element_type: i64} : i64[?]\n"
      "%3 = VariadicSplit-1(%0, %1, %2) {} : f32[?], f32[?]\n";
  const auto model = ParseModelText(text);
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ(ModelText(*model, {.with_names = false}), text);
}

TEST(ParseTest, BodiesAreClosedAndTied) {
  const std::string head =
      "%0 = Loop-5() {}  # l\n  body inputs {} outputs {0->0} back_edges {} {";
  EXPECT_EQ(Error(head), "line 3: a body is not closed");
  EXPECT_EQ(Error(head + "\n}"),
            "line 3: layer 'l' (Loop-5): the body is bound to what is not "
            "there");
}

TEST(ParseTest, DeepNestingIsRefused) {
  std::string text;
  for (int i = 0; i < 100000; ++i) {
    text += "%0 = Loop-5() {}\nbody inputs {} outputs {} back_edges {} {\n";
  }
  EXPECT_NE(Error(text).find("bodies are nested over 64 deep"),
            std::string::npos);
}

}  // namespace
}  // namespace dovetail
