#include "dovetail/backends/gpu/steps/views/table.h"

#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

absl::StatusOr<bool> EmitReshape(const Node& node, PlanBuilder& builder) {
  const Format format = {builder.FormatOf(node.input(0)).type, Layout::kPlanar};
  DOVETAIL_ASSIGN_OR_RETURN(const Operand operand,
                            builder.Read(node.input(0), format));
  builder.View(PlanBuilder::OutputOf(node), operand, 0, format);
  return true;
}

absl::StatusOr<bool> EmitIdentity(const Node& node, PlanBuilder& builder) {
  DOVETAIL_ASSIGN_OR_RETURN(const Operand operand, builder.Read(node.input(0)));
  builder.View(PlanBuilder::OutputOf(node), operand, 0, operand.format);
  return true;
}

}  // namespace

absl::Span<const EmitterRow> ViewEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"Identity", &EmitIdentity},
      {"Reshape", &EmitReshape},
      {"Squeeze", &EmitReshape},
      {"Unsqueeze", &EmitReshape},
  };
  return kRows;
}

}  // namespace dovetail::gpu
