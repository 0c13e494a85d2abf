// The operations that the GPU has kernels for.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_TABLE_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_TABLE_H_

#include <string>

#include "absl/status/statusor.h"
#include "dovetail/backends/gpu/compiler/plan_builder.h"
#include "dovetail/core/graph/op_info.h"

namespace dovetail::gpu {

// Calls the emitters for a node's operation until one takes it; false: none.
absl::StatusOr<bool> Emit(const Node& node, PlanBuilder& builder);

// Whether there is an emitter for the operation, in some of its forms.
bool IsNative(const OpInfo& op);
// The value of NATIVE_OPERATIONS.
std::string NativeOperations();

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_TABLE_H_
