// Emitters, which turn nodes into kernels.
#ifndef DOVETAIL_BACKENDS_GPU_COMPILER_EMITTER_H_
#define DOVETAIL_BACKENDS_GPU_COMPILER_EMITTER_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/gpu/compiler/plan_builder.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::gpu {

// Adds launches (or views) that compute all outputs of `node` in use, and
// perhaps of nodes that follow it, for which it calls PlanBuilder::Fuse. Every
// input is ready; every shape is static, of at least one and of less than 2^31
// elements. False: this form of the operation is not for it, and nothing was
// added; the host then computes it. An error stops the compilation.
using EmitFn = absl::StatusOr<bool> (*)(const Node& node, PlanBuilder& builder);

// A row of the table of emitters. Of several rows for an operation the first
// that takes the node does.
struct EmitterRow {
  OpType type;  // "Convolution", in any version
  EmitFn emit;
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_COMPILER_EMITTER_H_
