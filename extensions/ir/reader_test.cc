// What the reader makes of well-formed files.
#include "dovetail/extensions/ir/reader.h"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/ops/op_table.h"
#include "dovetail/core/ops/structural/structural.h"
#include "dovetail/extensions/ir/testing/ir_text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ir::ConstText;
using ir::EdgeText;
using ir::LayerText;
using ir::NetText;
using ir::ParameterText;
using ir::ReluNet;
using ir::Replaced;
using ir::ResultText;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::unique_ptr<Model> Read(const std::string& xml,
                            const Tensor& weights = Tensor(),
                            const ReadOptions& options = {}) {
  auto model = ReadIrFromMemory(xml, weights, options);
  EXPECT_TRUE(model.ok()) << model.status();
  if (!model.ok()) return std::make_unique<Model>();
  EXPECT_TRUE((*model)->Verify().ok()) << (*model)->Verify();
  return *std::move(model);
}

std::vector<std::string> NamesOf(const std::vector<Node*>& nodes) {
  std::vector<std::string> names;
  for (const Node* node : nodes) names.push_back(node->name());
  return names;
}

TEST(ReaderTest, ReadsAChain) {
  const auto model = Read(ReluNet());
  EXPECT_EQ(model->name(), "net");
  ASSERT_EQ(model->node_count(), 3u);
  const Node* relu = model->FindNode("relu");
  ASSERT_NE(relu, nullptr);
  EXPECT_EQ(relu->op().ToString(), "Relu-0");
  EXPECT_EQ(relu->port().type, ElementType::kF32);
  EXPECT_EQ(relu->port().shape, PartialShape({1, 3}));
}

// a [2,3,4] and b of `shape`, added as PaddlePaddle does at `axis`.
std::string PdpdNet(absl::string_view shape, absl::string_view axis) {
  return NetText(
      ParameterText(0, "a", "2,3,4") + ParameterText(1, "b", shape) +
          LayerText{
              .id = 2,
              .name = "sum",
              .type = "Add",
              .data = absl::StrCat("auto_broadcast=\"pdpd\" "
                                   "auto_broadcast.auto_broadcast_axis=\"",
                                   axis, "\""),
              .inputs = 2}
              .ToString() +
          ResultText(3, "out"),
      EdgeText(0, 0, 2, 0) + EdgeText(1, 0, 2, 1) + EdgeText(2, 2, 3, 0));
}

TEST(ReaderTest, BroadcastsAtTheAxisThatTheFileNames) {
  const auto aligned = [](absl::string_view shape, absl::string_view axis) {
    const auto model = Read(PdpdNet(shape, axis));
    const Node* sum = model->FindNode("sum");
    if (sum == nullptr) return std::string("none");
    EXPECT_EQ(sum->port().shape, PartialShape({2, 3, 4}));
    return sum->input(1).shape().ToString();
  };
  EXPECT_EQ(aligned("2,3", "0"), "[2,3]");
  EXPECT_EQ(aligned("3", "1"), "[1,3]");
  EXPECT_EQ(aligned("3,4", "-1"), "[1,3,4]");
  EXPECT_EQ(aligned("4", "2"), "[1,1,4]");
  for (const char* axis : {"-2", "1000", "x"}) {
    EXPECT_THAT(
        ReadIrFromMemory(PdpdNet("3", axis), Tensor()).status().ToString(),
        HasSubstr("want -1 to 64"));
  }
  EXPECT_THAT(
      ReadIrFromMemory(PdpdNet("...", "-1"), Tensor()).status().ToString(),
      HasSubstr("ranks are not known"));
}

TEST(ReaderTest, OutputsStayThatOnlyValuesDecideOn) {
  const auto model = Read(NetText(
      ParameterText(0, "data", "6,3") + ParameterText(1, "axis", "", "i64") +
          ParameterText(2, "lengths", "?", "i64") +
          LayerText{.id = 3,
                    .name = "split",
                    .type = "VariadicSplit",
                    .inputs = 3,
                    .outputs = 2}
              .ToString() +
          ResultText(4, "first") + ResultText(5, "second"),
      EdgeText(0, 0, 3, 0) + EdgeText(1, 0, 3, 1) + EdgeText(2, 0, 3, 2) +
          EdgeText(3, 3, 4, 0) + EdgeText(3, 4, 5, 0)));
  const Node* split = model->FindNode("split");
  ASSERT_NE(split, nullptr);
  ASSERT_EQ(split->output_count(), 2);
  EXPECT_EQ(split->port(1).shape, PartialShape({-1, -1}));
}

