#include "dovetail/extensions/plugins_xml/plugins_xml.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "dovetail/core/plugin/registry/registry.h"
#include "dovetail/testing/shared_files.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

// A folder of its own, with plugins.xml of this text and two libraries below.
class PluginsXmlTest : public testing::Test {
 protected:
  PluginsXmlTest()
      : folder_(testing::TempDir() + "/plugins_xml"),
        path_(folder_ + "/plugins.xml") {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_ + "/lib");
    for (const char* name : {"interpreter", "null"}) {
      std::filesystem::create_symlink(
          std::filesystem::canonical(RunfilePath(
              absl::StrCat("backends/", name, "/", name, "_plugin.so"))),
          absl::StrCat(folder_, "/lib/", name, "_plugin.so"));
    }
  }

  void Write(const std::string& text) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  // With these <plugin> elements.
  void WritePlugins(const std::string& plugins) {
    Write(absl::StrCat("<?xml version=\"1.0\"?>\n<ie><plugins>", plugins,
                       "</plugins></ie>\n"));
  }
  std::string ErrorOf(const std::string& text) {
    Write(text);
    const auto entries = ReadPluginsXml(path_);
    EXPECT_EQ(entries.status().code(), absl::StatusCode::kInvalidArgument)
        << text;
    const std::string message(entries.status().message());
    EXPECT_THAT(message, HasSubstr(path_));
    return message;
  }
  std::string ErrorOfPlugins(const std::string& plugins) {
    return ErrorOf(absl::StrCat("<ie><plugins>", plugins, "</plugins></ie>"));
  }

  const std::string folder_, path_;
  PluginRegistry registry_;
  Core core_{&registry_};
};

TEST_F(PluginsXmlTest, ReadsNamesPlacesPropertiesAndExtensions) {
  WritePlugins(R"(
    <!-- a comment -->
    <plugin name="REFERENCE" location="lib/interpreter_plugin.so">
      <properties>
        <property key="NUM_STREAMS" value="2"/>
        <property key="CACHE_DIR" value=""/>
      </properties>
      <extensions>
        <extension location="lib/null_plugin.so"/>
        <extension location="/elsewhere/operations.so"/>
      </extensions>
    </plugin>
    <plugin name="CPU" location="cpu_plugin.so"/>
    <plugin name="GPU"/>)");
  const auto entries = ReadPluginsXml(path_);
  ASSERT_TRUE(entries.ok()) << entries.status();
  ASSERT_EQ(entries->size(), 3u);
  const PluginsXmlEntry& first = (*entries)[0];
  EXPECT_EQ(first.name, "REFERENCE");
  EXPECT_EQ(first.location, folder_ + "/lib/interpreter_plugin.so");
  EXPECT_THAT(first.properties,
              ElementsAre(Pair("CACHE_DIR", ""), Pair("NUM_STREAMS", "2")));
  EXPECT_THAT(first.extensions, ElementsAre(folder_ + "/lib/null_plugin.so",
                                            "/elsewhere/operations.so"));
  // Not beside the file: a name that Core::LoadPlugin searches.
  EXPECT_EQ((*entries)[1].location, "cpu_plugin.so");
  EXPECT_EQ((*entries)[2].location, "");
}

TEST_F(PluginsXmlTest, AnEmptyListIsNone) {
  for (const char* text : {"<ie/>", "<ie><plugins/></ie>",
                           "<!DOCTYPE x><ie><plugins></plugins></ie>"}) {
    Write(text);
    EXPECT_TRUE(ReadPluginsXml(path_).value().empty()) << text;
  }
}

TEST_F(PluginsXmlTest, LoadsPluginsAndSetsTheirProperties) {
  WritePlugins(R"(
    <plugin name="REFERENCE" location="lib/interpreter_plugin.so">
      <properties><property key="NUM_STREAMS" value="2"/></properties>
    </plugin>
    <plugin name="NULL" location="lib/null_plugin.so"/>)");
  for (int times = 0; times < 2; ++times) {
    const absl::Status loaded = LoadPluginsXml(core_, path_);
    ASSERT_TRUE(loaded.ok()) << loaded;
  }
  EXPECT_THAT(core_.AvailableDevices(), ElementsAre("NULL", "REFERENCE"));
  EXPECT_EQ(core_.GetProperty("REFERENCE", "NUM_STREAMS").value(), "2");
  EXPECT_EQ(core_.Version("TEMPLATE")->library,
            folder_ + "/lib/interpreter_plugin.so");
}

TEST_F(PluginsXmlTest, AddsExtensions) {
  const std::string library =
      RunfilePath("extensions/custom_op/testing/test_operations.so");
  const auto with_extension = [&](const std::string& location) {
    WritePlugins(absl::StrCat(
        "<plugin name='NULL' location='lib/null_plugin.so'><extensions>"
        "<extension location='",
        location, "'/></extensions></plugin>"));
    return LoadPluginsXml(core_, path_);
  };
  const absl::Status wrong = with_extension("lib/interpreter_plugin.so");
  EXPECT_EQ(wrong.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(wrong.message()),
              AllOf(HasSubstr("'NULL'"), HasSubstr("interpreter_plugin.so"),
                    HasSubstr("is no Dovetail extension")));
  EXPECT_TRUE(core_.Extensions().empty());
  const absl::Status added = with_extension(library);
  ASSERT_TRUE(added.ok()) << added;
  ASSERT_EQ(core_.Extensions().size(), 1u);
  EXPECT_EQ(core_.Extensions()[0].name, "test_operations");
  EXPECT_EQ(core_.Extensions()[0].library, library);
}

