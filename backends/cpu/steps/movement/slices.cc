#include "dovetail/backends/cpu/steps/movement/slices.h"

#include <optional>

#include "dovetail/backends/cpu/steps/movement/copy_step.h"
#include "dovetail/backends/cpu/steps/movement/moved_view.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

// Output `output` is a box of input 0, in the layout that it has.
absl::Status EmitBox(const Node& node, PlanBuilder& builder,
                     const TensorBox& box, int output = 0) {
  const Value data = node.input(0);
  const Shape whole = PlanBuilder::ShapeOf(data);
  Format format = builder.FormatOf(data);
  std::optional<StridedView> view = StoredView(box, whole, format.layout);
  if (!view) {
    format.layout = Layout::kPlanar;
    view = StoredView(box, whole, format.layout);
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Operand operand, builder.Read(data, format));
  const Value value = PlanBuilder::OutputOf(node, output);
  if (IsPacked(*view)) {
    builder.View(value, operand, view->offset * BitWidth(format.type) / 8,
                 format);
    return absl::OkStatus();
  }
  const Operand target = builder.Write(value, format);
  return AddCopy(node, builder, *view, operand, PackedView(view->shape),
                 target);
}

absl::Status EmitSelected(const Node& node, PlanBuilder& builder,
                          const StridedView& view) {
  const Shape whole = PlanBuilder::ShapeOf(node.input(0));
  if (view.rank() == whole.rank() &&
      view.shape == PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node))) {
    return EmitBox(node, builder, BoxOf(view, whole));
  }
  Format format = builder.FormatOf(node.input(0));
  format.layout = Layout::kPlanar;
  DOVETAIL_ASSIGN_OR_RETURN(const Operand operand,
                            builder.Read(node.input(0), format));
  return EmitMovedView(node, builder, operand, view);
}

}  // namespace

absl::StatusOr<bool> EmitSlice(const Node& node, PlanBuilder& builder) {
  if (!IsCopied(node.port().type)) return false;
  DOVETAIL_ASSIGN_OR_RETURN(const std::optional<StridedView> view,
                            MovedViewOf(node));
  if (!view) return false;
  DOVETAIL_RETURN_IF_ERROR(EmitSelected(node, builder, *view));
  return true;
}

absl::StatusOr<bool> EmitSplit(const Node& node, PlanBuilder& builder) {
  if (!IsCopied(node.port().type)) return false;
  DOVETAIL_ASSIGN_OR_RETURN(const auto boxes, SplitBoxesOf(node));
  if (!boxes) return false;
  for (int i = 0; i < node.output_count(); ++i) {
    if (node.port(i).uses.empty()) continue;
    DOVETAIL_RETURN_IF_ERROR(EmitBox(node, builder, (*boxes)[i], i));
  }
  return true;
}

}  // namespace dovetail::cpu
