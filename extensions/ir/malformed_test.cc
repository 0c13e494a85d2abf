// What is wrong in a file is refused with one message that says where.
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/extensions/ir/reader.h"
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
using ::testing::HasSubstr;

// Expects an error whose message has all these parts.
void ExpectRefused(const std::string& xml,
                   const std::vector<std::string>& parts,
                   const Tensor& weights = ir::BytesOf("0123456789abcdef"),
                   const ReadOptions& options = {}) {
  const auto model = ReadIrFromMemory(xml, weights, options);
  ASSERT_FALSE(model.ok()) << xml.substr(0, 2000);
  for (const std::string& part : parts) {
    EXPECT_THAT(std::string(model.status().message()), HasSubstr(part));
  }
  EXPECT_LT(model.status().message().size(), 2000);
}

std::string NetOfConst(const std::string& type, const std::string& shape,
                       int offset, int size) {
  return NetText(absl::StrCat(ConstText(0, "c", type, shape, offset, size),
                              ResultText(1, "out")),
                 EdgeText(0, 0, 1, 0));
}

TEST(MalformedTest, WhatIsNoXml) {
  ExpectRefused("", {"XML"});
  ExpectRefused("net", {"XML"});
  ExpectRefused("<net", {"not well-formed XML", "line 1"});
  ExpectRefused("<net>\n<layers></net>", {"not well-formed XML", "line 2"});
  const std::string half = ReluNet();
  ExpectRefused(half.substr(0, half.size() / 2), {"not well-formed XML"});
}

TEST(MalformedTest, WhatIsNoText) {
  for (const char* bad : {"\xff", "\xc0\x80", "\xed\xa0\x80",
                          "\xf4\x90\x80\x80", "\xe2\x82", "\x01"}) {
    ExpectRefused(Replaced(ReluNet(), "relu", bad), {"not UTF-8", "line 8"});
  }
  ExpectRefused(std::string("<net\0>", 6), {"not UTF-8", "byte 4"});
}

TEST(MalformedTest, EntitiesAreNotExpanded) {
  const std::string bomb =
      "<!DOCTYPE net [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;\">"
      "<!ENTITY c SYSTEM \"file:///etc/passwd\">]>";
  const std::string xml =
      Replaced(Replaced(ReluNet(), "<?xml version=\"1.0\"?>", bomb), "\"net\"",
               "\"&b;&c;\"");
  const auto model = ReadIrFromMemory(xml, Tensor());
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ((*model)->name(), "&b;&c;");
}

TEST(MalformedTest, RootAndVersion) {
  ExpectRefused("<model/>", {"<model>", "<net>"});
  ExpectRefused("<net/>", {"<net>", "'version'"});
  ExpectRefused("<net version=\"x\"/>", {"'version'", "'x'"});
  ExpectRefused("<net version=\"7\"/>", {"version 7", "10", "11"});
  ExpectRefused("<net version=\"12\"/>", {"version 12", "10", "11"});
}

TEST(MalformedTest, MissingLayerAttributes) {
  for (const char* attribute : {"id", "name", "type", "version"}) {
    const std::string from = absl::StrCat(attribute, "=\"");
    const std::string layer =
        "<layer id=\"1\" name=\"relu\" type=\"ReLU\" version=\"opset1\">";
    const std::string xml = Replaced(
        ReluNet(), layer, Replaced(layer, from, absl::StrCat("x", from)));
    ExpectRefused(xml, {absl::StrCat("'", attribute, "' is missing"),
                        std::string("name") == attribute ? "without a name"
                                                         : "layer 'relu'"});
  }
}

TEST(MalformedTest, LayerIds) {
  ExpectRefused(Replaced(ReluNet(), "id=\"1\" name", "id=\"one\" name"),
                {"layer 'relu'", "'id'", "'one'"});
  ExpectRefused(Replaced(ReluNet(), "id=\"1\" name", "id=\"0\" name"),
                {"layer 'relu'", "layer 'input' has the same id"});
  ExpectRefused(
      Replaced(ReluNet(), "id=\"1\" name", "id=\"99999999999999999999\" name"),
      {"layer 'relu'", "'id'"});
}

TEST(MalformedTest, Ports) {
  ExpectRefused(
      Replaced(ReluNet(), "<port id=\"1\" precision", "<port precision"),
      {"layer 'relu'", "<port>", "'id' is missing"});
  ExpectRefused(Replaced(ReluNet(), "<port id=\"1\" precision=\"FP32\"",
                         "<port id=\"1\""),
                {"layer 'relu'", "'precision' is missing"});
  ExpectRefused(Replaced(ReluNet(), "<port id=\"1\" precision=\"FP32\"",
                         "<port id=\"1\" precision=\"FP33\""),
                {"layer 'relu'", "'precision'", "FP33"});
  ExpectRefused(Replaced(ReluNet(), "<input><port id=\"0\"/></input>",
                         "<input><port id=\"0\"/><port id=\"0\"/></input>"),
                {"layer 'relu'", "two ports have the id 0"});
}

