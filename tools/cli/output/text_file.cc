#include "dovetail/tools/cli/output/text_file.h"

#include <fstream>

#include "dovetail/core/base/status.h"

namespace dovetail::cli {

absl::Status WriteText(absl::string_view text, const std::string& path) {
  if (path.empty()) return InvalidArgument("the file to write has no name");
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) return Unavailable("cannot write ", path);
  return absl::OkStatus();
}

}  // namespace dovetail::cli
