#include "dovetail/tools/cli/output/text_file.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <system_error>

#include "dovetail/core/base/status.h"

namespace dovetail::cli {

absl::Status WriteText(absl::string_view text, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) return Unavailable("cannot write ", path);
  return absl::OkStatus();
}

absl::Status CheckCanWrite(const std::string& path) {
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (folder.empty()) folder = ".";
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return Unavailable("cannot write ", path, ": it is a folder");
  }
  if (!std::filesystem::is_directory(folder, error)) {
    return Unavailable("cannot write ", path, ": there is no folder ",
                       folder.string());
  }
  if (access(folder.c_str(), W_OK) != 0) {
    return Unavailable("cannot write ", path, ": no right to write to ",
                       folder.string());
  }
  return absl::OkStatus();
}

}  // namespace dovetail::cli
