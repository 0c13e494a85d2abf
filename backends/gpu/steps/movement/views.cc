#include "dovetail/backends/gpu/steps/movement/views.h"

#include <optional>
#include <utility>
#include <vector>

#include "dovetail/backends/common/compiler/moved_view.h"
#include "dovetail/backends/gpu/steps/movement/copy.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/movement/slicing/slice.h"

namespace dovetail::gpu {
namespace {

// Output `output` of the node has the elements of the view of input 0, in the
// order of its axes, which are as `format` has them for the output.
absl::Status EmitPlace(const Node& node, PlanBuilder& builder, Place from,
                       const Format& format, int output = 0) {
  const Value value = PlanBuilder::OutputOf(node, output);
  if (IsPacked(Condensed(from.view))) {
    builder.View(value, from.operand,
                 from.view.offset * BitWidth(format.type) / 8, format);
    return absl::OkStatus();
  }
  Place to = {PackedView(from.view.shape), builder.Write(value, format)};
  AddCopy(node, builder, std::move(from), std::move(to));
  return absl::OkStatus();
}

// Output `output` is a box of input 0, in the layout that it has if no blocks
// are cut.
absl::Status EmitBox(const Node& node, PlanBuilder& builder,
                     const TensorBox& box, int output = 0) {
  const Shape whole = PlanBuilder::ShapeOf(node.input(0));
  Format format = builder.FormatOf(node.input(0));
  std::optional<StridedView> view = StoredView(box, whole, format.layout);
  if (!view) {
    format.layout = Layout::kPlanar;
    view = StoredView(box, whole, format.layout);
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Operand operand,
                            builder.Read(node.input(0), format));
  return EmitPlace(node, builder, {*view, operand}, format, output);
}

// Whether a view of the operation's input is a box of it, whose axes are those
// of the output.
bool IsBox(const Node& node, const StridedView& view) {
  if (!node.Is("Slice") && !node.Is("StridedSlice") && !node.Is("Gather")) {
    return false;
  }
  return view.rank() == PlanBuilder::ShapeOf(node.input(0)).rank() &&
         view.shape == PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node));
}

// Input 0 of a Transpose, whose channels fill blocks, in the output's order:
// the copy that the blocks need anyway is the transposition.
std::optional<StridedView> TransposedBlocks(const Node& node, Layout layout) {
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  const int64_t block = ChannelBlock(layout);
  const auto list = ConstantList(node, 1);
  if (!node.Is("Transpose") || block == 1 || shape[1] % block != 0 || !list ||
      list->empty()) {
    return std::nullopt;
  }
  std::vector<int> order;
  for (const int64_t axis : *list) {
    order.push_back(static_cast<int>(axis));
    if (axis == 1) order.push_back(shape.rank());
  }
  return Permuted(PackedView(StoredShape(shape, layout)), order);
}

}  // namespace

absl::StatusOr<bool> EmitMovedView(const Node& node, PlanBuilder& builder) {
  if (!IsCopied(node.port().type)) return false;
  DOVETAIL_ASSIGN_OR_RETURN(const std::optional<StridedView> view,
                            MovedViewOf(node));
  if (!view) return false;
  if (IsBox(node, *view)) {
    const Shape whole = PlanBuilder::ShapeOf(node.input(0));
    DOVETAIL_RETURN_IF_ERROR(EmitBox(node, builder, BoxOf(*view, whole)));
    return true;
  }
  const Format stored = builder.FormatOf(node.input(0));
  const Format planar = {stored.type, Layout::kPlanar};
  const auto blocks = TransposedBlocks(node, stored.layout);
  DOVETAIL_ASSIGN_OR_RETURN(
      const Operand operand,
      builder.Read(node.input(0), blocks ? stored : planar));
  DOVETAIL_RETURN_IF_ERROR(
      EmitPlace(node, builder, {blocks ? *blocks : *view, operand}, planar));
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

absl::StatusOr<bool> EmitSliceScatter(const Node& node, PlanBuilder& builder) {
  if (!IsCopied(node.port().type)) return false;
  std::vector<int64_t> lists[4];
  for (int i = 0; i < 4; ++i) {
    const auto list = ConstantList(node, i + 2);
    if (!list) return false;
    lists[i] = *list;
  }
  const Value value = PlanBuilder::OutputOf(node);
  const Shape shape = PlanBuilder::ShapeOf(value);
  DOVETAIL_ASSIGN_OR_RETURN(
      const StridedView slice,
      SelectSlices(shape, lists[0], lists[1], lists[2], lists[3]));
  const Format format = {builder.FormatOf(node.input(0)).type, Layout::kPlanar};
  DOVETAIL_ASSIGN_OR_RETURN(const Operand data,
                            builder.Read(node.input(0), format));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand updates,
                            builder.Read(node.input(1), format));
  const Operand target = builder.Write(value, format);
  AddCopy(node, builder, {PackedView(shape), data},
          {PackedView(shape), target});
  AddCopy(node, builder, {PackedView(slice.shape), updates}, {slice, target});
  return true;
}

}  // namespace dovetail::gpu