std::string WithDim(const std::string& dim) {
  return Replaced(ReluNet(), "<port id=\"1\" precision=\"FP32\"/>",
                  absl::StrCat("<port id=\"1\" precision=\"FP32\"><dim>", dim,
                               "</dim></port>"));
}

TEST(MalformedTest, Dimensions) {
  ExpectRefused(WithDim("-2"), {"layer 'relu'", "<dim>", "-2"});
  ExpectRefused(WithDim(""), {"layer 'relu'", "<dim>", "''"});
  ExpectRefused(WithDim("3x"), {"layer 'relu'", "<dim>", "'3x'"});
  ExpectRefused(WithDim("99999999999999999999"), {"layer 'relu'", "<dim>"});
  std::string many;
  for (int i = 0; i < 70; ++i) many += "1</dim><dim>";
  ExpectRefused(WithDim(many + "1"), {"layer 'relu'", "over 64 dimensions"});
}

TEST(MalformedTest, Operations) {
  ExpectRefused(Replaced(ReluNet(), "\"ReLU\"", "\"Foo\""),
                {"layer 'relu'", "opset1 has no operation 'Foo'"});
  // Softplus only came later.
  ExpectRefused(
      Replaced(ReluNet(), "\"ReLU\"", "\"SoftPlus\""),
      {"layer 'relu'", "opset1 has no operation 'SoftPlus'", "opset4"});
}

TEST(MalformedTest, UnknownOpsetsAreUnimplemented) {
  for (const char* opset : {"opset0", "opset99", "opset", "opset1x", "custom",
                            "experimental", ""}) {
    const std::string xml =
        Replaced(ReluNet(), "type=\"ReLU\" version=\"opset1\"",
                 absl::StrCat("type=\"ReLU\" version=\"", opset, "\""));
    const auto model = ReadIrFromMemory(xml, Tensor());
    EXPECT_EQ(model.status().code(), absl::StatusCode::kUnimplemented);
    ExpectRefused(xml,
                  {"layer 'relu'", "'version'", absl::StrCat("'", opset, "'"),
                   "opset1 to opset17", "'ReLU'"});
  }
}

TEST(MalformedTest, OperationAttributes) {
  const std::string net =
      NetText(absl::StrCat(ParameterText(0, "in", "1"),
                           LayerText{.id = 1,
                                     .name = "clamp",
                                     .type = "Clamp",
                                     .data = "min=\"low\" max=\"1\""}
                               .ToString(),
                           ResultText(2, "out")),
              EdgeText(0, 0, 1, 0) + EdgeText(1, 1, 2, 0));
  ExpectRefused(net, {"layer 'clamp' (Clamp of opset1, id 1)", "'min'", "'low'",
                      "number"});
}

TEST(MalformedTest, Parameters) {
  ExpectRefused(
      Replaced(ReluNet(), "<data shape=\"1,3\" element_type=\"f32\"/>", ""),
      {"layer 'input'", "<data>"});
  ExpectRefused(Replaced(ReluNet(), "\"1,3\"", "\"1,3s\""),
                {"layer 'input'", "'shape'", "3s"});
  ExpectRefused(Replaced(ReluNet(), "\"1,3\"", "\"1,-3\""),
                {"layer 'input'", "'shape'", "-3"});
  ExpectRefused(Replaced(ReluNet(), "\"f32\"", "\"float\""),
                {"layer 'input'", "'element_type'", "float"});
}

TEST(MalformedTest, EdgesToNowhere) {
  const std::string edge = EdgeText(0, 0, 1, 0);
  ExpectRefused(Replaced(ReluNet(), edge, EdgeText(8, 0, 1, 0)),
                {"<edge>", "'from-layer'", "no layer with id 8"});
  ExpectRefused(Replaced(ReluNet(), edge, EdgeText(0, 0, 8, 0)),
                {"<edge>", "'to-layer'", "no layer with id 8"});
  ExpectRefused(Replaced(ReluNet(), edge, EdgeText(0, 5, 1, 0)),
                {"layer 'input'", "output port 5", "ports are 0"});
  ExpectRefused(Replaced(ReluNet(), edge, EdgeText(0, 0, 1, 5)),
                {"layer 'relu'", "input port 5", "ports are 0"});
  ExpectRefused(Replaced(ReluNet(), "from-port=\"0\"", "from-port=\"first\""),
                {"<edge>", "'from-port'", "'first'"});
  ExpectRefused(Replaced(ReluNet(), "from-port=\"0\"", ""),
                {"<edge>", "'from-port' is missing"});
}

