// Nodes that passes leave alone.
#ifndef DOVETAIL_BACKENDS_GPU_CUSTOM_STAND_IN_H_
#define DOVETAIL_BACKENDS_GPU_CUSTOM_STAND_IN_H_

#include <string>

#include "absl/status/status.h"
#include "dovetail/backends/gpu/custom/custom_kernels.h"
#include "dovetail/core/graph/model.h"

namespace dovetail::gpu {

// Puts a node of an operation that no pass knows in the place of each that a
// custom kernel computes, so that it is neither folded, merged, fused nor
// dropped: what its kernel does only its author knows. Half precision becomes
// f32 with the inputs. Operations with bodies stay, and conversions.
absl::Status AddStandIns(Model& model, const CustomKernels& kernels);

// Puts the nodes back, with the inputs that their stand-ins have by now.
absl::Status RemoveStandIns(Model& model);

// Where the kernel is that AddStandIns has found for a node ("kernels.xml:3");
// null: it has found none. For those who ask for each node of a model.
const std::string* PlaceOfKernel(const Node& node);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_CUSTOM_STAND_IN_H_
