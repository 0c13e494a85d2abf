#include "dovetail/core/reference/movement/layout/blocks.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/strided_view.h"
#include "dovetail/core/ops/movement/layout/depth_space.h"
#include "dovetail/core/ops/movement/layout/shuffle_channels.h"
#include "dovetail/core/reference/common/copy_view.h"

namespace dovetail {
namespace {

// Axis numbers first, first + step, … : `count` of them.
void AddAxes(std::vector<int>& order, int first, int count, int step = 1) {
  for (int i = 0; i < count; ++i) order.push_back(first + i * step);
}

// The data's elements, seen with the extents `split`, in another order.
absl::Status Reorder(const KernelContext& context, const Shape& split,
                     const std::vector<int>& order) {
  return CopyToOutput(context, context.input(0),
                      Permuted(PackedView(split), order));
}

// A box of a shape that begins at `begin` and has the extents of `shape`.
StridedView Box(const Shape& whole, const std::vector<int64_t>& begin,
                const Shape& shape) {
  StridedView view = PackedView(whole);
  for (int axis = 0; axis < whole.rank(); ++axis) {
    view = Narrowed(std::move(view), axis, begin[axis], shape[axis]);
  }
  return view;
}

}  // namespace

absl::Status ShuffleChannelsKernel(KernelContext& context) {
  const auto& attributes = context.attributes<ShuffleChannelsAttributes>();
  const Shape& shape = context.input(0).shape();
  DOVETAIL_ASSIGN_OR_RETURN(const int axis,
                            NormalizeAxis(attributes.axis, shape.rank()));
  return Reorder(context,
                 {shape.Count(0, axis), attributes.group,
                  shape[axis] / attributes.group,
                  shape.Count(axis + 1, shape.rank())},
                 {0, 2, 1, 3});
}

absl::Status DepthToSpaceKernel(KernelContext& context) {
  const auto& attributes = context.attributes<DepthSpaceAttributes>();
  const bool blocks_first = attributes.mode == DepthSpaceMode::kBlocksFirst;
  const Shape& data = context.input(0).shape();
  const int spatial = data.rank() - 2;
  const int64_t depth = context.output(0).shape()[1];
  // [N, C', block…, x…] or [N, block…, C', x…] to [N, C', x, block, x, …].
  Shape split{data[0]};
  if (!blocks_first) split.push_back(depth);
  for (int i = 0; i < spatial; ++i) split.push_back(attributes.block_size);
  if (blocks_first) split.push_back(depth);
  for (int i = 0; i < spatial; ++i) split.push_back(data[2 + i]);
  std::vector<int> order = {0, blocks_first ? 1 + spatial : 1};
  for (int i = 0; i < spatial; ++i) {
    order.push_back(2 + spatial + i);
    order.push_back((blocks_first ? 1 : 2) + i);
  }
  return Reorder(context, split, order);
}

absl::Status SpaceToDepthKernel(KernelContext& context) {
  const auto& attributes = context.attributes<DepthSpaceAttributes>();
  const Shape& data = context.input(0).shape();
  const int spatial = data.rank() - 2;
  // [N, C, x, block, x, block …] to [N, block…, C, x…] or [N, C, block…, x…].
  Shape split{data[0], data[1]};
  for (int i = 0; i < spatial; ++i) {
    split.push_back(data[2 + i] / attributes.block_size);
    split.push_back(attributes.block_size);
  }
  std::vector<int> order = {0};
  const bool blocks_first = attributes.mode == DepthSpaceMode::kBlocksFirst;
  if (!blocks_first) order.push_back(1);
  AddAxes(order, 3, spatial, 2);
  if (blocks_first) order.push_back(1);
  AddAxes(order, 2, spatial, 2);
  return Reorder(context, split, order);
}

absl::Status SpaceToBatchKernel(KernelContext& context) {
  const Tensor& data = context.input(0);
  const Tensor& output = context.output(0);
  const std::vector<int64_t> block = ToInt64Vector(context.input(1));
  const std::vector<int64_t> begin = ToInt64Vector(context.input(2));
  Shape padded_shape = data.shape();
  // [N, x, block, x, block …] to [block…, N, x…].
  Shape split{data.shape()[0]};
  for (int axis = 1; axis < data.rank(); ++axis) {
    padded_shape[axis] = output.shape()[axis] * block[axis];
    split.push_back(output.shape()[axis]);
    split.push_back(block[axis]);
  }
  Tensor padded = data;
  if (padded_shape != data.shape()) {
    DOVETAIL_ASSIGN_OR_RETURN(padded,
                              Tensor::Allocate(data.type(), padded_shape));
    DOVETAIL_RETURN_IF_ERROR(
        CopyView(context, data, PackedView(data.shape()), padded,
                 Box(padded_shape, begin, data.shape())));
  }
  std::vector<int> order;
  AddAxes(order, 2, data.rank() - 1, 2);
  order.push_back(0);
  AddAxes(order, 1, data.rank() - 1, 2);
  return CopyToOutput(context, padded, Permuted(PackedView(split), order));
}

absl::Status BatchToSpaceKernel(KernelContext& context) {
  const Tensor& data = context.input(0);
  const Tensor& output = context.output(0);
  const std::vector<int64_t> block = ToInt64Vector(context.input(1));
  const std::vector<int64_t> begin = ToInt64Vector(context.input(2));
  const int spatial = data.rank() - 1;
  // [block…, N, x…] to [N, x, block, x, block …].
  Shape split, whole_shape{output.shape()[0]};
  for (int i = 0; i < spatial; ++i) split.push_back(block[1 + i]);
  split.push_back(output.shape()[0]);
  for (int i = 0; i < spatial; ++i) {
    split.push_back(data.shape()[1 + i]);
    whole_shape.push_back(data.shape()[1 + i] * block[1 + i]);
  }
  std::vector<int> order = {spatial};
  for (int i = 0; i < spatial; ++i) {
    order.push_back(spatial + 1 + i);
    order.push_back(i);
  }
  if (whole_shape == output.shape()) return Reorder(context, split, order);
  DOVETAIL_ASSIGN_OR_RETURN(
      const Tensor whole,
      Tensor::AllocateUninitialized(data.type(), whole_shape));
  const StridedView from = Permuted(PackedView(split), order);
  DOVETAIL_RETURN_IF_ERROR(
      CopyView(context, data, from, whole, PackedView(from.shape)));
  return CopyToOutput(context, whole,
                      Box(whole_shape, begin, output.shape()));
}

}  // namespace dovetail
