#include "dovetail/backends/cpu/steps/movement/transposes.h"

#include <optional>
#include <vector>

#include "dovetail/backends/cpu/steps/movement/copy_step.h"
#include "dovetail/backends/cpu/steps/movement/moved_view.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

absl::StatusOr<Operand> ReadIn(PlanBuilder& builder, Value value,
                               Layout layout) {
  Format format = builder.FormatOf(value);
  format.layout = layout;
  return builder.Read(value, format);
}

bool MovesChannelsLast(const std::vector<int>& order) {
  const int rank = static_cast<int>(order.size());
  if (rank < 3 || rank > 5 || order[0] != 0 || order[rank - 1] != 1) {
    return false;
  }
  for (int i = 1; i + 1 < rank; ++i) {
    if (order[i] != i + 1) return false;
  }
  return true;
}

}  // namespace

absl::StatusOr<bool> EmitTranspose(const Node& node, PlanBuilder& builder) {
  const auto list = ConstantList(node, 1);
  if (!list || !IsCopied(node.port().type)) return false;
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  std::vector<int> order(list->begin(), list->end());
  if (order.empty()) {
    for (int i = shape.rank() - 1; i >= 0; --i) order.push_back(i);
  }
  Layout layout = builder.FormatOf(node.input(0)).layout;
  if (ChannelBlock(layout) > 1) {
    // The copy that the blocks need anyway is the transposition.
    layout = MovesChannelsLast(order) ? Layout::kChannelsLast : Layout::kPlanar;
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Operand operand,
                            ReadIn(builder, node.input(0), layout));
  DOVETAIL_RETURN_IF_ERROR(EmitMovedView(
      node, builder, operand, Permuted(ViewInLayout(shape, layout), order)));
  return true;
}

absl::StatusOr<bool> EmitPlanarView(const Node& node, PlanBuilder& builder) {
  if (!IsCopied(node.port().type)) return false;
  DOVETAIL_ASSIGN_OR_RETURN(const std::optional<StridedView> view,
                            MovedViewOf(node));
  if (!view) return false;
  DOVETAIL_ASSIGN_OR_RETURN(const Operand operand,
                            ReadIn(builder, node.input(0), Layout::kPlanar));
  DOVETAIL_RETURN_IF_ERROR(EmitMovedView(node, builder, operand, *view));
  return true;
}

}  // namespace dovetail::cpu
