// The GPU's passes.
#ifndef DOVETAIL_BACKENDS_GPU_LOWERING_H_
#define DOVETAIL_BACKENDS_GPU_LOWERING_H_

#include <string>

#include "absl/status/status.h"
#include "dovetail/backends/gpu/custom/custom_kernels.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/properties/config.h"

namespace dovetail::gpu {

// Nodes that a custom kernel computes stay what they are.
absl::Status LowerForGpu(Model& model, const Config& config,
                         const CustomKernels& custom);

// The value of DECOMPOSED_OPERATIONS: those without a kernel that LowerForGpu
// says by others, where their data are f32 and a rule takes their form.
std::string DecomposedOperations();

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_LOWERING_H_