TEST(MalformedTest, InputsWithTwoEdgesOrNone) {
  const std::string edge = EdgeText(0, 0, 1, 0);
  ExpectRefused(Replaced(ReluNet(), edge, edge + edge),
                {"layer 'relu'", "two edges lead to input port 0"});
  ExpectRefused(Replaced(ReluNet(), edge, ""),
                {"layer 'relu'", "has 0 inputs, takes 1"});
  const std::string add = NetText(
      absl::StrCat(ParameterText(0, "in", "1"),
                   LayerText{.id = 1, .name = "add", .type = "Add", .inputs = 2}
                       .ToString(),
                   ResultText(2, "out")),
      EdgeText(0, 0, 1, 1) + EdgeText(1, 2, 2, 0));
  ExpectRefused(add, {"layer 'add'", "no edge leads to input 0"});
}

TEST(MalformedTest, OutputsThatTheOperationDoesNotGive) {
  const std::string xml =
      Replaced(Replaced(ReluNet(), "<port id=\"1\" precision=\"FP32\"/>",
                        "<port id=\"1\" precision=\"FP32\"/>"
                        "<port id=\"2\" precision=\"FP32\"/>"),
               EdgeText(1, 1, 2, 0), EdgeText(1, 2, 2, 0));
  ExpectRefused(xml, {"layer 'output'", "output 1 of layer 'relu'", "only 1"});
}

TEST(MalformedTest, Cycles) {
  const auto add = [](int id, const std::string& name) {
    return LayerText{.id = id, .name = name, .type = "Add", .inputs = 2}
        .ToString();
  };
  const std::string xml = NetText(
      absl::StrCat(ParameterText(0, "in", "1"), add(1, "first"),
                   add(2, "second"), ResultText(3, "out")),
      EdgeText(0, 0, 1, 0) + EdgeText(2, 2, 1, 1) + EdgeText(1, 2, 2, 0) +
          EdgeText(0, 0, 2, 1) + EdgeText(2, 2, 3, 0));
  ExpectRefused(xml, {"cycle", "first", "second", " -> "});
  ExpectRefused(Replaced(ReluNet(), EdgeText(0, 0, 1, 0), EdgeText(1, 1, 1, 0)),
                {"layer 'relu'", "cycle", "relu -> relu"});
}

TEST(MalformedTest, AHundredThousandLayersDeepIsNoProblem) {
  constexpr int kDepth = 100'000;
  std::string layers = ParameterText(0, "in", "1"), edges;
  for (int i = 1; i <= kDepth; ++i) {
    layers += LayerText{.id = i, .name = absl::StrCat("l", i), .type = "ReLU"}
                  .ToString();
    edges += EdgeText(i - 1, i == 1 ? 0 : 1, i, 0);
  }
  layers += ResultText(kDepth + 1, "out");
  edges += EdgeText(kDepth, 1, kDepth + 1, 0);
  const auto model = ReadIrFromMemory(NetText(layers, edges), Tensor());
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ((*model)->node_count(), size_t{kDepth + 2});
}

TEST(MalformedTest, ConstantsBeyondTheWeights) {
  ExpectRefused(NetOfConst("f32", "4", 4, 16),
                {"layer 'c'", "'offset'", "16 bytes at 4", "16 bytes"});
  ExpectRefused(NetOfConst("f32", "4", -4, 16), {"layer 'c'", "negative"});
  ExpectRefused(NetOfConst("f32", "4", 0, -16), {"layer 'c'", "negative"});
  ExpectRefused(Replaced(NetOfConst("f32", "4", 0, 16), "offset=\"0\"",
                         "offset=\"9223372036854775807\""),
                {"layer 'c'", "9223372036854775807"});
  ExpectRefused(NetOfConst("f32", "4", 0, 12),
                {"layer 'c'", "'size'", "12 bytes for f32[4]", "16"});
  ExpectRefused(NetOfConst("f32", "1", 0, 4), {"layer 'c'", "needs weights"},
                Tensor());
}

