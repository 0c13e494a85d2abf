// Files and numbers as input tensors.
#ifndef DOVETAIL_TOOLS_CLI_INPUT_INPUT_VALUES_H_
#define DOVETAIL_TOOLS_CLI_INPUT_INPUT_VALUES_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/core/plugin/plugin.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/tools/cli/arguments.h"
#include "dovetail/tools/cli/input/picture_input.h"

namespace dovetail::cli {

// --input.
std::vector<Flag> InputFlags();

// The tensor for `port` from a file: .npy (u8 is converted to the declared
// type), .png and .jpg (picture_input.h), anything else raw elements in C
// order. kInvalidArgument names the file, the port and what would fit.
absl::StatusOr<Tensor> ReadInput(const PortInfo& port, const std::string& path,
                                 const PictureOptions& options);

// The file for each input that --input names, by index of the port. An input
// is named by index, tensor name or layer name.
absl::StatusOr<std::map<int, std::string>> ChooseInputFiles(
    absl::Span<const PortInfo> ports, const Arguments& arguments);

// Values between 0 and 1 (integers: 0 or 1), the same ones each time, for
// timing a model whose input does not matter. Dynamic dimensions become 1, or
// their least.
absl::StatusOr<Tensor> MakeInput(const PortInfo& port);

}  // namespace dovetail::cli

#endif  // DOVETAIL_TOOLS_CLI_INPUT_INPUT_VALUES_H_
