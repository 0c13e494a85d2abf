#include "dovetail/backends/common/program/analysis/infer_from_parameters.h"

#include "dovetail/core/graph/structural.h"
#include "dovetail/core/ops/text/parse.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

TEST(InferFromParametersTest, InfersAllThatReadsAParameterAndNothingElse) {
  auto model = ParseModelText(R"(
    %x = Parameter-0() {shape: [?, 2], element_type: f32}  # x
    %one = Constant-0() {value: f32[1] {1}}  # one
    %w = Relu-0(%one) {}  # w
    %a = Add-1(%x, %w) {}  # a
    %b = Relu-0(%a) {}  # b
    %r = Result-0(%b) {}  # r
  )");
  ASSERT_TRUE(model.ok()) << model.status();
  model->FindNode("x")->As<ParameterAttributes>()->shape = {3, 2};
  // A shape that is wrong, to see whether it is inferred.
  model->FindNode("one")->port().shape = {1, 1};

  ASSERT_TRUE(InferFromParameters(*model).ok());

  EXPECT_EQ(model->FindNode("b")->port().shape, PartialShape({3, 2}));
  EXPECT_EQ(model->FindNode("one")->port().shape, PartialShape({1, 1}));
}

TEST(InferFromParametersTest, NamesTheNodeThatDoesNotFit) {
  auto model = ParseModelText(R"(
    %x = Parameter-0() {shape: [?], element_type: f32}  # x
    %two = Constant-0() {value: f32[2] {1, 2}}  # two
    %a = Add-1(%x, %two) {}  # a
    %r = Result-0(%a) {}  # r
  )");
  ASSERT_TRUE(model.ok()) << model.status();
  model->FindNode("x")->As<ParameterAttributes>()->shape = {3};

  const absl::Status status = InferFromParameters(*model);

  EXPECT_FALSE(status.ok());
  EXPECT_NE(status.message().find("'a'"), absl::string_view::npos)
      << status.message();
}

}  // namespace
}  // namespace dovetail
