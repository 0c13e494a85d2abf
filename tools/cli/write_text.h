// Output files of commands.
#ifndef DOVETAIL_TOOLS_CLI_WRITE_TEXT_H_
#define DOVETAIL_TOOLS_CLI_WRITE_TEXT_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace dovetail::cli {

// Writes the file anew; kUnavailable names the one that cannot be written.
absl::Status WriteText(const std::string& path, absl::string_view text);

}  // namespace dovetail::cli

#endif  // DOVETAIL_TOOLS_CLI_WRITE_TEXT_H_
