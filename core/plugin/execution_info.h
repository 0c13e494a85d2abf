// The ways in which the layers of a compiled model run, as its runtime model
// tells users.
#ifndef DOVETAIL_CORE_PLUGIN_EXECUTION_INFO_H_
#define DOVETAIL_CORE_PLUGIN_EXECUTION_INFO_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "dovetail/core/graph/model.h"

namespace dovetail {

// Of one node of the graph that runs. What a device does not know stays empty.
struct ExecutionInfo {
  std::string kernel;     // "winograd_f32", as in its profiling record
  std::string precision;  // what it computes in: "bf16"
  // Of its outputs, one each with commas between them: in the device's words,
  // "nChw16c", and the types that they are stored in, where the model's are
  // not.
  std::string layouts, types;
  std::string device;  // "GPU.0", where it is not the compiled model's
  // The node that computes this one as well; empty: it runs by itself, or not
  // at all.
  std::string fused_into;
  int64_t order = -1;  // nodes that run later have greater numbers
  // Kernels that would have been preferred, each with why it is not the one:
  // "winograd_f32: a stride of 2; few_channels_f32: 64 input channels".
  std::string declined;
};

// A copy of the graph that runs whose nodes say how, in rt_info, under
// OpenVINO's names: "layerType", "execOrder", "originalLayersNames",
// "outputPrecisions", and where `info` knows them "primitiveType",
// "runtimePrecision", "outputLayouts", "executionDevice", "fusedInto" and
// "declinedKernels". Orders are numbers from 0 on, each once; a node without
// one in `info` follows those that it follows in the graph.
std::unique_ptr<Model> DescribeExecution(
    const Model& model, absl::FunctionRef<ExecutionInfo(const Node&)> info);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PLUGIN_EXECUTION_INFO_H_
