#include "dovetail/backends/cpu/steps/movement/slices.h"

#include <vector>

#include "dovetail/backends/cpu/steps/movement/copy_step.h"
#include "dovetail/backends/cpu/steps/movement/moved_view.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/indexing/gather/gather.h"
#include "dovetail/core/ops/movement/slicing/slice.h"
#include "dovetail/core/ops/movement/slicing/strided_slice.h"

namespace dovetail::cpu {
namespace {

// A box of a tensor, with steps; the rank stays.
struct Box {
  std::vector<int64_t> start, step;
  Shape shape;
};

// What a view of a packed tensor of `whole` is as a box; it has an axis for
// each of its.
Box BoxOf(const StridedView& view, const Shape& whole) {
  const StridedView packed = PackedView(whole);
  Box box;
  box.shape = view.shape;
  int64_t offset = view.offset;
  for (int i = 0; i < whole.rank(); ++i) {
    box.start.push_back(offset / packed.strides[i]);
    offset %= packed.strides[i];
    box.step.push_back(view.shape[i] == 1
                           ? 1
                           : view.strides[i] / packed.strides[i]);
  }
  return box;
}

// The box in stored axes of the layout; false where it cuts blocks.
bool StoredView(const Box& box, const Shape& whole, Layout layout,
                StridedView& view) {
  const int rank = whole.rank();
  const int64_t block = ChannelBlock(layout);
  view = PackedView(StoredShape(whole, layout));
  for (int axis = 0; axis < rank; ++axis) {
    int64_t start = box.start[axis], extent = box.shape[axis];
    if (axis == 1 && block > 1) {
      if (extent == whole[1]) continue;
      if (start % block != 0 || extent % block != 0 || box.step[1] != 1) {
        return false;
      }
      start /= block;
      extent /= block;
    }
    const int stored = StoredAxis(axis, rank, layout);
    view.offset += start * view.strides[stored];
    view.shape[stored] = extent;
    view.strides[stored] *= box.step[axis];
  }
  return true;
}

bool IsPacked(const StridedView& view) {
  const StridedView packed = PackedView(view.shape);
  for (int i = 0; i < view.rank(); ++i) {
    if (view.shape[i] != 1 && view.strides[i] != packed.strides[i]) {
      return false;
    }
  }
  return true;
}

// Output `output` is a box of input 0, in the layout that it has.
absl::Status EmitBox(const Node& node, PlanBuilder& builder, const Box& box,
                     int output = 0) {
  const Value data = node.input(0);
  const Shape whole = PlanBuilder::ShapeOf(data);
  Format format = builder.FormatOf(data);
  StridedView view;
  if (!StoredView(box, whole, format.layout, view)) {
    format.layout = Layout::kPlanar;
    StoredView(box, whole, format.layout, view);
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Operand operand, builder.Read(data, format));
  const Value value = PlanBuilder::OutputOf(node, output);
  if (IsPacked(view)) {
    builder.View(value, operand, view.offset * BitWidth(format.type) / 8,
                 format);
    return absl::OkStatus();
  }
  const Operand target = builder.Write(value, format);
  return AddCopy(node, builder, view, operand, PackedView(view.shape),
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

// [begin, begin + extent) along an axis.
Box Part(const Shape& whole, int axis, int64_t begin, int64_t extent) {
  Box box;
  box.shape = whole;
  box.start.assign(whole.rank(), 0);
  box.step.assign(whole.rank(), 1);
  box.start[axis] = begin;
  box.shape[axis] = extent;
  return box;
}

}  // namespace

absl::StatusOr<bool> EmitSlice(const Node& node, PlanBuilder& builder) {
  if (!IsCopied(node.port().type)) return false;
  std::vector<int64_t> lists[4];
  for (int i = 0; i < 4; ++i) {
    const auto list = ConstantList(node, i + 1);
    if (!list) return false;
    lists[i] = *list;
  }
  DOVETAIL_ASSIGN_OR_RETURN(
      const StridedView view,
      SelectSlices(PlanBuilder::ShapeOf(node.input(0)), lists[0], lists[1],
                   lists[2], lists[3]));
  DOVETAIL_RETURN_IF_ERROR(EmitSelected(node, builder, view));
  return true;
}

absl::StatusOr<bool> EmitStridedSlice(const Node& node, PlanBuilder& builder) {
  const auto* attributes = node.As<StridedSliceAttributes>();
  if (attributes == nullptr || !IsCopied(node.port().type)) return false;
  const auto begin = ConstantList(node, 1), end = ConstantList(node, 2),
             strides = ConstantList(node, 3);
  if (!begin || !end || !strides) return false;
  DOVETAIL_ASSIGN_OR_RETURN(
      const StridedView view,
      SelectStridedSlice(*attributes, PlanBuilder::ShapeOf(node.input(0)),
                         *begin, *end, *strides));
  DOVETAIL_RETURN_IF_ERROR(EmitSelected(node, builder, view));
  return true;
}

absl::StatusOr<bool> EmitSplit(const Node& node, PlanBuilder& builder) {
  const auto axes = ConstantList(node, 1);
  if (!axes || axes->size() != 1 || !IsCopied(node.port().type)) return false;
  const Shape whole = PlanBuilder::ShapeOf(node.input(0));
  DOVETAIL_ASSIGN_OR_RETURN(const int axis,
                            NormalizeAxis((*axes)[0], whole.rank()));
  int64_t begin = 0;
  for (int i = 0; i < node.output_count(); ++i) {
    const int64_t extent =
        PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node, i))[axis];
    if (!node.port(i).uses.empty()) {
      DOVETAIL_RETURN_IF_ERROR(
          EmitBox(node, builder, Part(whole, axis, begin, extent), i));
    }
    begin += extent;
  }
  return true;
}

absl::StatusOr<bool> EmitGatherOfOne(const Node& node, PlanBuilder& builder) {
  const auto indices = ConstantList(node, 1), axes = ConstantList(node, 2);
  if (!indices || !axes || !IsCopied(node.port().type)) return false;
  if (indices->size() != 1 || axes->size() != 1) return false;
  const auto* attributes = node.As<GatherAttributes>();
  if (attributes != nullptr && attributes->batch_dims != 0) return false;
  const Shape whole = PlanBuilder::ShapeOf(node.input(0));
  DOVETAIL_ASSIGN_OR_RETURN(const int axis,
                            NormalizeAxis((*axes)[0], whole.rank()));
  int64_t index = (*indices)[0];
  if (index < 0 && node.op().version == 8) index += whole[axis];
  if (index < 0 || index >= whole[axis]) return false;
  const Shape list = PlanBuilder::ShapeOf(node.input(1));
  if (list.rank() == 1) {
    DOVETAIL_RETURN_IF_ERROR(
        EmitBox(node, builder, Part(whole, axis, index, 1)));
    return true;
  }
  Format format = builder.FormatOf(node.input(0));
  format.layout = Layout::kPlanar;
  DOVETAIL_ASSIGN_OR_RETURN(const Operand operand,
                            builder.Read(node.input(0), format));
  DOVETAIL_RETURN_IF_ERROR(EmitMovedView(
      node, builder, operand, Narrowed(PackedView(whole), axis, index, 1)));
  return true;
}

}  // namespace dovetail::cpu
