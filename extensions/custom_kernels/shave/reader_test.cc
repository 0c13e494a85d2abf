#include "dovetail/extensions/custom_kernels/shave/reader.h"

#include <random>

#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;
using Kind = ShaveArgument::Kind;

constexpr char kXml[] = R"(<!-- two -->
<CustomLayer name="Norm" type="mvcl" version="1" max-shaves="4">
  <Where mode="max" size="&gt;=2"/>
  <Kernel entry="second" stage="1" max-shaves="1">
    <Source filename="a.cl"/>
    <Parameters>
      <Tensor arg-name="sums" type="input_buffer" port-index="7"/>
      <Tensor arg-name="out" type="output" port-index="0" format="byxf"/>
    </Parameters>
    <WorkSizes dim="output,0" global="X,Y,1" local="1,1,1"/>
  </Kernel>
  <Kernel entry="first" stage="0">
    <Source filename="a.cl"/>
    <Source filename="b.cl"/>
    <Parameters>
      <Tensor arg-name="in" type="input" port-index="0" format="FYX"/>
      <Tensor arg-name="sums" type="output_buffer" port-index="7" size="Y*F*4" dim="input,0"/>
      <Data arg-name="line" type="local_data" size="X*2" dim="input 0"/>
      <Scalar arg-name="w" type="int" source="I.X" port-index="0"/>
      <Scalar arg-name="eps" type="float" source="1e-9"/>
    </Parameters>
    <WorkSizes dim="input" global="((X+7)/8)*8" local="8"/>
  </Kernel>
</CustomLayer>
)";

absl::StatusOr<std::vector<ShaveLayer>> Parse(const std::string& xml) {
  return ParseShaveLayers(xml, "k.xml", {{"a.cl", "A"}, {"b.cl", "B"}});
}

TEST(ShaveReaderTest, ReadsWhatIsThere) {
  const auto layers = Parse(kXml);
  ASSERT_TRUE(layers.ok()) << layers.status();
  ASSERT_EQ(layers->size(), 1u);
  const ShaveLayer& layer = (*layers)[0];
  EXPECT_EQ(layer.name, "Norm");
  EXPECT_EQ(layer.where, "k.xml:2");
  ASSERT_EQ(layer.where_parameters.size(), 2u);
  EXPECT_EQ(layer.where_parameters[1].second, ">=2");
  ASSERT_EQ(layer.kernels.size(), 2u);
  const ShaveKernel& first = layer.kernels[0];
  EXPECT_EQ(first.entry, "first");
  EXPECT_EQ(first.max_shaves, 4);
  EXPECT_EQ(layer.kernels[1].max_shaves, 1);
  EXPECT_EQ(first.sources[1].text, "B");
  ASSERT_EQ(first.arguments.size(), 5u);
  EXPECT_EQ(first.arguments[0].format, ShaveFormat::kFyx);
  EXPECT_EQ(first.arguments[1].kind, Kind::kOutputBuffer);
  EXPECT_EQ(first.arguments[1].size, "Y*F*4");
  EXPECT_EQ(first.arguments[2].kind, Kind::kLocal);
  EXPECT_EQ(first.arguments[3].source, "I.X");
  EXPECT_EQ(first.arguments[4].port, -1);
  EXPECT_FALSE(first.dim.is_output);
  EXPECT_EQ(layer.kernels[1].arguments[1].format, ShaveFormat::kByxf);
  EXPECT_TRUE(layer.kernels[1].dim.is_output);
}

std::string ErrorWith(const std::string& from, const std::string& to) {
  const std::string xml = absl::StrReplaceAll(kXml, {{from, to}});
  EXPECT_NE(xml, kXml) << from;
  return std::string(Parse(xml).status().message());
}

TEST(ShaveReaderTest, ErrorsNameLineLayerElementAndAttribute) {
  EXPECT_THAT(ErrorWith("mvcl", "SimpleGPU"),
              HasSubstr("k.xml:2: layer 'Norm', <CustomLayer>: attribute "
                        "type=\"SimpleGPU\"; only \"MVCL\""));
  EXPECT_THAT(ErrorWith("stage=\"1\"", "stage=\"2\""),
              HasSubstr("attribute stage=\"2\"; those of 2 kernels have to "
                        "be 0 to 1"));
  EXPECT_THAT(ErrorWith("stage=\"1\"", ""), HasSubstr("no attribute 'stage'"));
  EXPECT_THAT(ErrorWith("format=\"FYX\"", "format=\"XYZ\""),
              HasSubstr("k.xml:16: layer 'Norm', <Tensor>: attribute "
                        "format=\"XYZ\"; known are BFYX"));
  EXPECT_THAT(ErrorWith("b.cl", "c.cl"), HasSubstr("filename=\"c.cl\""));
  EXPECT_THAT(ErrorWith("local=\"8\"", "local=\"8,1\""),
              HasSubstr("'local' has 2 sizes and 'global' 1"));
  EXPECT_THAT(ErrorWith("dim=\"input\"", "dim=\"weights\""),
              HasSubstr("want \"input,0\""));
  EXPECT_THAT(ErrorWith("size=\"X*2\"", "size=\"\""),
              HasSubstr("attribute 'size' is empty"));
  EXPECT_THAT(ErrorWith("arg-name=\"line\"", "arg-name=\"in\""),
              HasSubstr("is there twice"));
  EXPECT_THAT(ErrorWith("<Scalar", "<Number"),
              HasSubstr("which takes <Tensor>, <Data> and <Scalar>"));
  EXPECT_THAT(ErrorWith("mode=\"max\"", "mode=\"\""), HasSubstr("is empty"));
}

TEST(ShaveReaderTest, PartsMayStandBesideTheKernel) {
  const auto layers = Parse(R"(
<CustomLayer name="A" type="MVCL" version="1">
  <Kernel entry="a"><Source filename="a.cl"/></Kernel>
  <Parameters><Tensor arg-name="x" type="input" port-index="0"/></Parameters>
  <WorkSizes dim="output,0" global="1" local="1"/>
</CustomLayer>)");
  ASSERT_TRUE(layers.ok()) << layers.status();
  EXPECT_EQ((*layers)[0].kernels[0].arguments.size(), 1u);
}

TEST(ShaveReaderTest, AnyTextIsLayersOrAnError) {
  std::mt19937 random(3);
  for (int i = 0; i < 3000; ++i) {
    std::string xml = kXml;
    for (int change = 0; change < 3; ++change) {
      xml[random() % xml.size()] = static_cast<char>(random() % 128);
    }
    if (random() % 4 == 0) xml.resize(random() % xml.size());
    const auto layers = Parse(xml);
    if (layers.ok()) continue;
    EXPECT_FALSE(layers.status().message().empty());
  }
}

}  // namespace
}  // namespace dovetail
