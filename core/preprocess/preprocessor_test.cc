#include "dovetail/core/preprocess/preprocessor.h"

#include "dovetail/core/ops/op_table.h"
#include "dovetail/core/ops/text/parse.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr absl::string_view kModel = R"(
  %0 = Parameter-0() {shape: [1,3,4,6], element_type: f32}
  %1 = Relu-0(%0) {}
  %2 = Result-0(%1) {}
)";

Preprocessor ForModel(absl::string_view text = kModel) {
  auto model = ParseModelText(text);
  EXPECT_TRUE(model.ok()) << model.status();
  return Preprocessor(model.ok() ? *std::move(model) : Model());
}

TEST(PreprocessorTest, DifferencesAreClosed) {
  Preprocessor p = ForModel();
  p.input(0).tensor().set_element_type(ElementType::kU8).set_layout("NHWC");
  p.input(0).tensor().set_spatial_shape(8, 10);
  p.input(0).model().set_layout("NCHW");
  const auto model = std::move(p).Build();
  ASSERT_TRUE(model.ok()) << model.status();
  const OutputPort& port = model->parameters()[0]->port();
  EXPECT_EQ(port.type, ElementType::kU8);
  EXPECT_EQ(port.shape, PartialShape({1, 8, 10, 3}));
  const Value data = model->results()[0]->input(0).node->input(0);
  EXPECT_EQ(data.node->op().type, "Transpose");
  EXPECT_EQ(data.node->input(0).node->op().type, "Interpolate");
  EXPECT_TRUE(model->Verify().ok()) << model->Verify();
}

TEST(PreprocessorTest, NothingIsAddedWithoutDifference) {
  Preprocessor p = ForModel();
  p.input(0).tensor().set_layout("NCHW");
  p.input(0).model().set_layout("NC??");
  p.output(0).tensor().set_element_type(ElementType::kF32);
  const auto model = std::move(p).Build();
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ(model->node_count(), 3u);
}

TEST(PreprocessorTest, AreaKeepsTheAxes) {
  Preprocessor p = ForModel();
  p.input(0).tensor().set_spatial_shape(8, 12);
  p.input(0).model().set_layout("NCHW");
  p.input(0).Resize(ResizeMode::kArea);
  const auto model = std::move(p).Build();
  ASSERT_TRUE(model.ok()) << model.status();
  const Value data = model->results()[0]->input(0).node->input(0);
  EXPECT_EQ(data.shape(), PartialShape({1, 3, 4, 6}));
  EXPECT_TRUE(data.node->Is("Interpolate-0"));
}

TEST(PreprocessorTest, PlanesAreInputs) {
  Preprocessor p = ForModel();
  p.input(0)
      .tensor()
      .set_element_type(ElementType::kU8)
      .set_color_format(ColorFormat::kI420ThreePlanes);
  p.input(0).tensor().set_spatial_dynamic();
  p.input(0).model().set_layout("NCHW");
  p.input(0)
      .ConvertColor(ColorFormat::kRgb)
      .ConvertElementType()
      .Resize(ResizeMode::kLinear);
  const auto model = std::move(p).Build();
  ASSERT_TRUE(model.ok()) << model.status();
  ASSERT_EQ(model->parameters().size(), 3u);
  EXPECT_EQ(model->parameters()[1]->name(),
            model->parameters()[0]->name().substr(
                0, model->parameters()[0]->name().size() - 1) +
                "U");
}

TEST(PreprocessorTest, OwnStepsAddNodes) {
  Preprocessor p = ForModel();
  const OwnStep negate = [](Model& model, Value x) -> absl::StatusOr<Value> {
    auto node = model.Add(*FindOp("Negative"), {x}, nullptr, "mine");
    if (!node.ok()) return node.status();
    return (*node)->output();
  };
  p.input(0).Own(negate);
  p.output(0).Own(negate);
  const auto model = std::move(p).Build();
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ(model->results()[0]->input(0).node->name(), "mine");
}

TEST(PreprocessorTest, OutputsKeepTheirNames) {
  Preprocessor p = ForModel();
  const std::string name = p.model().OutputName(0);
  p.output(0).tensor().set_element_type(ElementType::kI32).set_layout("NHWC");
  p.output(0).model().set_layout("NCHW");
  const auto model = std::move(p).Build();
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ(model->OutputName(0), name);
  EXPECT_EQ(model->results()[0]->input(0).shape(), PartialShape({1, 4, 6, 3}));
}

void ExpectMessage(Preprocessor p, absl::string_view part) {
  const auto model = std::move(p).Build();
  ASSERT_FALSE(model.ok());
  EXPECT_NE(model.status().message().find(part), absl::string_view::npos)
      << model.status();
}

TEST(PreprocessorTest, ErrorsNameInputAndStep) {
  Preprocessor whole_numbers = ForModel();
  whole_numbers.input(0).tensor().set_element_type(ElementType::kU8);
  whole_numbers.input(0).ConvertElementType(ElementType::kU8).Mean({1});
  ExpectMessage(std::move(whole_numbers),
                "step 2 (mean): the tensor is of u8; convert_element_type");
  Preprocessor no_layout = ForModel();
  no_layout.input(0).Scale({1, 2, 3});
  ExpectMessage(std::move(no_layout),
                "step 1 (scale): the tensor has no layout");
  Preprocessor no_color = ForModel();
  no_color.input(0).ConvertColor(ColorFormat::kRgb);
  ExpectMessage(std::move(no_color), "has no colour format");
  Preprocessor no_way = ForModel();
  no_way.input(0).tensor().set_color_format(ColorFormat::kRgb);
  no_way.input(0).tensor().set_layout("NCHW");
  no_way.input(0).ConvertColor(ColorFormat::kNv12SinglePlane);
  ExpectMessage(std::move(no_way), "no conversion from RGB to NV12_SINGLE_PLANE");
}

TEST(PreprocessorTest, WhatTheModelCannotTakeIsRefused) {
  Preprocessor cropped = ForModel();
  cropped.input(0).Crop({0, 0, 0, 0}, {1, 2, 4, 6});
  ExpectMessage(std::move(cropped), "but the model takes f32[1,3,4,6]");
  Preprocessor none = ForModel();
  none.input(3).ReverseChannels();
  ExpectMessage(std::move(none), "no input 3; the model has 1");
  Preprocessor planes = ForModel();
  planes.input(0).tensor().set_color_format(ColorFormat::kNv12TwoPlanes);
  planes.input(0).tensor().set_spatial_shape(4, 6);
  planes.input(0).model().set_layout("NCHW");
  ExpectMessage(std::move(planes), "convert_color has to come before");
}

}  // namespace
}  // namespace dovetail
