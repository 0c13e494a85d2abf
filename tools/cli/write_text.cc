#include "dovetail/tools/cli/write_text.h"

#include <fstream>

#include "dovetail/core/base/status.h"

namespace dovetail::cli {

absl::Status WriteText(const std::string& path, absl::string_view text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) return Unavailable("cannot write ", path);
  return absl::OkStatus();
}

}  // namespace dovetail::cli
