// How the layers of a compiled model run, as its runtime model tells users.
#ifndef DOVETAIL_CORE_PLUGIN_EXECUTION_INFO_H_
#define DOVETAIL_CORE_PLUGIN_EXECUTION_INFO_H_

#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "dovetail/core/graph/model.h"

namespace dovetail {

// Of one node of the graph that runs. What a device does not know stays empty.
struct ExecutionInfo {
  std::string kernel;     // "winograd_f32"
  std::string precision;  // what it computes in: "bf16"
  std::string layouts;    // of its outputs, in the device's words: "nChw16c"
  std::string device;     // "GPU.0", where it is not the compiled model's
};

// A copy of the graph that runs whose nodes say how, in rt_info, under
// OpenVINO's names: "layerType", "execOrder", "originalLayersNames",
// "outputPrecisions", and where `info` knows them "primitiveType",
// "runtimePrecision", "outputLayouts" and "executionDevice".
std::unique_ptr<Model> DescribeExecution(
    const Model& model, absl::FunctionRef<ExecutionInfo(const Node&)> info);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PLUGIN_EXECUTION_INFO_H_
