// Tests of custom layers: a model of one operation that a kernel of
// testing/custom_kernels computes. The core does not know those layers, so
// each is attached to an operation that has as many inputs and outputs of these
// shapes, mostly Einsum; what that operation computes does not matter.
#ifndef DOVETAIL_BACKENDS_GPU_CUSTOM_LAYERS_RUN_LAYER_H_
#define DOVETAIL_BACKENDS_GPU_CUSTOM_LAYERS_RUN_LAYER_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace dovetail::gpu {

using Values = std::vector<double>;

// Random numbers from `low` to `high`, in eighths.
Values RandomValues(int count, unsigned seed, double low = -2, double high = 2);

// The outputs of a model in text form whose layers the kernels of a file
// compute, "sam/gather.xml", for elements of its parameters.
absl::StatusOr<std::vector<Values>> RunLayer(const std::string& model,
                                             const std::string& file,
                                             const std::vector<Values>& inputs);

// Expects these outputs, or skips where there is no device. Where `needs` is
// not empty, a device may refuse the layer, if that is in its message.
void ExpectLayer(const std::string& model, const std::string& file,
                 const std::vector<Values>& inputs,
                 const std::vector<Values>& outputs,
                 const std::string& needs = "");

// A model of an Einsum over f32 inputs of those shapes: "[2,3]".
std::string EinsumModel(const std::vector<std::string>& shapes,
                        const std::string& equation);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_CUSTOM_LAYERS_RUN_LAYER_H_