TEST(ReaderTest, TypesAreFoundInAnyCase) {
  for (const char* type : {"relu", "RELU", "Relu"}) {
    EXPECT_EQ(
        Read(Replaced(ReluNet(), "\"ReLU\"", absl::StrCat("\"", type, "\"")))
            ->node_count(),
        3u);
  }
}

TEST(ReaderTest, ShapesComeFromInferenceNotFromTheFile) {
  const std::string xml = Replaced(ReluNet(), "precision=\"FP32\"/>",
                                   "precision=\"FP16\"><dim>7</dim></port>");
  const auto model = Read(xml);
  EXPECT_EQ(model->FindNode("relu")->port().shape, PartialShape({1, 3}));
  EXPECT_EQ(model->FindNode("relu")->port().type, ElementType::kF32);
}

TEST(ReaderTest, ParameterShapesMayBePartial) {
  const std::vector<std::pair<std::string, PartialShape>> cases = {
      {"1,?,-1", {1, -1, -1}},
      {"[2..4,3..,..5]",
       {Dimension(2, 4), Dimension(3, Dimension::kInfinity), Dimension(0, 5)}},
      {"...", PartialShape()},
      {"", PartialShape(std::vector<Dimension>())}};
  for (const auto& [text, shape] : cases) {
    const auto model = Read(Replaced(ReluNet(), "shape=\"1,3\"",
                                     absl::StrCat("shape=\"", text, "\"")));
    EXPECT_EQ(model->parameters()[0]->port().shape, shape) << text;
  }
}

TEST(ReaderTest, LayersMayBeInAnyOrderAndPortsHaveAnyIds) {
  const std::string relu =
      "<layer id=\"50\" name=\"relu\" type=\"ReLU\" version=\"opset1\">"
      "<input><port id=\"9\"/></input>"
      "<output><port id=\"-4\" precision=\"FP32\"/></output></layer>";
  const auto model = Read(NetText(
      absl::StrCat(ResultText(7, "out"), relu, ParameterText(3, "in", "2")),
      EdgeText(50, -4, 7, 0) + EdgeText(3, 0, 50, 9)));
  EXPECT_EQ(model->node_count(), 3u);
  EXPECT_EQ(model->results()[0]->input(0).node->name(), "relu");
}

TEST(ReaderTest, InputsAndOutputsAreInTheOrderOfTheFile) {
  // The first result waits for more than the second one.
  const auto model = Read(NetText(
      absl::StrCat(ResultText(10, "late"), ParameterText(0, "b", "1"),
                   ParameterText(1, "a", "1"), ResultText(11, "early"),
                   LayerText{.id = 5, .name = "x", .type = "ReLU"}.ToString(),
                   LayerText{.id = 6, .name = "y", .type = "ReLU"}.ToString()),
      EdgeText(0, 0, 5, 0) + EdgeText(5, 1, 6, 0) + EdgeText(6, 1, 10, 0) +
          EdgeText(1, 0, 11, 0)));
  EXPECT_THAT(NamesOf(model->parameters()), ElementsAre("b", "a"));
  EXPECT_THAT(NamesOf(model->results()), ElementsAre("late", "early"));
}

TEST(ReaderTest, LeavesOutWhatNothingNeedsButParameters) {
  const auto model = Read(NetText(
      absl::StrCat(ParameterText(0, "used", "1"),
                   ParameterText(1, "unused", "1"),
                   LayerText{.id = 2, .name = "dead", .type = "NoSuchOperation"}
                       .ToString(),
                   ResultText(3, "out")),
      EdgeText(0, 0, 2, 0) + EdgeText(0, 0, 3, 0)));
  EXPECT_THAT(NamesOf(model->parameters()), ElementsAre("used", "unused"));
  EXPECT_EQ(model->FindNode("dead"), nullptr);
}

