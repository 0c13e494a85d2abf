// From a model of static shapes to a plan.
#ifndef DOVETAIL_BACKENDS_CPU_COMPILER_COMPILE_PLAN_H_
#define DOVETAIL_BACKENDS_CPU_COMPILER_COMPILE_PLAN_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/backends/cpu/compiler/channel_moves.h"
#include "dovetail/backends/cpu/compiler/emitter.h"
#include "dovetail/backends/cpu/compiler/narrow_values.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/core/executor/team/work_team.h"
#include "dovetail/core/graph/model.h"

namespace dovetail::cpu {

// What the compiler knows of operations.
struct CompilerTables {
  // Prepares the calling thread for emitting.
  void (*begin)(const CompileSettings& settings);
  // Calls the emitters for a node's operation until one takes it; false: none.
  absl::StatusOr<bool> (*emit)(const Node& node, PlanBuilder& builder);
  // Whether the emitters read bytes in place of the node's first input, which
  // is made of these, or make that themselves.
  bool (*reads_bytes)(const Node& node);
  // Which values steps may store as bf16; `order` is topological.
  NarrowValues (*narrow_values)(absl::Span<Node* const> order,
                                const CompileSettings& settings);
  // Which nodes move channels together; `order` is topological.
  ChannelMoves (*channel_moves)(absl::Span<Node* const> order);
  // Takes every node.
  absl::Status (*emit_reference)(const Node& node, PlanBuilder& builder);
  MakeReorderFn make_reorder;
};

// Nodes are emitted in topological order. The plan keeps the model alive. All
// shapes of the model are static, bodies aside. Errors name the layer.
absl::StatusOr<std::shared_ptr<const Plan>> CompilePlan(
    std::shared_ptr<const Model> model, const CompileSettings& settings,
    const CompilerTables& tables, WeightsCache& weights, WorkTeam& team);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_COMPILER_COMPILE_PLAN_H_
