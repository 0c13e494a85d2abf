// Where custom kernels come from: files, texts in memory, exports.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "dovetail/backends/gpu/custom/custom_kernels.h"
#include "dovetail/backends/gpu/custom/testing/run_model.h"
#include "dovetail/backends/gpu/testing/compare_plans.h"
#include "dovetail/core/base/files/byte_sink.h"
#include "dovetail/core/base/files/file_identity.h"
#include "dovetail/core/base/testing/captured_log.h"
#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/blob/blob_writer.h"
#include "dovetail/core/ops/text/parse.h"
#include "dovetail/core/plugin/testing/standalone_call.h"
#include "dovetail/core/request/request.h"
#include "dovetail/extensions/custom_kernels/reader.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

constexpr char kXml[] =
    R"(<CustomLayer name="Relu" type="SimpleGPU" version="1">
<Kernel entry="f"><Source filename="f.cl"/></Kernel>
<Buffers><Tensor arg-index="0" type="input" port-index="0"/>
<Tensor arg-index="1" type="output" port-index="0"/></Buffers></CustomLayer>
<CustomLayer name="Nowhere" type="SimpleGPU" version="1">
<Kernel entry="f"><Source filename="f.cl"/></Kernel>
<Buffers><Tensor arg-index="0" type="output" port-index="0"/></Buffers>
</CustomLayer>)";
constexpr char kModel[] = R"(
  %x = Parameter-0() {shape: [2], element_type: f32}
  %y = Relu-0(%x) {}
  %o = Result-0(%y) {}
)";

std::string SourceOf(int value) {
  return absl::StrCat(
      "__kernel void f(const __global float* x, __global float*"
      " y) { y[get_global_id(0)] = ",
      value, "; }");
}

PropertyMap InMemory(int value) {
  return {{"CONFIG_TEXT", kXml},
          {"CONFIG_SOURCES", WriteSources({{"f.cl", "#include \"f.h\"\n"},
                                           {"f.h", SourceOf(value)}})}};
}

double FirstOutput(std::unique_ptr<Executable> executable) {
  auto request = Request::Create(std::move(executable));
  EXPECT_TRUE(request.ok() && (*request)->Infer().ok());
  return (*request)->Output(0).value().ElementAsDouble(0);
}

TEST(ConfigurationTest, TextsInMemory) {
  if (!HasClDevice()) GTEST_SKIP() << "no OpenCL device";
  const StandaloneCall call(Gpu(), InMemory(7));
  auto executable = Gpu().Compile(
      std::make_unique<Model>(ParseModelText(kModel).value()), call);
  ASSERT_TRUE(executable.ok()) << executable.status();
  EXPECT_EQ((*executable)->GetMetric("CONFIG_TEXT").value_or(""), kXml);
  EXPECT_EQ(FirstOutput(*std::move(executable)), 7);
  const StandaloneCall lacking(Gpu(), {{"CONFIG_TEXT", kXml}});
  EXPECT_THAT(
      CustomKernels::Of(lacking.config()).status().message(),
      AllOf(HasSubstr("CONFIG_TEXT:2"), HasSubstr("no source of this name")));
}

std::string Refusal(const PropertyMap& properties) {
  return std::string(GpuConfig(properties).status().message());
}

TEST(ConfigurationTest, TextsAreCheckedWhenTheyAreSet) {
  EXPECT_EQ(Refusal({{"CONFIG_TEXT", kXml}}), "");
  EXPECT_THAT(Refusal({{"CONFIG_TEXT", "<CustomLayer name=\"A\"/>"}}),
              AllOf(HasSubstr("property 'CONFIG_TEXT'"),
                    HasSubstr("CONFIG_TEXT:1: layer 'A'"), HasSubstr("type")));
  EXPECT_THAT(
      Refusal({{"CONFIG_TEXT", absl::StrCat(kXml, kXml, "<Layer/>")}}),
      AllOf(HasSubstr("CONFIG_TEXT:15"), HasSubstr("<CustomLayer> has to"),
            HasSubstr(" characters)"), Not(HasSubstr("Nowhere"))));
  EXPECT_THAT(Refusal({{"CONFIG_SOURCES", "<Source/>"}}),
              HasSubstr("'filename' is missing"));
}

TEST(ConfigurationTest, SourcesInMemoryIncludeOneAnother) {
  const auto identity_with = [](const std::string& header) {
    const StandaloneCall call(
        Gpu(),
        {{"CONFIG_TEXT", kXml},
         {"CONFIG_SOURCES", WriteSources({{"f.cl", "#include \"h/f.h\"\n"},
                                          {"h/f.h", header}})}});
    return CustomKernels::Of(call.config()).value()->Identity();
  };
  EXPECT_NE(identity_with(SourceOf(1)), identity_with(SourceOf(2)));
  EXPECT_EQ(identity_with(SourceOf(1)), identity_with(SourceOf(1)));
}