TEST(ReaderTest, AnEdgeBetweenLayersThatAreGoneIsPassedOver) {
  EXPECT_EQ(
      Read(Replaced(ReluNet(), "<edges>", "<edges>" + EdgeText(30, 0, 40, 1)))
          ->node_count(),
      3u);
}

TEST(ReaderTest, ConstantsAreViewsOfTheWeights) {
  const float values[] = {0, 1, 2, 3};
  const Tensor weights = ir::WeightsOf<float>(values);
  const auto model =
      Read(NetText(absl::StrCat(ConstText(0, "c", "f32", "1,3", 4, 12),
                                ResultText(1, "out")),
                   EdgeText(0, 0, 1, 0)),
           weights);
  const auto* constant = model->FindNode("c")->As<ConstantAttributes>();
  ASSERT_NE(constant, nullptr);
  EXPECT_EQ(constant->value.shape(), Shape({1, 3}));
  EXPECT_EQ(constant->value.raw_data(), weights.data<uint8_t>() + 4);
  EXPECT_EQ(constant->value.ElementAsDouble(2), 3);
}

TEST(ReaderTest, ConstantsOutliveTheWeightsTensor) {
  auto weights = std::make_unique<Tensor>(ir::BytesOf("abcd"));
  const auto model =
      Read(NetText(absl::StrCat(ConstText(0, "c", "u8", "4", 0, 4),
                                ResultText(1, "out")),
                   EdgeText(0, 0, 1, 0)),
           *weights);
  weights.reset();
  const auto* constant = model->FindNode("c")->As<ConstantAttributes>();
  EXPECT_EQ(constant->value.ElementAsInt64(3), 'd');
}

TEST(ReaderTest, ConstantsNeedNoAlignment) {
  const std::string bytes("\0\0\0\0\x80\x3f", 6);  // 1.0f after two bytes
  const auto model =
      Read(NetText(absl::StrCat(ConstText(0, "c", "f32", "", 2, 4),
                                ResultText(1, "out")),
                   EdgeText(0, 0, 1, 0)),
           ir::BytesOf(bytes));
  const auto* constant = model->FindNode("c")->As<ConstantAttributes>();
  EXPECT_EQ(constant->value.ElementAsDouble(0), 1);
}

// A large one is copied only for those who read its elements in place.
TEST(ReaderTest, LargeConstantsAreNotCopiedForTheirAlignment) {
  std::string bytes(3 + 4 * 40000, '\0');
  const float last = 7;
  std::memcpy(&bytes[3 + 4 * 39999], &last, sizeof(last));
  const auto model =
      Read(NetText(absl::StrCat(ConstText(0, "c", "f32", "40000", 3, 160000),
                                ConstText(1, "d", "f32", "200,200", 3, 160000),
                                ResultText(2, "out"), ResultText(3, "other")),
                   absl::StrCat(EdgeText(0, 0, 2, 0), EdgeText(1, 0, 3, 0))),
           ir::BytesOf(bytes));
  const Tensor& c = model->FindNode("c")->As<ConstantAttributes>()->value;
  const Tensor& d = model->FindNode("d")->As<ConstantAttributes>()->value;
  EXPECT_FALSE(c.is_aligned());
  EXPECT_EQ(c.address(), d.address());
  EXPECT_EQ(c.ElementAsDouble(39999), 7);
  EXPECT_EQ(c.raw_data(), d.raw_data());
}

TEST(ReaderTest, BooleansAreMadeZeroOrOne) {
  const auto model =
      Read(NetText(absl::StrCat(ConstText(0, "c", "boolean", "3", 0, 3),
                                ResultText(1, "out")),
                   EdgeText(0, 0, 1, 0)),
           ir::BytesOf(std::string("\0\2\1", 3)));
  const auto& value = model->FindNode("c")->As<ConstantAttributes>()->value;
  EXPECT_THAT(ToInt64Vector(value), ElementsAre(0, 1, 1));
}

