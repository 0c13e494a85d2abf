// Files that `dovetail compile` writes, and commands take in place of a model's
// source.
#ifndef DOVETAIL_TOOLS_CLI_INPUT_EXPORTED_MODEL_H_
#define DOVETAIL_TOOLS_CLI_INPUT_EXPORTED_MODEL_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/tools/cli/arguments.h"

namespace dovetail::cli {

// Whether the file begins as an exported model does, sound or not. A file that
// cannot be read is none; who reads it as a source says why.
bool IsExportedModel(const std::string& path);

// The device that it was exported for. Errors as of BlobReader::Open;
// kInvalidArgument for a container of something else.
absl::StatusOr<std::string> DeviceOfExport(const std::string& path);

// kInvalidArgument for an exported model, where only a source will do.
absl::Status CheckIsSource(const std::string& path);

// kInvalidArgument for --weights, --shape and --batch, which come too late for
// an exported model.
absl::Status CheckNoSourceFlags(const Arguments& arguments,
                                const std::string& path);

}  // namespace dovetail::cli

#endif  // DOVETAIL_TOOLS_CLI_INPUT_EXPORTED_MODEL_H_