TEST(ConfigurationTest, AnExportNeedsNoFiles) {
  if (!HasClDevice()) GTEST_SKIP() << "no OpenCL device";
  const StandaloneCall call(Gpu(), InMemory(8));
  const auto executable = Gpu().Compile(
      std::make_unique<Model>(ParseModelText(kModel).value()), call);
  ASSERT_TRUE(executable.ok()) << executable.status();
  EXPECT_EQ((*executable)->config().GetString("CONFIG_TEXT"), "");
  std::string bytes;
  StringSink sink(&bytes);
  BlobWriter writer(&sink);
  ASSERT_TRUE((*executable)->Export(writer).ok());
  ASSERT_TRUE(writer.Finish().ok());
  const auto blob = BlobReader::FromBytes(bytes);
  ASSERT_TRUE(blob.ok()) << blob.status();
  const StandaloneCall plain(Gpu());
  auto imported = Gpu().Import(plain.Importing(*blob));
  ASSERT_TRUE(imported.ok()) << imported.status();
  EXPECT_EQ(FirstOutput(*std::move(imported)), 8);
}

TEST(ConfigurationTest, AQuerySaysWhatMatchesNothing) {
  if (!HasClDevice()) GTEST_SKIP() << "no OpenCL device";
  const StandaloneCall call(Gpu(), InMemory(7));
  const auto result = Gpu().Query(ParseModelText(kModel).value(), call);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->notes,
              ElementsAre(AllOf(HasSubstr("CONFIG_TEXT:5"),
                                HasSubstr("'Nowhere' matches no layer")),
                          AllOf(HasSubstr("CONFIG_TEXT:1"),
                                HasSubstr("'Relu' computes "))));
}

TEST(ConfigurationTest, CompilingLogsWhatMatchesNothing) {
  if (!HasClDevice()) GTEST_SKIP() << "no OpenCL device";
  const StandaloneCall call(Gpu(), InMemory(7));
  const CapturedLog log(LogLevel::kInfo);
  const auto executable = Gpu().Compile(
      std::make_unique<Model>(ParseModelText(kModel).value()), call);
  ASSERT_TRUE(executable.ok()) << executable.status();
  EXPECT_THAT(
      log.MessagesWith("custom kernel '"),
      ElementsAre(Pair(LogLevel::kWarning,
                       AllOf(HasSubstr("CONFIG_TEXT:5"),
                             HasSubstr("'Nowhere' matches no layer"))),
                  Pair(LogLevel::kInfo, AllOf(HasSubstr("CONFIG_TEXT:1"),
                                              HasSubstr("'Relu' computes ")))));
}

TEST(ConfigurationTest, AFileThatHasNotChangedIsReadOnce) {
  const std::string folder = testing::TempDir() + "/read_once";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/k.xml") << kXml;
  std::ofstream(folder + "/f.cl") << SourceOf(1);
  const auto identity = [&] {
    const StandaloneCall call(Gpu(), {{"CONFIG_FILE", folder + "/k.xml"}});
    return CustomKernels::Of(call.config()).value()->Identity();
  };
  const std::string first = identity();
  EXPECT_EQ(identity(), first);
  std::ofstream(folder + "/f.cl") << SourceOf(2);
  EXPECT_NE(identity(), first);
  std::ofstream(folder + "/f.cl") << SourceOf(1);
  EXPECT_EQ(identity(), first);
}

TEST(ConfigurationTest, AnIncludedFileThatHasChangedIsReadAgain) {
  const std::string folder = testing::TempDir() + "/included";
  std::filesystem::create_directories(folder + "/sub");
  std::ofstream(folder + "/k.xml")
      << absl::StrReplaceAll(kXml, {{"f.cl", "sub/f.cl"}});
  std::ofstream(folder + "/sub/f.cl") << "#include \"f.h\"\n";
  std::ofstream(folder + "/f.h") << SourceOf(1);
  // Before that each call reads them.
  for (const char* name : {"/k.xml", "/sub/f.cl", "/f.h"}) {
    while (!IdentifyFile(folder + name)->settled) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  const auto identity = [&] {
    const StandaloneCall call(Gpu(), {{"CONFIG_FILE", folder + "/k.xml"}});
    return CustomKernels::Of(call.config()).value()->Identity();
  };
  const std::string first = identity();
  EXPECT_EQ(identity(), first);
  std::ofstream(folder + "/f.h") << SourceOf(2);
  const std::string second = identity();
  EXPECT_NE(second, first);
  // One that lies nearer than the one that was read.
  std::ofstream(folder + "/sub/f.h") << SourceOf(3);
  const std::string third = identity();
  EXPECT_NE(third, second);
  EXPECT_NE(third, first);
}

}  // namespace
}  // namespace dovetail::gpu