TEST(ReaderTest, ReadsStringConstants) {
  const int32_t table[] = {3, 0, 2, 2, 5};
  std::string bytes(reinterpret_cast<const char*>(table), sizeof(table));
  bytes += "abcde";
  const auto model =
      Read(NetText(absl::StrCat(ConstText(0, "c", "string", "3,1", 0, 25),
                                ResultText(1, "out")),
                   EdgeText(0, 0, 1, 0)),
           ir::BytesOf(bytes));
  const auto& value = model->FindNode("c")->As<ConstantAttributes>()->value;
  EXPECT_EQ(value.shape(), Shape({3, 1}));
  EXPECT_THAT(value.span<std::string>(), ElementsAre("ab", "", "cde"));
}

TEST(ReaderTest, TensorNamesMayHaveCommas) {
  const auto model =
      Read(Replaced(ReluNet(), "<port id=\"1\" precision=\"FP32\"",
                    "<port id=\"1\" precision=\"FP32\" names=\"a\\,b,c d\""));
  EXPECT_THAT(model->FindNode("relu")->port().names, ElementsAre("a,b", "c d"));
  EXPECT_EQ(*model->FindOutput("c d"), 0);
}

TEST(ReaderTest, NamesOfAResultAreThoseOfWhatItReads) {
  const auto model =
      Read(Replaced(ReluNet(), "type=\"Result\"",
                    "type=\"Result\" output_names=\"scores,x\""));
  EXPECT_THAT(model->FindNode("relu")->port().names,
              ElementsAre("scores", "x"));
}

TEST(ReaderTest, SharedFriendlyNamesGetNumbers) {
  const auto model = Read(NetText(
      absl::StrCat(LayerText{.id = 4, .name = "a", .type = "Abs"}.ToString(),
                   LayerText{.id = 5, .name = "a", .type = "Exp"}.ToString(),
                   ParameterText(0, "a", "1"), ResultText(1, "a")),
      EdgeText(0, 0, 4, 0) + EdgeText(4, 1, 5, 0) + EdgeText(5, 1, 1, 0)));
  EXPECT_EQ(model->parameters()[0]->name(), "a");
  EXPECT_EQ(model->FindNode("a_1")->op().type, "Exp");  // the output
  EXPECT_EQ(model->FindNode("a_2")->op().type, "Abs");
  EXPECT_EQ(model->results()[0]->name(), "a_3");
}

TEST(ReaderTest, Version10NamesTensorsAfterLayers) {
  const auto model = Read(ReluNet(10));
  EXPECT_THAT(model->parameters()[0]->port().names, ElementsAre("input"));
  EXPECT_THAT(model->FindNode("relu")->port().names, ElementsAre("relu"));
  EXPECT_THAT(Read(ReluNet(11))->FindNode("relu")->port().names, IsEmpty());
}

TEST(ReaderTest, Version10HasF32AtTheOutsideOfF16) {
  const std::string net =
      Replaced(ReluNet(10), "element_type=\"f32\"", "element_type=\"f16\"");
  const auto model = Read(net);
  const Node* parameter = model->parameters()[0];
  EXPECT_EQ(parameter->port().type, ElementType::kF32);
  const Node* relu = model->FindNode("relu");
  EXPECT_EQ(relu->port().type, ElementType::kF16);
  EXPECT_EQ(relu->input(0).node->op().type, "Convert");
  const Value output = model->results()[0]->input(0);
  EXPECT_EQ(output.type(), ElementType::kF32);
  EXPECT_EQ(output.node->op().type, "Convert");
  EXPECT_THAT(output.port().names, ElementsAre("relu"));
  EXPECT_THAT(relu->port().names, IsEmpty());
  // Since version 11 a model has the types that it says.
  const auto newer = Read(Replaced(net, "version=\"10\"", "version=\"11\""));
  EXPECT_EQ(newer->parameters()[0]->port().type, ElementType::kF16);
  EXPECT_EQ(newer->results()[0]->input(0).node->name(), "relu");
}

constexpr char kFusedNames[] =
    "<rt_info><attribute name=\"fused_names\" version=\"0\" value=\"a,b\"/>"
    "<attribute name=\"affinity\" version=\"\" value=\"CPU\"/></rt_info>";

