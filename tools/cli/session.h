// A compiled model and a request with its inputs set: what run and benchmark
// both begin with.
#ifndef DOVETAIL_TOOLS_CLI_SESSION_H_
#define DOVETAIL_TOOLS_CLI_SESSION_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/tools/cli/arguments.h"

namespace dovetail::cli {

// Reads and compiles the model that the command line names, by its flags, or
// imports it where the file is an exported one. kInvalidArgument for flags that
// come too late for that.
absl::StatusOr<CompiledModel> CompileOrImport(const Core& core,
                                              const Arguments& arguments,
                                              const std::string& path,
                                              const std::string& device,
                                              const PropertyMap& properties);

// A tensor for every input: from --input, else made up when `make_missing`,
// else kInvalidArgument that names the inputs without a file.
absl::StatusOr<std::vector<Tensor>> ReadInputs(const CompiledModel& model,
                                               const Arguments& arguments,
                                               bool make_missing);

absl::Status SetInputs(const std::vector<Tensor>& inputs,
                       InferRequest& request);

}  // namespace dovetail::cli

#endif  // DOVETAIL_TOOLS_CLI_SESSION_H_
