// What a real plugin does when it is loaded is tested with backends/null.

#include "dovetail/core/plugin/loader.h"

#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::AllOf;
using testing::HasSubstr;

absl::StatusOr<std::unique_ptr<Plugin>> MakeNothing() {
  return std::unique_ptr<Plugin>();
}

PluginManifest Good() {
  return {kPluginAbiVersion, DOVETAIL_BUILD_ID, "NOTHING", MakeNothing};
}

std::string MessageOf(const absl::Status& status) {
  return std::string(status.message());
}

TEST(LoaderTest, AcceptsWhatThisBuildMakes) {
  const PluginManifest manifest = Good();
  EXPECT_TRUE(CheckManifest(&manifest).ok());
}

TEST(LoaderTest, RefusesAnotherAbiWithBothVersions) {
  PluginManifest manifest = Good();
  manifest.abi_version = 77;
  manifest.build_id = nullptr;  // not looked at
  const absl::Status status = CheckManifest(&manifest);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(MessageOf(status),
              AllOf(HasSubstr("77"),
                    HasSubstr(std::to_string(kPluginAbiVersion))));
}

TEST(LoaderTest, RefusesAnotherBuildWithBothIds) {
  PluginManifest manifest = Good();
  manifest.build_id = "gcc 2, abseil 1999";
  const absl::Status status = CheckManifest(&manifest);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(MessageOf(status), AllOf(HasSubstr("gcc 2, abseil 1999"),
                                       HasSubstr(DOVETAIL_BUILD_ID)));
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
  manifest.build_id = nullptr;
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

TEST(LoaderTest, TheBuildIdNamesCompilerAndAbseil) {
  const std::string id = DOVETAIL_BUILD_ID;
  EXPECT_THAT(id, HasSubstr("abseil"));
  EXPECT_THAT(id, testing::AnyOf(HasSubstr("gcc"), HasSubstr("clang")));
}

}  // namespace
}  // namespace dovetail