TEST(ReaderTest, LayersHaveRtInfoSinceVersion11) {
  for (int version : {10, 11}) {
    const auto model = Read(NetText(
        absl::StrCat(
            ParameterText(0, "in", "1"),
            LayerText{
                .id = 1, .name = "relu", .type = "ReLU", .more = kFusedNames}
                .ToString(),
            ResultText(2, "out")),
        EdgeText(0, 0, 1, 0) + EdgeText(1, 1, 2, 0), version));
    const RtInfo& info = model->FindNode("relu")->rt_info();
    if (version == 10) {
      EXPECT_TRUE(info.empty());
      continue;
    }
    ASSERT_NE(info.Find({"fused_names_0", "value"}), nullptr);
    EXPECT_EQ(*info.Find({"fused_names_0", "value"}), "a,b");
    EXPECT_EQ(*info.Find({"affinity"}), "CPU");
  }
}

TEST(ReaderTest, PortsHaveRtInfo) {
  const auto model = Read(Replaced(
      ReluNet(), "<port id=\"1\" precision=\"FP32\"/>",
      "<port id=\"1\" precision=\"FP32\"><rt_info><attribute name=\"layout\" "
      "version=\"0\" layout=\"[N,C]\"/></rt_info></port>"));
  const RtInfo& info = model->FindNode("relu")->port().rt_info;
  ASSERT_NE(info.Find({"layout_0", "layout"}), nullptr);
  EXPECT_EQ(*info.Find({"layout_0", "layout"}), "[N,C]");
}

TEST(ReaderTest, RtInfoOfAnUnknownKindOfVersionIsLeftOut) {
  const auto model = Read(Replaced(
      ReluNet(), "<port id=\"1\" precision=\"FP32\"/>",
      "<port id=\"1\" precision=\"FP32\"><rt_info><attribute name=\"mine\" "
      "version=\"new\" value=\"1\"/></rt_info></port>"));
  EXPECT_TRUE(model->FindNode("relu")->port().rt_info.empty());
}

TEST(ReaderTest, ExecutionHintsInDataBecomeRtInfo) {
  const auto model = Read(NetText(
      absl::StrCat(
          ParameterText(0, "in", "1"),
          LayerText{.id = 1,
                    .name = "relu",
                    .type = "ReLU",
                    .data = "PrimitivesPriority=\"cpu:jit\" alt_width=\"3\""}
              .ToString(),
          ResultText(2, "out")),
      EdgeText(0, 0, 1, 0) + EdgeText(1, 1, 2, 0)));
  const RtInfo& info = model->FindNode("relu")->rt_info();
  EXPECT_EQ(*info.Find({"primitives_priority_0", "value"}), "cpu:jit");
  EXPECT_EQ(*info.Find({"alt_width"}), "3");
}

TEST(ReaderTest, ReadsTheModelsRtInfoTree) {
  const auto model = Read(
      Replaced(ReluNet(), "</net>",
               "<rt_info><MO_version value=\"2024\"/><model_info>"
               "<labels value=\"cat dog\"/><info name=\"my key\" value=\"1\"/>"
               "</model_info><optimization/></rt_info></net>"));
  const RtInfo& info = model->rt_info();
  EXPECT_EQ(*info.Find({"MO_version"}), "2024");
  EXPECT_EQ(*info.Find({"model_info", "labels"}), "cat dog");
  EXPECT_EQ(*info.Find({"model_info", "my key"}), "1");
  EXPECT_NE(info.Find({"optimization"}), nullptr);
}

TEST(ReaderTest, OldMetaDataBecomesRtInfo) {
  const auto model = Read(
      Replaced(ReluNet(10), "</net>",
               "<meta_data><MI_version value=\"2021\"/><cli_parameters>"
               "<batch value=\"1\"/><unset unset_cli_parameters=\"scale\"/>"
               "</cli_parameters></meta_data><quantization_parameters>"
               "<config>{ a: 1 }</config></quantization_parameters></net>"));
  const RtInfo& info = model->rt_info();
  EXPECT_EQ(*info.Find({"MI_version"}), "2021");
  EXPECT_EQ(*info.Find({"conversion_parameters", "batch"}), "1");
  EXPECT_EQ(*info.Find({"conversion_parameters", "unset"}), "scale");
  EXPECT_EQ(*info.Find({"optimization", "config"}), "{ a: 1 }");
  EXPECT_EQ(info.Find({"cli_parameters"}), nullptr);
}

