// What a real plugin does when it is loaded is tested with backends/null.

#include "dovetail/core/plugin/registry/loader.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "dovetail/core/plugin/registry/build_id.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

absl::StatusOr<std::unique_ptr<Plugin>> MakeNothing() {
  return std::unique_ptr<Plugin>();
}

PluginManifest Good() {
  return MakeManifest("NOTHING", "", "is nothing", /*priority=*/0, "0123", MakeNothing);
}

std::string MessageOf(const absl::Status& status) {
  return std::string(status.message());
}

TEST(LoaderTest, AcceptsWhatThisBuildMakes) {
  const PluginManifest manifest = Good();
  EXPECT_TRUE(CheckManifest(&manifest).ok());
}

TEST(LoaderTest, RefusesOtherHeadersWithBothHashes) {
  PluginManifest manifest = Good();
  manifest.abi[3] ^= 1;
  manifest.toolchain = nullptr;  // not looked at
  const absl::Status status = CheckManifest(&manifest);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(MessageOf(status), AllOf(HasSubstr(manifest.abi),
                                       HasSubstr(std::string(AbiHash()))));
}

// As before there was a hash: a number came first.
TEST(LoaderTest, RefusesWhatHasAnotherManifest) {
  PluginManifest manifest = Good();
  std::memset(manifest.abi, 0, sizeof(manifest.abi));
  manifest.abi[0] = 1;
  EXPECT_THAT(MessageOf(CheckManifest(&manifest)), HasSubstr("'\\x01'"));
  std::memset(manifest.abi, 'x', sizeof(manifest.abi));
  EXPECT_FALSE(CheckManifest(&manifest).ok());
}

TEST(LoaderTest, RefusesAnotherToolchainWithBoth) {
  PluginManifest manifest = Good();
  manifest.toolchain = "gcc 2, abseil 1999";
  const absl::Status status = CheckManifest(&manifest);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(MessageOf(status), AllOf(HasSubstr("gcc 2, abseil 1999"),
                                       HasSubstr(std::string(Toolchain()))));
}

TEST(LoaderTest, RefusesIncompleteManifests) {
  EXPECT_FALSE(CheckManifest(nullptr).ok());
  PluginManifest manifest = Good();
  manifest.name = nullptr;
  EXPECT_FALSE(CheckManifest(&manifest).ok());
  manifest = Good();
  manifest.make_plugin = nullptr;
  EXPECT_FALSE(CheckManifest(&manifest).ok());
  manifest = Good();
  manifest.toolchain = nullptr;
  EXPECT_FALSE(CheckManifest(&manifest).ok());
  manifest = Good();
  manifest.join_process = nullptr;
  EXPECT_FALSE(CheckManifest(&manifest).ok());
}

TEST(LoaderTest, SaysWhyAFileIsNoPlugin) {
  EXPECT_EQ(LoadManifest("/no/such.so").status().code(),
            absl::StatusCode::kNotFound);
  // A library of the system.
  const absl::Status other = LoadManifest("libc.so.6").status();
  EXPECT_EQ(other.code(), absl::StatusCode::kNotFound);  // only by its path
  const std::string path = testing::TempDir() + "/text_plugin.so";
  std::ofstream(path) << "not a library";
  const absl::Status text = LoadManifest(path).status();
  EXPECT_EQ(text.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(MessageOf(text), HasSubstr(path));
}

TEST(LoaderTest, TheAbiIsAHash) {
  EXPECT_EQ(AbiHash().size(), 16u);
  EXPECT_EQ(AbiHash().find_first_not_of("0123456789abcdef"),
            absl::string_view::npos);
}

TEST(LoaderTest, TheToolchainNamesCompilerAndAbseil) {
  const std::string toolchain(Toolchain());
  EXPECT_THAT(toolchain, HasSubstr("abseil"));
  EXPECT_THAT(toolchain, testing::AnyOf(HasSubstr("gcc"), HasSubstr("clang")));
}

// ---- Where a library is looked for ----

// A folder of that name with these files, which are empty.
std::string FolderWith(const std::string& name,
                       const std::vector<std::string>& files) {
  const std::string folder = testing::TempDir() + "/" + name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  for (const std::string& file : files) std::ofstream(folder + "/" + file);
  return folder;
}

TEST(LoaderTest, AFolderMeansThePluginsInIt) {
  const std::string folder =
      FolderWith("plugins", {"b_plugin.so", "a_plugin.so", "libother.so"});
  const auto found = FindPluginLibraries(folder);
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_THAT(*found,
              ElementsAre(folder + "/a_plugin.so", folder + "/b_plugin.so"));
  const std::string empty = FolderWith("no_plugins", {"libother.so"});
  const absl::Status none = FindPluginLibraries(empty).status();
  EXPECT_EQ(none.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(MessageOf(none), HasSubstr(empty));
}

TEST(LoaderTest, ABareNameIsSearched) {
  const std::string first = FolderWith("first", {"xpu_plugin.so"});
  const std::string second =
      FolderWith("second", {"xpu_plugin.so", "ypu_plugin.so", "zpu.so"});
  setenv("DOVETAIL_PLUGIN_PATH", (first + "::" + second).c_str(), 1);
  EXPECT_THAT(*FindPluginLibraries("xpu_plugin.so"),
              ElementsAre(first + "/xpu_plugin.so"));
  EXPECT_THAT(*FindPluginLibraries("YPU"),
              ElementsAre(second + "/ypu_plugin.so"));
  EXPECT_THAT(*FindPluginLibraries("zpu.so"), ElementsAre(second + "/zpu.so"));
  const absl::Status none = FindPluginLibraries("none").status();
  EXPECT_EQ(none.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(MessageOf(none), AllOf(HasSubstr(first), HasSubstr(second)));
  // With a slash it is a path.
  EXPECT_FALSE(FindPluginLibraries("./xpu_plugin.so").ok());
  unsetenv("DOVETAIL_PLUGIN_PATH");
  EXPECT_FALSE(FindPluginLibraries("xpu_plugin.so").ok());
}

}  // namespace
}  // namespace dovetail
