// Emitters, which turn nodes into steps.
#ifndef DOVETAIL_BACKENDS_CPU_COMPILER_EMITTER_H_
#define DOVETAIL_BACKENDS_CPU_COMPILER_EMITTER_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::cpu {

// Adds steps (or views) that compute all outputs of `node` in use, and perhaps
// of nodes that follow it, for which it calls PlanBuilder::Fuse. Every input is
// ready, every shape static and of at least one element. False: this form of
// the operation is not for it, and nothing was added; the reference kernel then
// runs it. An error stops the compilation.
using EmitFn = absl::StatusOr<bool> (*)(const Node& node, PlanBuilder& builder);

// A row of the table of emitters. Of several rows for an operation the first
// that takes the node does.
struct EmitterRow {
  OpType type;  // "Convolution", in any version
  EmitFn emit;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_COMPILER_EMITTER_H_
