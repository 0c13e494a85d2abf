#include "dovetail/backends/cpu/steps/views/reshape.h"

#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

// The layout in which both shapes lie in the same order: that of the data where
// batch and channels stay, as where a picture's rows become one.
Layout CommonLayout(const Shape& from, const Shape& to, Layout layout) {
  if (layout == Layout::kPlanar || !CanHaveLayout(from, layout) ||
      !CanHaveLayout(to, layout)) {
    return Layout::kPlanar;
  }
  return from[0] == to[0] && from[1] == to[1] ? layout : Layout::kPlanar;
}

}  // namespace

absl::StatusOr<bool> EmitReshape(const Node& node, PlanBuilder& builder) {
  const Value data = node.input(0), value = PlanBuilder::OutputOf(node);
  Format format = builder.FormatOf(data);
  format.layout = CommonLayout(PlanBuilder::ShapeOf(data),
                               PlanBuilder::ShapeOf(value), format.layout);
  DOVETAIL_ASSIGN_OR_RETURN(const Operand operand, builder.Read(data, format));
  builder.View(value, operand, 0, format);
  return true;
}

}  // namespace dovetail::cpu