TEST(MalformedTest, ConstantsOfWrongShapeOrType) {
  ExpectRefused(NetOfConst("f32", "-1", 0, 4), {"layer 'c'", "'shape'"});
  ExpectRefused(NetOfConst("f32", "1,x", 0, 4),
                {"layer 'c'", "'shape'", "'x'"});
  ExpectRefused(NetOfConst("f32", "4294967296,4294967296", 0, 4),
                {"layer 'c'", "'shape'"});
  ExpectRefused(NetOfConst("f32", "4611686018427387904", 0, 4), {"layer 'c'"});
  ExpectRefused(NetOfConst("dynamic", "1", 0, 4),
                {"layer 'c'", "'element_type'", "dynamic"});
  ExpectRefused(Replaced(NetOfConst("f32", "1", 0, 4), "size=\"4\"", ""),
                {"layer 'c'", "'size' is missing"});
  ExpectRefused(
      Replaced(NetOfConst("f32", "1", 0, 4), "offset=\"0\"", "offset=\"zero\""),
      {"layer 'c'", "'offset'", "'zero'"});
}

TEST(MalformedTest, StringConstants) {
  const auto refused = [](const std::vector<int32_t>& table, int count) {
    const int size = static_cast<int>(4 * table.size());
    ExpectRefused(NetOfConst("string", absl::StrCat(count), 0, size),
                  {"layer 'c'"}, ir::WeightsOf<int32_t>(table));
  };
  refused({}, 1);                     // no table
  refused({1, 0}, 1);                 // a table that is too short
  refused({2, 0, 0}, 1);              // another number of strings
  refused({1, 0, 5, 0}, 1);           // an end beyond the bytes
  refused({2, 0, 3, 1, 0}, 2);        // an end before the start
  refused({1, -4, 0}, 1);             // a negative start
  refused({1, 0, 0}, 1'000'000'000);  // more than there can be
}

TEST(MalformedTest, OverlappingConstantsCannotEatTheMemory) {
  // Each constant needs a copy, since it is not aligned, and no two are alike.
  std::string layers, edges;
  for (int i = 0; i < 200; ++i) {
    layers +=
        ConstText(i, absl::StrCat("c", i), "f32", "1000", 1 + 4 * i, 4000);
    layers += ResultText(1000 + i, absl::StrCat("r", i));
    edges += EdgeText(i, 0, 1000 + i, 0);
  }
  ExpectRefused(NetText(layers, edges), {"layer 'c", "overlap"},
                ir::BytesOf(std::string(5000, '\0')));
}

TEST(MalformedTest, RtInfo) {
  const auto with = [](const std::string& attributes) {
    return Replaced(ReluNet(), "<input><port id=\"0\"/></input>\n<output>",
                    "<rt_info>" + attributes +
                        "</rt_info><input><port id=\"0\"/></input>\n<output>");
  };
  ExpectRefused(with("<attribute version=\"0\"/>"),
                {"layer 'relu'", "<attribute>", "'name' is missing"});
  ExpectRefused(with("<attribute name=\"layout\"/>"),
                {"layer 'relu'", "<attribute>", "'version' is missing"});
  const std::string layout = "<attribute name=\"layout\" version=\"0\"/>";
  ExpectRefused(with(layout + layout), {"layer 'relu'", "'layout'", "twice"});
}

TEST(MalformedTest, DeepXml) {
  std::string open, close;
  for (int i = 0; i < 100'000; ++i) {
    open += "<a>";
    close += "</a>";
  }
  const std::string tree = "<rt_info>" + open + close + "</rt_info></net>";
  ExpectRefused(Replaced(ReluNet(), "</net>", tree), {"rt_info", "too deep"});
  // Where nobody looks, it harms nobody.
  EXPECT_TRUE(
      ReadIrFromMemory(Replaced(ReluNet(), "</net>", open + close + "</net>"),
                       Tensor())
          .ok());
}

TEST(MalformedTest, PreProcessing) {
  const auto with = [](const std::string& attributes, const std::string& body) {
    return NetText(
        absl::StrCat(ParameterText(0, "image", "1,2,1,1"),
                     ResultText(1, "out")),
        EdgeText(0, 0, 1, 0), 10,
        absl::StrCat("<pre-process ", attributes, ">", body, "</pre-process>"));
  };
  const std::string channel0 =
      "<channel id=\"0\"><mean value=\"1\"/></channel>";
  ExpectRefused(with("reference-layer-name=\"x\"", channel0),
                {"<pre-process>", "'reference-layer-name'", "'x'"});
  ExpectRefused(with("", channel0), {"<pre-process>", "1 channels", "has 2"});
  ExpectRefused(with("", channel0 + channel0), {"<channel>", "twice"});
  ExpectRefused(with("", "<channel id=\"0\"><mean/></channel>"),
                {"<mean>", "'offset' is missing"});
  ExpectRefused(with("", "<channel id=\"0\"><mean value=\"a\"/></channel>"),
                {"<mean>", "'value'", "'a'"});
  ExpectRefused(with("", "<channel id=\"0\"><scale value=\"0\"/></channel>"),
                {"<scale>", "'value'", "divide by 0"});
  ExpectRefused(with("",
                     "<channel id=\"-3\"><scale value=\"2\"/></channel>"
                     "<channel id=\"1\"><scale value=\"1\"/></channel>"),
                {"channel -3"});
  ExpectRefused(with("", "<channel id=\"2\"><scale value=\"1\"/></channel>"),
                {"<pre-process>", "channel 2", "has 2"});
  ExpectRefused(with("mean-precision=\"I32\"", channel0),
                {"<pre-process>", "'mean-precision'", "'I32'"});
  ExpectRefused(with("",
                     "<channel id=\"0\"><mean offset=\"90\" size=\"4\"/>"
                     "</channel>"),
                {"<pre-process>", "weights"});
}

TEST(MalformedTest, NamesThatMeanTwoThings) {
  const std::string xml =
      Replaced(ReluNet(10), "<port id=\"1\" precision=\"FP32\"",
               "<port id=\"1\" precision=\"FP32\" names=\"input\"");
  ExpectRefused(xml, {"layer 'relu'", "layer 'input'", "'input'"});
}

TEST(MalformedTest, Limits) {
  ReadOptions options;
  options.limits.max_layers = 2;
  ExpectRefused(ReluNet(), {"over 2 layers"}, Tensor(), options);
  options = {};
  options.limits.max_xml_bytes = 100;
  ExpectRefused(ReluNet(), {"limit is 100"}, Tensor(), options);
  options = {};
  options.limits.max_rank = 1;
  ExpectRefused(ReluNet(), {"layer 'input'", "'shape'", "over 1 dimensions"},
                Tensor(), options);
}

TEST(MalformedTest, ShapesFromConstantsHaveARankToo) {
  const std::string xml = NetText(
      absl::StrCat(ParameterText(0, "in", ""),
                   ConstText(1, "shape", "i64", "65", 0, 65 * 8),
                   LayerText{.id = 2,
                             .name = "broadcast",
                             .type = "Broadcast",
                             .opset = "opset3",
                             .data = "mode=\"numpy\"",
                             .inputs = 2}
                       .ToString(),
                   ResultText(3, "out")),
      EdgeText(0, 0, 2, 0) + EdgeText(1, 0, 2, 1) + EdgeText(2, 2, 3, 0));
  ExpectRefused(xml, {"layer 'broadcast'", "output 0", "65 dimensions", "64"},
                ir::WeightsOf<int64_t>(std::vector<int64_t>(65, 1)));
}

TEST(MalformedTest, WeightsThatAreNoBytes) {
  ExpectRefused(ReluNet(), {"weights", "u8", "f32"},
                *Tensor::Allocate(ElementType::kF32, Shape({1})));
}

// The path of a new file with this content, its name `name`.
std::string Save(const std::string& name, const std::string& content) {
  const std::string path =
      (std::filesystem::path(::testing::TempDir()) / name).string();
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

void ExpectFileRefused(const std::string& path,
                       const std::vector<std::string>& parts) {
  const auto model = ReadIr(path);
  ASSERT_FALSE(model.ok());
  for (const std::string& part : parts) {
    EXPECT_THAT(std::string(model.status().message()), HasSubstr(part));
  }
}

TEST(MalformedTest, WeightsFilesThatWereCutShort) {
  const std::string path = Save("cut.xml", NetOfConst("f32", "4", 0, 16));
  for (const char* left : {"", "0123456789abcde"}) {
    Save("cut.bin", left);
    ExpectFileRefused(
        path, {path, "layer 'c'", "'offset' and 'size'", "16 bytes at 0",
               absl::StrCat(strlen(left), " bytes")});
  }
  Save("cut.bin", "0123456789abcdef");
  EXPECT_TRUE(ReadIr(path).ok());
}

TEST(MalformedTest, FoldersInPlaceOfFiles) {
  const std::filesystem::path folder = ::testing::TempDir();
  ExpectFileRefused(folder.string(), {folder.string()});
  const std::string path = Save("folder.xml", ReluNet());
  std::filesystem::create_directory(folder / "folder.bin");
  ExpectFileRefused(path, {"folder.bin"});
}

TEST(MalformedTest, FilesThatAreNotThere) {
  const auto model = ReadIr("/no/such/file.xml");
  EXPECT_EQ(model.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(model.status().message()),
              HasSubstr("/no/such/file.xml"));
}

}  // namespace
}  // namespace dovetail
