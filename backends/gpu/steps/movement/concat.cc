#include "dovetail/backends/gpu/steps/movement/concat.h"

#include <vector>

#include "dovetail/backends/common/compiler/moved_view.h"
#include "dovetail/backends/gpu/steps/movement/copy.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/movement/joining/concat.h"

namespace dovetail::gpu {
namespace {

// Blocks where at least half of the elements are stored so.
Layout ChooseLayout(const Node& node, const PlanBuilder& builder, int axis) {
  const Layout blocked = Layout::kBlocked16;
  const Shape whole = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node));
  int64_t count = 0;
  for (const Value part : node.inputs()) {
    if (builder.FormatOf(part).layout != blocked) continue;
    count += PlanBuilder::ShapeOf(part).Count();
  }
  return CanHaveLayout(whole, blocked) && 2 * count >= whole.Count() &&
                 ArePartsWhole(node, axis, blocked)
             ? blocked
             : Layout::kPlanar;
}

void AddCopies(const Node& node, PlanBuilder& builder,
               const std::vector<Operand>& parts, int axis,
               const Format& format) {
  const Value value = PlanBuilder::OutputOf(node);
  const Operand target = builder.Write(value, format);
  const StridedView whole =
      PackedView(StoredShape(PlanBuilder::ShapeOf(value), format.layout));
  int64_t begin = 0;
  for (const Operand& part : parts) {
    const StridedView from = PackedView(StoredShape(part.shape, format.layout));
    const int64_t extent = from.shape[axis];
    AddCopy(node, builder, {from, part},
            {Narrowed(whole, axis, begin, extent), target});
    begin += extent;
  }
}

}  // namespace

absl::StatusOr<bool> EmitConcat(const Node& node, PlanBuilder& builder) {
  const auto* attributes = node.As<ConcatAttributes>();
  if (attributes == nullptr || !IsCopied(node.port().type)) return false;
  const Value value = PlanBuilder::OutputOf(node);
  const Shape whole = PlanBuilder::ShapeOf(value);
  DOVETAIL_ASSIGN_OR_RETURN(const int axis,
                            NormalizeAxis(attributes->axis, whole.rank()));
  const Format format = {builder.FormatOf(node.input(0)).type,
                         ChooseLayout(node, builder, axis)};
  std::vector<Operand> parts;
  for (const Value input : node.inputs()) {
    DOVETAIL_ASSIGN_OR_RETURN(Operand part, builder.Read(input, format));
    part.shape = PlanBuilder::ShapeOf(input);
    parts.push_back(part);
  }
  const bool side_by_side =
      StoredShape(whole, format.layout).Count(0, axis) == 1;
  if (side_by_side && builder.ConcatInPlace(value, parts, format)) return true;
  AddCopies(node, builder, parts, axis, format);
  return true;
}

}  // namespace dovetail::gpu
