#include "dovetail/backends/cpu/compiler/compile_plan.h"

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "dovetail/backends/common/compiler/layouts/place_reorders.h"
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
  builder.BeginSite(node);
  builder.SetDone(node);
  const auto emit = [&] { return Emit(node, tables, builder); };
  return Annotate(CatchExceptions([] { return "compiling"; }, emit),
                  node.Describe());
}

// Whether kernels of the operation choose the layouts, whatever is wished.
bool ChoosesLayouts(const Node& node) {
  return node.Is("Convolution") || node.Is("GroupConvolution") ||
         node.Is("ConvolutionBackpropData") ||
         node.Is("GroupConvolutionBackpropData") || node.Is("MatMul");
}

// Emits all nodes of a model, once for its plan and once for each draft of it.
class Emission {
 public:
  Emission(const Model& model, const CompileSettings& settings,
           const CompilerTables& tables, WeightsCache& weights,
           absl::Span<Node* const> order)
      : model_(model),
        settings_(settings),
        draft_settings_(settings),
        tables_(tables),
        weights_(weights),
        order_(order),
        narrow_(tables.narrow_values(order, settings)),
        channel_moves_(tables.channel_moves(order)) {
    draft_settings_.offered = nullptr;
  }

  absl::StatusOr<std::unique_ptr<PlanBuilderBase>> Run(
      EmissionRequest request) const {
    const bool is_draft = request.is_draft();
    if (!is_draft && settings_.offered != nullptr) settings_.offered->clear();
    auto builder = std::make_unique<PlanBuilder>(
        model_, is_draft ? draft_settings_ : settings_, weights_,
        tables_.make_reorder, narrow_, channel_moves_);
    builder->Follow(std::move(request));
    for (const Node* node : order_) {
      if (!IsEmitted(*node) || builder->IsDone(*node)) continue;
      if (ChoosesLayouts(*node) && builder->RepeatSite(*node)) continue;
      DOVETAIL_RETURN_IF_ERROR(Visit(*node, tables_, *builder));
    }
    return builder;
  }

 private:
  // By itself, and not when another asks for it.
  static bool IsEmitted(const Node& node) {
    const bool is_computed = !node.op().Has(kStructural) && node.is_needed();
    return (is_computed || node.Is("Result")) && !IsLazyDequantization(node);
  }

  const Model& model_;
  const CompileSettings& settings_;
  CompileSettings draft_settings_;
  const CompilerTables& tables_;
  WeightsCache& weights_;
  const absl::Span<Node* const> order_;
  const NarrowValues narrow_;
  const ChannelMoves channel_moves_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const Plan>> CompilePlan(
    std::shared_ptr<const Model> model, const CompileSettings& settings,
    const CompilerTables& tables, WeightsCache& weights, WorkTeam& team) {
  std::lock_guard<std::mutex> lock(weights.compile_mutex());
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                            model->TopologicalOrder());
  tables.begin(settings);
  const Emission emission(*model, settings, tables, weights, order);
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::unique_ptr<PlanBuilderBase> builder,
      EmitWithReorders(*model, [&](EmissionRequest request) {
        return emission.Run(std::move(request));
      }));
  builder->KeepAlive(model);
  return builder->Finish(team);
}

}  // namespace dovetail::cpu
