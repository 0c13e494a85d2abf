#include "dovetail/extensions/custom_kernels/reader.h"

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <utility>

#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kScale[] = R"(<?xml version="1.0"?>
<!-- What multiplies. -->
<CustomLayer version="1" type="SimpleGPU" name="Scale">
  <Kernel entry="scale">
    <Source filename="a.cl"/>
    <Source filename="sub/b.cl"/>
    <Define name="FACTOR" param="factor" default="1.0" type="float"/>
    <Define name="PLAIN"/>
  </Kernel>
  <Buffers>
    <Tensor port-index="0" arg-index="1" type="input" format="byxf"/>
    <Tensor arg-index="0" type="output" port-index="1"/>
  </Buffers>
  <CompilerOptions options="-cl-mad-enable"/>
  <WorkSizes dim="input,1" global="X,Y,B*F" local=""/>
</CustomLayer>
)";

const std::map<std::string, std::string>& Sources() {
  static const auto& sources = *new std::map<std::string, std::string>{
      {"a.cl", "// a\n"}, {"sub/b.cl", "// b\n"}};
  return sources;
}

absl::StatusOr<std::vector<CustomKernel>> Parse(const std::string& xml) {
  return ParseCustomKernels(xml, "mine.xml", Sources());
}

// The message for kScale with one text replaced.
std::string MessageWith(const std::string& from, const std::string& to) {
  const std::string xml = absl::StrReplaceAll(kScale, {{from, to}});
  EXPECT_NE(xml, kScale) << from;
  const auto kernels = Parse(xml);
  EXPECT_EQ(kernels.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(kernels.status().message());
}

TEST(CustomKernelReaderTest, ReadsEveryPart) {
  const auto kernels = Parse(kScale);
  ASSERT_TRUE(kernels.ok()) << kernels.status();
  ASSERT_EQ(kernels->size(), 1);
  const CustomKernel& kernel = (*kernels)[0];
  EXPECT_EQ(kernel.layer, "Scale");
  EXPECT_EQ(kernel.entry, "scale");
  EXPECT_EQ(kernel.where, "mine.xml:3");
  ASSERT_EQ(kernel.sources.size(), 2);
  EXPECT_EQ(kernel.sources[1].name, "sub/b.cl");
  EXPECT_EQ(kernel.sources[1].text, "// b\n");
  ASSERT_EQ(kernel.defines.size(), 2);
  EXPECT_EQ(kernel.defines[0].param, "factor");
  EXPECT_EQ(kernel.defines[0].fallback, "1.0");
  EXPECT_EQ(kernel.defines[1].fallback, "");
  ASSERT_EQ(kernel.tensors.size(), 2);
  EXPECT_EQ(kernel.tensors[0].arg_index, 1);
  EXPECT_EQ(kernel.tensors[0].format, CustomFormat::kByxf);
  EXPECT_EQ(kernel.tensors[1].kind, CustomTensor::Kind::kOutput);
  EXPECT_EQ(kernel.tensors[1].format, CustomFormat::kBfyx);
  EXPECT_EQ(kernel.compiler_options, "-cl-mad-enable");
  EXPECT_EQ(kernel.work_sizes.input, 1);
  EXPECT_THAT(kernel.work_sizes.global, ElementsAre("X", "Y", "B*F"));
  EXPECT_TRUE(kernel.work_sizes.local.empty());
}

TEST(CustomKernelReaderTest, ASingleOutputIsOutputZero) {
  const auto kernels = Parse(kScale);
  ASSERT_TRUE(kernels.ok()) << kernels.status();
  EXPECT_EQ((*kernels)[0].tensors[1].port_index, 0);
}

TEST(CustomKernelReaderTest, DimMayHaveABlank) {
  const auto kernels =
      Parse(absl::StrReplaceAll(kScale, {{"input,1", "input 1"}}));
  ASSERT_TRUE(kernels.ok()) << kernels.status();
  EXPECT_EQ((*kernels)[0].work_sizes.input, 1);
}

TEST(CustomKernelReaderTest, ReadsSeveralRootsOfWhichTheLastOfANameCounts) {
  const std::string more =
      absl::StrReplaceAll(kScale, {{"<?xml version=\"1.0\"?>\n", ""}});
  const auto kernels =
      Parse(kScale + absl::StrReplaceAll(more, {{"\"Scale\"", "\"Other\""}}) +
            absl::StrReplaceAll(more, {{"entry=\"scale\"", "entry=\"late\""}}));
  ASSERT_TRUE(kernels.ok()) << kernels.status();
  ASSERT_EQ(kernels->size(), 2);
  EXPECT_EQ((*kernels)[0].layer, "Other");
  EXPECT_EQ((*kernels)[1].entry, "late");
}

TEST(CustomKernelReaderTest, ErrorsNameLineLayerElementAndAttribute) {
  EXPECT_THAT(MessageWith("arg-index=\"1\"", "arg-index=\"one\""),
              AllOf(HasSubstr("mine.xml:11: layer 'Scale', <Tensor>"),
                    HasSubstr("arg-index=\"one\""), HasSubstr("0 to 255")));
  EXPECT_THAT(MessageWith("SimpleGPU", "MVCL"),
              AllOf(HasSubstr("mine.xml:3"), HasSubstr("\"SimpleGPU\"")));
  EXPECT_THAT(MessageWith("byxf", "fbyx"), HasSubstr("BYXF, FYXB"));
  EXPECT_THAT(MessageWith("sub/b.cl", "c.cl"),
              AllOf(HasSubstr("mine.xml:6"), HasSubstr("filename=\"c.cl\"")));
  EXPECT_THAT(MessageWith("B*F", "B*"),
              AllOf(HasSubstr("'global'"), HasSubstr("'B*', character 3")));
  EXPECT_THAT(MessageWith("name=\"Scale\"", ""), HasSubstr("'name'"));
  EXPECT_THAT(MessageWith("entry=\"scale\"", "entry=\"\""),
              HasSubstr("'entry' is empty"));
  EXPECT_THAT(MessageWith("CompilerOptions", "Options"),
              HasSubstr("<Options>: is not known here"));
  EXPECT_THAT(MessageWith("type=\"input\"", "type=\"data\""),
              HasSubstr("type=\"data\""));
  EXPECT_THAT(MessageWith("arg-index=\"1\"", "arg-index=\"0\""),
              HasSubstr("twice"));
  EXPECT_THAT(MessageWith("arg-index=\"1\"", "arg-index=\"2\""),
              HasSubstr("only 2 of them"));
  EXPECT_THAT(MessageWith("local=\"\"", "local=\"1\""), HasSubstr("as many"));
  EXPECT_THAT(MessageWith("</CustomLayer>", ""), HasSubstr("mine.xml"));
}

TEST(CustomKernelReaderTest, FilesFindSourcesBesideThem) {
  const std::string folder = testing::TempDir() + "/custom kernels";
  std::filesystem::create_directories(folder + "/sub");
  std::ofstream(folder + "/k.xml") << kScale;
  std::ofstream(folder + "/a.cl") << "// in a file\n";
  const auto missing = ReadCustomKernels(folder + "/k.xml");
  EXPECT_THAT(missing.status().message(), HasSubstr("k.xml:6"));
  std::ofstream(folder + "/sub/b.cl") << "// b\n";
  const auto kernels = ReadCustomKernels(folder + "/k.xml");
  ASSERT_TRUE(kernels.ok()) << kernels.status();
  EXPECT_EQ((*kernels)[0].sources[0].text, "// in a file\n");
  EXPECT_EQ(ReadCustomKernels(folder + "/no.xml").status().code(),
            absl::StatusCode::kNotFound);
}

TEST(CustomKernelReaderTest, FilesThatSourcesIncludeAreInThem) {
  const auto with_a = [](const std::string& text) {
    return ParseCustomKernels(
        kScale, "mine.xml",
        {{"a.cl", text}, {"sub/b.cl", "#include \"c.h\"\n"}, {"c.h", "c"}});
  };
  const auto kernels = with_a("a\n");
  ASSERT_TRUE(kernels.ok()) << kernels.status();
  EXPECT_EQ((*kernels)[0].sources[1].text,
            "#line 1 \"c.h\"\nc\n#line 1 \"sub/b.cl\"\n\n");
  EXPECT_THAT((*kernels)[0].sources[1].includes, ElementsAre("sub/c.h", "c.h"));
  EXPECT_THAT(with_a("\n#include \"no.h\"\n").status().message(),
              AllOf(HasSubstr("mine.xml:5: layer 'Scale', <Source>"),
                    HasSubstr("a.cl:2: #include \"no.h\"")));
}

TEST(CustomKernelReaderTest, FoldersOfTheCompilersMayHaveMore) {
  const auto kernels = ParseCustomKernels(
      absl::StrReplaceAll(kScale, {{"-cl-mad-enable", "-I /more"}}), "mine.xml",
      {{"a.cl", "#include \"no.h\"\n"}, {"sub/b.cl", ""}});
  ASSERT_TRUE(kernels.ok()) << kernels.status();
  EXPECT_EQ((*kernels)[0].sources[0].text, "#include \"no.h\"\n");
}

TEST(CustomKernelReaderTest, ChangedBytesAreReadOrAnError) {
  std::mt19937 random(7);
  int errors = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string xml = kScale;
    for (int change = random() % 4; change >= 0; --change) {
      const size_t at = random() % xml.size();
      switch (random() % 3) {
        case 0:
          xml[at] = static_cast<char>(random());
          break;
        case 1:
          xml.erase(at, random() % 40);
          break;
        case 2:
          xml.insert(at, xml.substr(random() % xml.size(), 40));
          break;
      }
    }
    const auto kernels = Parse(xml);
    if (kernels.ok()) continue;
    ++errors;
    EXPECT_EQ(kernels.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(kernels.status().message(), HasSubstr("mine.xml"));
  }
  EXPECT_GT(errors, 1000);
}

}  // namespace
}  // namespace dovetail
