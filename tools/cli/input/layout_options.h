// Layouts of inputs and outputs that differ from the model's, put into it.
#ifndef DOVETAIL_TOOLS_CLI_INPUT_LAYOUT_OPTIONS_H_
#define DOVETAIL_TOOLS_CLI_INPUT_LAYOUT_OPTIONS_H_

#include <vector>

#include "absl/status/status.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/tools/cli/arguments.h"

namespace dovetail::cli {

// --layout, --output-layout.
std::vector<Flag> LayoutFlags();

// Adds what they ask for to the model, which is used up where that fails.
// kInvalidArgument or kNotFound names the flag, and what would be right.
absl::Status ApplyLayouts(const Arguments& arguments, Model& model);

}  // namespace dovetail::cli

#endif  // DOVETAIL_TOOLS_CLI_INPUT_LAYOUT_OPTIONS_H_