std::string NetWithMeans(const std::string& attributes,
                         const std::vector<std::string>& means) {
  std::string channels;
  for (size_t i = 0; i < means.size(); ++i) {
    absl::StrAppend(&channels, "<channel id=\"", i, "\"><mean ", means[i],
                    "/></channel>");
  }
  return NetText(
      absl::StrCat(ParameterText(0, "flag", "1"),
                   ParameterText(1, "image", "1,2,1,2"), ResultText(2, "out")),
      EdgeText(1, 0, 2, 0), 10,
      absl::StrCat("<pre-process ", attributes, ">", channels,
                   "</pre-process>"));
}

TEST(ReaderTest, MeanValuesAreSubtracted) {
  const auto model = Read(NetWithMeans("reference-layer-name=\"image\"",
                                       {"value=\"1.5\"", "value=\"2\""}));
  const Node* subtract = model->results()[0]->input(0).node;
  ASSERT_EQ(subtract->op().type, "Subtract");
  EXPECT_EQ(subtract->input(0).node->name(), "image");
  EXPECT_THAT(subtract->input(0).node->port().names, ElementsAre("image"));
  const auto& mean = subtract->input(1).node->As<ConstantAttributes>()->value;
  EXPECT_EQ(mean.shape(), Shape({2, 1, 1}));
  EXPECT_THAT(ToDoubleVector(mean), ElementsAre(1.5, 2));
}

TEST(ReaderTest, MeanImagesAreSubtractedFromTheFirstImage) {
  const float images[] = {1, 2, 3, 4};
  const auto model = Read(
      NetWithMeans("", {"offset=\"0\" size=\"8\"", "offset=\"8\" size=\"8\""}),
      ir::WeightsOf<float>(images));
  const Node* subtract = model->results()[0]->input(0).node;
  ASSERT_EQ(subtract->op().type, "Subtract");
  const auto& mean = subtract->input(1).node->As<ConstantAttributes>()->value;
  EXPECT_EQ(mean.shape(), Shape({2, 1, 2}));
  EXPECT_THAT(ToDoubleVector(mean), ElementsAre(1, 2, 3, 4));
}

// Channel 1 follows channel 0, and has a scale of 1.
TEST(ReaderTest, ScalesDivideWhatTheMeansLeave) {
  const auto model = Read(NetText(
      absl::StrCat(ParameterText(0, "image", "1,3,1,2"), ResultText(1, "out")),
      EdgeText(0, 0, 1, 0), 10,
      "<pre-process><channel id=\"0\"><mean value=\"1\"/><scale value=\"4\"/>"
      "</channel><channel><mean value=\"2\"/></channel><channel id=\"2\">"
      "<mean value=\"3\"/><scale value=\"0.5\"/></channel></pre-process>"));
  const Node* divide = model->results()[0]->input(0).node;
  ASSERT_EQ(divide->op().type, "Divide");
  EXPECT_EQ(divide->input(0).node->op().type, "Subtract");
  const auto& scale = divide->input(1).node->As<ConstantAttributes>()->value;
  EXPECT_EQ(scale.shape(), Shape({3, 1, 1}));
  EXPECT_THAT(ToDoubleVector(scale), ElementsAre(4, 1, 0.5));
}

// Stored as f16 beside an input of f32.
TEST(ReaderTest, MeanImagesHaveATypeOfTheirOwn) {
  const uint16_t images[] = {0x3c00, 0x4000, 0x4200, 0x4400};
  const auto model =
      Read(NetWithMeans("mean-precision=\"FP16\"",
                        {"offset=\"0\" size=\"4\"", "offset=\"4\" size=\"4\""}),
           ir::WeightsOf<uint16_t>(images));
  const Node* subtract = model->results()[0]->input(0).node;
  const auto& mean = subtract->input(1).node->As<ConstantAttributes>()->value;
  EXPECT_EQ(mean.type(), ElementType::kF32);
  EXPECT_THAT(ToDoubleVector(mean), ElementsAre(1, 2, 3, 4));
}

