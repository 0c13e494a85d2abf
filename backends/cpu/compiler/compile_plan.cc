#include "dovetail/backends/cpu/compiler/compile_plan.h"

#include <mutex>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

bool IsStructural(const Node& node) {
  return node.Is("Parameter") || node.Is("Constant") || node.Is("Result");
}

bool IsNeeded(const Node& node) {
  return node.has_uses() || node.op().Has(kHasSideEffect);
}

// Emitters need not think of tensors without elements.
bool HasElements(const Node& node) {
  const auto empty = [](const Shape& shape) { return shape.Count() == 0; };
  for (int i = 0; i < node.input_count(); ++i) {
    if (node.input(i) && empty(PlanBuilder::ShapeOf(node.input(i)))) {
      return false;
    }
  }
  for (int i = 0; i < node.output_count(); ++i) {
    const auto shape = node.port(i).shape.ToShape();
    if (!shape.ok() || empty(*shape)) return false;
  }
  return true;
}

absl::Status Emit(const Node& node, const CompilerTables& tables,
                  PlanBuilder& builder) {
  if (HasElements(node)) {
    DOVETAIL_ASSIGN_OR_RETURN(const bool taken, tables.emit(node, builder));
    if (taken) return absl::OkStatus();
  }
  return tables.emit_reference(node, builder);
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Plan>> CompilePlan(
    std::shared_ptr<const Model> model, const CompileSettings& settings,
    const CompilerTables& tables, WeightsCache& weights, WorkTeam& team) {
  std::lock_guard<std::mutex> lock(weights.compile_mutex());
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                            model->TopologicalOrder());
  tables.begin(settings);
  PlanBuilder builder(*model, settings, weights, tables.make_reorder);
  builder.KeepAlive(model);
  for (const Node* node : order) {
    if (IsStructural(*node) || !IsNeeded(*node)) continue;
    if (builder.IsDone(*node)) continue;
    builder.SetDone(*node);
    const absl::Status status = Emit(*node, tables, builder);
    if (!status.ok()) return Annotate(status, node->Describe());
  }
  return builder.Finish(team);
}

}  // namespace dovetail::cpu
