// The flags that all commands on models share: which device, which properties,
// and how the model is changed before it is compiled.
#ifndef DOVETAIL_TOOLS_CLI_MODEL_OPTIONS_H_
#define DOVETAIL_TOOLS_CLI_MODEL_OPTIONS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/tools/cli/arguments.h"

namespace dovetail::cli {

// --device, --config, --threads, --streams, --precision, --weights, --shape,
// --batch, --plugin, --format and those for pictures, behind a command's own.
std::vector<Flag> WithModelFlags(std::vector<Flag> own);
// --format alone, for commands without a model.
extern const Flag kFormatFlag;

// Whether --format=json; kInvalidArgument for another format than text or json.
absl::StatusOr<bool> WantsJson(const Arguments& arguments);

// The device that --device names, or the default: CPU when built in, else
// REFERENCE.
absl::StatusOr<std::string> ChooseDevice(const Core& core,
                                         const Arguments& arguments);
// The same for the file of a model: without --device an exported model has the
// device that it was exported for.
absl::StatusOr<std::string> ChooseDeviceOf(const Core& core,
                                           const Arguments& arguments,
                                           const std::string& path);
// --config and the short flags for properties.
absl::StatusOr<PropertyMap> ChooseProperties(const Arguments& arguments);

// The only operand of a command, named in the error when it lacks.
absl::StatusOr<std::string> OnlyOperand(const Arguments& arguments,
                                        absl::string_view what);

// Reads the model's source and applies --shape, --batch and layouts, and with
// --resize or --color puts the steps for pictures into it. kInvalidArgument for
// an exported model.
absl::StatusOr<std::unique_ptr<Model>> LoadModel(const Core& core,
                                                 const Arguments& arguments,
                                                 const std::string& path);

}  // namespace dovetail::cli

#endif  // DOVETAIL_TOOLS_CLI_MODEL_OPTIONS_H_
