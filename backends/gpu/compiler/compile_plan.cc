#include "dovetail/backends/gpu/compiler/compile_plan.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#include "dovetail/core/base/catch_exceptions.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

// Emitters need not think of tensors without elements, and count elements in
// 32 bits.
bool CanEmit(const Node& node) {
  const auto is_fine = [](Value value) {
    const int64_t count = PlanBuilder::ShapeOf(value).Count();
    return count > 0 && count <= std::numeric_limits<int32_t>::max();
  };
  for (const Value input : node.inputs()) {
    if (input && !is_fine(input)) return false;
  }
  for (int i = 0; i < node.output_count(); ++i) {
    if (!node.port(i).shape.ToShape().ok()) return false;
    if (!is_fine(PlanBuilder::OutputOf(node, i))) return false;
  }
  return true;
}

absl::Status Emit(const Node& node, EmitFn emit, PlanBuilder& builder) {
  if (CanEmit(node)) {
    DOVETAIL_ASSIGN_OR_RETURN(const bool taken, emit(node, builder));
    if (taken) return absl::OkStatus();
  }
  return builder.AddHostNode(node);
}

// What an arena may be at most: one allocation. Sub-arenas are as many as are
// needed, up to a number that no device's memory reaches.
std::vector<ArenaOptions> Arenas(const DeviceTraits& device) {
  constexpr int kMaxArenas = 16;
  // Offsets count elements in 32 bits.
  const int64_t capacity =
      std::min(device.max_allocation_bytes,
               int64_t{std::numeric_limits<int32_t>::max()});
  return std::vector<ArenaOptions>(kMaxArenas,
                                   {device.base_alignment_bytes, capacity});
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Plan>> CompilePlan(
    std::shared_ptr<const Model> model, const CompileSettings& settings,
    EmitFn emit, WeightsCache& weights, WorkTeam& team,
    const PlanBuilder::BesidePacking& beside) {
  std::lock_guard<std::mutex> lock(weights.compile_mutex());
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                            model->TopologicalOrder());
  PlanBuilder builder(*model, settings, weights);
  builder.KeepAlive(model);
  for (const Node* node : order) {
    const bool is_computed = !node->op().Has(kStructural) && node->is_needed();
    if (!is_computed || builder.IsDone(*node)) continue;
    builder.SetDone(*node);
    const auto emit_node = [&] { return Emit(*node, emit, builder); };
    DOVETAIL_RETURN_IF_ERROR(
        Annotate(CatchExceptions([] { return "compiling"; }, emit_node),
                 node->Describe()));
  }
  return builder.Finish(team, Arenas(settings.device->traits()), beside);
}

}  // namespace dovetail::gpu