TEST(ReaderTest, MeansOfAnInputThatNothingReadsAddNothing) {
  const auto model = Read(
      NetText(ParameterText(0, "unused", "1,1,1,1"), "", 10,
              "<pre-process reference-layer-name=\"unused\"><channel id=\"0\">"
              "<mean value=\"1\"/></channel></pre-process>"));
  EXPECT_EQ(model->node_count(), 1);
}

TEST(ReaderTest, AnExtensionIsAskedFirst) {
  OpInfo mine = *FindOp("Relu");
  mine.custom_opset = "mine";
  ReadOptions options;
  options.find_op = [&](absl::string_view type, absl::string_view opset) {
    return type == "Own" && opset == "mine" ? &mine : nullptr;
  };
  const auto model = Read(Replaced(ReluNet(), "\"ReLU\" version=\"opset1\"",
                                   "\"Own\" version=\"mine\""),
                          Tensor(), options);
  EXPECT_EQ(model->FindNode("relu")->op().custom_opset, "mine");
}

TEST(ReaderTest, ListsAllUnknownOperationsAtOnce) {
  const char* const kTypes[][2] = {
      {"Own", "mine"}, {"Own", "mine"}, {"Own", "other"}, {"Foo", "opset1"}};
  std::string layers = ParameterText(0, "x", "1,1"), edges;
  for (int i = 0; i < 4; ++i) {
    LayerText layer;
    layer.id = i + 1;
    layer.name = absl::StrCat("layer", i);
    layer.type = kTypes[i][0];
    layer.opset = kTypes[i][1];
    layers += layer.ToString();
    edges += EdgeText(i, i == 0 ? 0 : 1, i + 1, 0);
  }
  layers += ResultText(5, "y");
  edges += EdgeText(4, 1, 5, 0);
  const absl::Status status =
      ReadIrFromMemory(NetText(layers, edges), Tensor()).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("4 layers are operations that nobody knows, neither "
                        "opset1 to opset17 nor an extension: 'Foo' of "
                        "'opset1': layer 'layer3'; 'Own' of 'mine': layers "
                        "'layer0', 'layer1'; 'Own' of 'other': layer "
                        "'layer2'"));
}

// ReLU whose outputs nobody can infer.
const OpInfo& Uninferred() {
  static const OpInfo* const op = [] {
    auto* copy = new OpInfo(*FindOp("Relu"));
    copy->infer = nullptr;
    return copy;
  }();
  return *op;
}

TEST(ReaderTest, WithoutInferenceTheDeclaredOutputCounts) {
  ReadOptions options;
  options.find_op = [](absl::string_view type, absl::string_view) {
    return type == "ReLU" ? &Uninferred() : nullptr;
  };
  const auto model =
      Read(Replaced(ReluNet(), "<port id=\"1\" precision=\"FP32\"/>",
                    "<port id=\"1\" precision=\"FP16\">"
                    "<dim>4</dim><dim>-1</dim></port>"),
           Tensor(), options);
  EXPECT_EQ(model->FindNode("relu")->port().type, ElementType::kF16);
  EXPECT_EQ(model->FindNode("relu")->port().shape, PartialShape({4, -1}));
}

TEST(LooksLikeIrTest, FindsTheRootElement) {
  EXPECT_TRUE(LooksLikeIr("<net name=\"a\">"));
  EXPECT_TRUE(LooksLikeIr("\xef\xbb\xbf<?xml version=\"1.0\"?>\n<net>"));
  EXPECT_TRUE(LooksLikeIr("<!-- <a> -->\n<!DOCTYPE net>\n<net\n"));
  EXPECT_FALSE(LooksLikeIr("<network name=\"a\">"));
  EXPECT_FALSE(LooksLikeIr("<html><net>"));
  EXPECT_FALSE(LooksLikeIr("<!-- <net> "));
  EXPECT_FALSE(LooksLikeIr("\x08\x07\x12\x07pytorch"));
  EXPECT_FALSE(LooksLikeIr(""));
  EXPECT_FALSE(LooksLikeIr(std::string(512, ' ') + "<net>"));
}

}  // namespace
}  // namespace dovetail
