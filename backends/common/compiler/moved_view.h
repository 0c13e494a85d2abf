// Operations whose output is a regular selection of their input's elements, as
// views of that input, and how such views lie in a layout.
#ifndef DOVETAIL_BACKENDS_COMMON_COMPILER_MOVED_VIEW_H_
#define DOVETAIL_BACKENDS_COMMON_COMPILER_MOVED_VIEW_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/backends/common/compiler/layout.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/ops/common/strided_view.h"

namespace dovetail {

// Whether elements of the type are whole bytes without a meaning of their own.
bool IsCopied(ElementType type);

// The elements of a constant input, none where there is no such input; nothing
// when it is computed.
std::optional<std::vector<int64_t>> ConstantList(const Node& node, int input);

// Where a Broadcast finds its elements when those of its input 0 are `data`, in
// that input's axes; nothing where the axes are computed.
std::optional<StridedView> Broadcasted(const Node& node,
                                       const StridedView& data);

// Where output 0 of a Transpose, ShuffleChannels, DepthToSpace, SpaceToDepth,
// Broadcast, Tile, Reverse, Slice, StridedSlice or Gather of one constant index
// finds its elements in a packed input 0: a view that has them in C order, but
// perhaps with other axes. Nothing for other operations, and where that is not
// known before an inference.
absl::StatusOr<std::optional<StridedView>> MovedViewOf(const Node& node);

// Without axes of extent 1, with those merged that are one.
StridedView Condensed(const StridedView& view);
// Whether the elements lie side by side, from the view's offset on.
bool IsPacked(const StridedView& view);

// Axis `axis` of a tensor in a layout, as an axis of StoredShape.
int StoredAxis(int axis, int rank, Layout layout);
// The extents of a tensor in the order of memory, outermost first; blocks of
// channels are the last axis.
Shape StoredShape(const Shape& shape, Layout layout);

// A box of a tensor, with steps; the rank stays.
struct TensorBox {
  std::vector<int64_t> start, step;
  Shape shape;
};

// What each output of a Split or VariadicSplit is of input 0; nothing where the
// axis is computed.
absl::StatusOr<std::optional<std::vector<TensorBox>>> SplitBoxesOf(
    const Node& node);
// What a view of a packed tensor of `whole` is as a box; it has an axis for
// each of its.
TensorBox BoxOf(const StridedView& view, const Shape& whole);

// Whether all inputs of a node, which are parts along an axis of its output,
// are whole blocks of the layout.
bool ArePartsWhole(const Node& node, int axis, Layout layout);

// The box in stored axes of the layout; nothing where it cuts blocks.
std::optional<StridedView> StoredView(const TensorBox& box, const Shape& whole,
                                      Layout layout);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_COMPILER_MOVED_VIEW_H_