TEST_F(PluginsXmlTest, OneThatFailsDoesNotKeepOthersFromLoading) {
  WritePlugins(R"(
    <plugin name="GPU" location="lib/gpu_plugin.so"/>
    <plugin name="NULL" location="lib/null_plugin.so"/>)");
  const absl::Status loaded = LoadPluginsXml(core_, path_);
  EXPECT_EQ(loaded.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(loaded.message()),
              AllOf(HasSubstr(path_), HasSubstr("'GPU'"),
                    HasSubstr("lib/gpu_plugin.so")));
  EXPECT_THAT(core_.AvailableDevices(), ElementsAre("NULL"));
}

TEST_F(PluginsXmlTest, TheLibraryHasToHaveTheDevice) {
  WritePlugins("<plugin name='CPU' location='lib/null_plugin.so'/>");
  const absl::Status loaded = LoadPluginsXml(core_, path_);
  EXPECT_EQ(loaded.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(loaded.message()),
              AllOf(HasSubstr("'CPU'"), HasSubstr("null_plugin.so"),
                    HasSubstr("devices are: NULL")));
}

TEST_F(PluginsXmlTest, APropertyHasToBeTheDevices) {
  WritePlugins(R"(
    <plugin name="REFERENCE" location="lib/interpreter_plugin.so">
      <properties><property key="NUM_STREAM" value="2"/></properties>
    </plugin>)");
  EXPECT_THAT(std::string(LoadPluginsXml(core_, path_).message()),
              AllOf(HasSubstr("<plugin> 'REFERENCE'"), HasSubstr("NUM_STREAM"),
                    HasSubstr("NUM_STREAMS")));
}

TEST_F(PluginsXmlTest, ErrorsNameElementAndAttribute) {
  EXPECT_EQ(ReadPluginsXml(folder_ + "/none.xml").status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_THAT(ErrorOf("<net/>"), HasSubstr("<net>, not <ie>"));
  EXPECT_THAT(ErrorOf("<ie><plugin/></ie>"),
              AllOf(HasSubstr("<plugin>"), HasSubstr("plugins")));
  EXPECT_THAT(ErrorOfPlugins("<plugin location='x'/>"),
              AllOf(HasSubstr("<plugin>"), HasSubstr("name")));
  EXPECT_THAT(ErrorOfPlugins("<plugin name='' location='x'/>"),
              HasSubstr("'name' is empty"));
  EXPECT_THAT(ErrorOfPlugins("<plugin name='A' location=''/>"),
              HasSubstr("'location' is empty"));
  EXPECT_THAT(ErrorOfPlugins("<plugin name='A' path='x'/>"),
              AllOf(HasSubstr("'path'"), HasSubstr("name, location")));
  EXPECT_THAT(ErrorOfPlugins("<plugin name='A'/><plugin name='A'/>"),
              HasSubstr("twice"));
  EXPECT_THAT(ErrorOfPlugins("<plugin name='A'>CPU</plugin>"),
              HasSubstr("text"));
  const auto in_properties = [this](const std::string& inner) {
    return ErrorOfPlugins(absl::StrCat("<plugin name='A'><properties>", inner,
                                       "</properties></plugin>"));
  };
  EXPECT_THAT(in_properties("<property value='1'/>"),
              AllOf(HasSubstr("<property>"), HasSubstr("key")));
  EXPECT_THAT(in_properties("<property key='K'/>"), HasSubstr("value"));
  EXPECT_THAT(in_properties("<porperty/>"), HasSubstr("<porperty>"));
  EXPECT_THAT(in_properties("<property key='K' value='1'/>"
                            "<property key='K' value='2'/>"),
              AllOf(HasSubstr("'K'"), HasSubstr("twice")));
  EXPECT_THAT(ErrorOfPlugins("<plugin name='A'><extensions><extension/>"
                             "</extensions></plugin>"),
              AllOf(HasSubstr("<extension>"), HasSubstr("location")));
}

TEST_F(PluginsXmlTest, HostileFilesAreErrors) {
  ErrorOf("");
  ErrorOf("not XML");
  ErrorOf("<ie><plugins>");
  ErrorOf(std::string("<ie>\0</ie>", 10));
  ErrorOf("<ie>\xff\xfe</ie>");
  // A bomb of entities, which stay what they are; and a tree that is deep.
  EXPECT_THAT(ErrorOf("<!DOCTYPE ie [<!ENTITY a 'aaaaaaaaaa'>"
                      "<!ENTITY b '&a;&a;&a;&a;'>]><ie>&b;&b;</ie>"),
              HasSubstr("text"));
  std::string deep;
  for (int i = 0; i < 200000; ++i) deep += "<plugins>";
  ErrorOf(absl::StrCat("<ie>", deep));
  ErrorOf(absl::StrCat("<ie>", deep, absl::StrReplaceAll(deep, {{"<", "</"}}),
                       "</ie>"));
  // A file that is none of ours.
  EXPECT_FALSE(ReadPluginsXml(folder_).ok());
  EXPECT_FALSE(ReadPluginsXml(folder_ + "/lib/null_plugin.so").ok());
}

// Every file that is cut short is an error, never a crash.
TEST_F(PluginsXmlTest, CutAnywhere) {
  const std::string whole =
      "<ie><plugins><plugin name='A' location='b'><properties><property "
      "key='K' value='V'/></properties></plugin></plugins></ie>";
  for (size_t size = 0; size < whole.size(); ++size) {
    ErrorOf(whole.substr(0, size));
  }
}

}  // namespace
}  // namespace dovetail
