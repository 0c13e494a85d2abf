#include "dovetail/backends/cpu/compiler/compile_plan.h"

#include <mutex>
#include <utility>
#include <vector>

#include "dovetail/backends/cpu/compiler/lazy_dequantization.h"
#include "dovetail/core/base/catch_exceptions.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

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

// Emits a node, and before it the lazy dequantization that it reads.
absl::Status Visit(const Node& node, const CompilerTables& tables,
                   PlanBuilder& builder) {
  if (builder.IsDone(node)) return absl::OkStatus();
  const int first = HasElements(node) && tables.reads_bytes(node) ? 1 : 0;
  for (int i = first; i < node.input_count(); ++i) {
    const Value input = node.input(i);
    if (!input || !IsLazyDequantization(*input.node)) continue;
    // At most three levels deep.
    DOVETAIL_RETURN_IF_ERROR(Visit(*input.node, tables, builder));
  }
  // A lazy dequantization may have taken this one in.
  if (builder.IsDone(node) || node.op().Has(kStructural))
    return absl::OkStatus();
  builder.SetDone(node);
  const auto emit = [&] { return Emit(node, tables, builder); };
  return Annotate(CatchExceptions([] { return "compiling"; }, emit),
                  node.Describe());
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Plan>> CompilePlan(
    std::shared_ptr<const Model> model, const CompileSettings& settings,
    const CompilerTables& tables, WeightsCache& weights, WorkTeam& team) {
  std::lock_guard<std::mutex> lock(weights.compile_mutex());
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                            model->TopologicalOrder());
  tables.begin(settings);
  PlanBuilder builder(*model, settings, weights, tables.make_reorder,
                      tables.narrow_values(order, settings),
                      tables.channel_moves(order));
  builder.KeepAlive(model);
  for (const Node* node : order) {
    const bool is_computed = !node->op().Has(kStructural) && node->is_needed();
    if (!is_computed && !node->Is("Result")) continue;
    if (IsLazyDequantization(*node)) continue;
    DOVETAIL_RETURN_IF_ERROR(Visit(*node, tables, builder));
  }
  return builder.Finish(team);
}

}  // namespace dovetail::cpu
