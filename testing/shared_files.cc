#include "dovetail/testing/shared_files.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace dovetail {
namespace {

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The folder that holds the folder of each repository's runfiles.
std::filesystem::path RunfilesRoot() {
  if (const std::string root = Environment("TEST_SRCDIR"); !root.empty()) {
    return root;
  }
  // Started without Bazel, from where Bazel built it.
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return {};
  return self.string() + ".runfiles";
}

}  // namespace

std::string RunfilePath(absl::string_view workspace_relative) {
  std::string workspace = Environment("TEST_WORKSPACE");
  if (workspace.empty()) workspace = "dovetail";
  return RunfilesRoot() / workspace / std::string(workspace_relative);
}

std::optional<std::string> SharedDir() {
  std::error_code error;
  if (const std::string dir = Environment("DOVETAIL_SHARED"); !dir.empty()) {
    if (std::filesystem::is_directory(dir, error)) return dir;
    return std::nullopt;
  }
  // The runfile is a link to the file in the source tree.
  const auto marker =
      std::filesystem::canonical(RunfilePath("WORKSPACE"), error);
  if (error) return std::nullopt;
  const auto dir = marker.parent_path().parent_path() / "shared";
  if (!std::filesystem::is_directory(dir, error)) return std::nullopt;
  return dir.string();
}

std::optional<std::string> SharedPath(absl::string_view relative) {
  const std::optional<std::string> dir = SharedDir();
  if (!dir.has_value()) return std::nullopt;
  std::string path = absl::StrCat(*dir, "/", relative);
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return std::nullopt;
  return path;
}

std::string WithoutShared(absl::string_view relative) {
  return absl::StrCat("needs ", relative,
                      " of the shared folder, which DOVETAIL_SHARED names");
}

}  // namespace dovetail
