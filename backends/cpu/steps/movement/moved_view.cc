#include "dovetail/backends/cpu/steps/movement/moved_view.h"

#include <utility>

#include "dovetail/backends/cpu/onednn/descriptors.h"
#include "dovetail/backends/cpu/steps/movement/copy_step.h"
#include "dovetail/core/base/checked_math.h"
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

// Without axes of extent 1, with those merged that are one.
StridedView Condensed(const StridedView& view) {
  StridedView result;
  result.offset = view.offset;
  for (int i = 0; i < view.rank(); ++i) {
    const int64_t extent = view.shape[i], stride = view.strides[i];
    if (extent == 1) continue;
    if (result.rank() > 0 && result.strides.back() == extent * stride) {
      result.shape[result.rank() - 1] *= extent;
      result.strides.back() = stride;
      continue;
    }
    result.AddAxis(extent, stride);
  }
  return result;
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
    const bool alike =
        has_axes ? LieAlike(source, wanted)
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

int StoredAxis(int axis, int rank, Layout layout) {
  if (layout != Layout::kChannelsLast || axis == 0) return axis;
  return axis == 1 ? rank - 1 : axis - 1;
}

Shape StoredShape(const Shape& shape, Layout layout) {
  Shape stored = shape;
  if (layout == Layout::kPlanar) return stored;
  const int64_t channels = shape[1];
  if (layout == Layout::kChannelsLast) {
    stored.erase(1);
    stored.push_back(channels);
    return stored;
  }
  const int64_t block = ChannelBlock(layout);
  stored[1] = CeilDivide(channels, block);
  stored.push_back(block);
  return stored;
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

std::optional<std::vector<int64_t>> ConstantList(const Node& node, int input) {
  if (input >= node.input_count() || !node.input(input)) {
    return std::vector<int64_t>();
  }
  const Tensor* tensor = PlanBuilder::ConstantOf(node.input(input));
  if (tensor == nullptr) return std::nullopt;
  return ToInt64Vector(*tensor);
}

}  // namespace dovetail::cpu
