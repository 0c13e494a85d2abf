// Nodes that passes leave alone, as custom kernels compute them.
#ifndef DOVETAIL_BACKENDS_GPU_CUSTOM_STAND_IN_H_
#define DOVETAIL_BACKENDS_GPU_CUSTOM_STAND_IN_H_

#include "absl/status/status.h"
#include "dovetail/backends/common/custom/stand_in.h"
#include "dovetail/backends/gpu/custom/custom_kernels.h"
#include "dovetail/core/graph/model.h"

namespace dovetail::gpu {

using dovetail::PlaceOfKernel;
using dovetail::RemoveStandIns;

// As dovetail::AddStandIns, for what these kernels compute.
absl::Status AddStandIns(Model& model, const CustomKernels& kernels);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_CUSTOM_STAND_IN_H_
