// Table of how the layers of a compiled model run, as a file for people and
// programs.
#ifndef DOVETAIL_TOOLS_CLI_OUTPUT_EXECUTION_TABLE_H_
#define DOVETAIL_TOOLS_CLI_OUTPUT_EXECUTION_TABLE_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "dovetail/core/graph/model.h"

namespace dovetail::cli {

// Nanoseconds that each layer took, by name.
using LayerTimes = std::map<std::string, int64_t>;

// Notes in rt_info how long the layers of a model that DescribeExecution gave
// took: "execTimeMcs", in whole microseconds as OpenVINO has it, or
// "not_executed"; nothing for those that are part of another.
void AddExecutionTimes(const LayerTimes& times, Model& described);

// A line a node in the order of execution, in columns with tabs between them
// and their names in the first line; what is not known is empty.
std::string ExecutionTable(const Model& described);

// Writes the table, or, where `path` ends in ".xml", the model itself as an IR
// whose layers have it all in rt_info.
absl::Status WriteExecution(const Model& described, const std::string& path);

}  // namespace dovetail::cli

#endif  // DOVETAIL_TOOLS_CLI_OUTPUT_EXECUTION_TABLE_H_
