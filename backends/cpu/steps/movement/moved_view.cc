#include "dovetail/backends/cpu/steps/movement/moved_view.h"

#include <vector>

#include "dovetail/backends/cpu/onednn/descriptors.h"
#include "dovetail/backends/cpu/steps/movement/copy_step.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

// Whether the elements of both views come in the same order in memory.
bool LieAlike(const StridedView& a, const StridedView& b) {
  if (a.rank() != b.rank()) return false;
  for (int i = 0; i < a.rank(); ++i) {
    if (a.shape[i] != b.shape[i]) return false;
    if (a.shape[i] != 1 && a.strides[i] != b.strides[i]) return false;
  }
  return true;
}

}  // namespace

absl::Status EmitMovedView(const Node& node, PlanBuilder& builder,
                           const Operand& operand, const StridedView& source,
                           int output) {
  const Value value = PlanBuilder::OutputOf(node, output);
  const Shape shape = PlanBuilder::ShapeOf(value);
  const ElementType type = operand.format.type;
  const int64_t bytes = BitWidth(type) / 8;
  const bool has_axes = source.shape == shape;
  for (const Layout layout : {Layout::kPlanar, Layout::kChannelsLast}) {
    if (!CanHaveLayout(shape, layout)) continue;
    // Nobody could make it planar again.
    if (layout != Layout::kPlanar && !OneDnnType(type)) continue;
    const StridedView wanted = ViewInLayout(shape, layout);
    const bool alike = has_axes
                           ? LieAlike(source, wanted)
                           : layout == Layout::kPlanar &&
                                 LieAlike(Condensed(source), Condensed(wanted));
    if (!alike) continue;
    builder.View(value, operand, source.offset * bytes, {type, layout});
    return absl::OkStatus();
  }
  const Operand target = builder.Write(value, {type, Layout::kPlanar});
  return AddCopy(node, builder, source, operand, PackedView(source.shape),
                 target);
}

StridedView ViewInLayout(const Shape& shape, Layout layout) {
  if (layout != Layout::kChannelsLast) return PackedView(shape);
  StridedView view = PackedView(StoredShape(shape, layout));
  std::vector<int> order;
  for (int i = 0; i < shape.rank(); ++i) {
    order.push_back(StoredAxis(i, shape.rank(), layout));
  }
  return Permuted(view, order);
}

}  // namespace dovetail::cpu
