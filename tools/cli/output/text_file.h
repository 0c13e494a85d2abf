// Writing of a text to a file that a command line names.
#ifndef DOVETAIL_TOOLS_CLI_OUTPUT_TEXT_FILE_H_
#define DOVETAIL_TOOLS_CLI_OUTPUT_TEXT_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace dovetail::cli {

// Replaces the file. kUnavailable, with the path, when it cannot be written.
absl::Status WriteText(absl::string_view text, const std::string& path);

// For a file that is written only after long work: kUnavailable, with path and
// reason, when its folder is not there or cannot be written to.
absl::Status CheckCanWrite(const std::string& path);

}  // namespace dovetail::cli

#endif  // DOVETAIL_TOOLS_CLI_OUTPUT_TEXT_FILE_H_
