#include "dovetail/backends/cpu/steps/movement/transposes.h"

#include <utility>
#include <vector>

#include "dovetail/backends/cpu/steps/movement/copy_step.h"
#include "dovetail/backends/cpu/steps/movement/moved_view.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/movement/layout/depth_space.h"
#include "dovetail/core/ops/movement/layout/shuffle_channels.h"
#include "dovetail/core/ops/shape_query/broadcast.h"
#include "dovetail/core/ops/shape_query/tile.h"

namespace dovetail::cpu {
namespace {

absl::StatusOr<Operand> ReadIn(PlanBuilder& builder, Value value,
                               Layout layout) {
  Format format = builder.FormatOf(value);
  format.layout = layout;
  return builder.Read(value, format);
}

// The planar elements of input 0 by a view of its packed tensor.
absl::StatusOr<bool> EmitView(const Node& node, PlanBuilder& builder,
                              const StridedView& view) {
  DOVETAIL_ASSIGN_OR_RETURN(
      const Operand operand,
      ReadIn(builder, node.input(0), Layout::kPlanar));
  DOVETAIL_RETURN_IF_ERROR(EmitMovedView(node, builder, operand, view));
  return true;
}

bool MovesChannelsLast(const std::vector<int>& order) {
  const int rank = static_cast<int>(order.size());
  if (rank < 3 || rank > 5 || order[0] != 0 || order[rank - 1] != 1) {
    return false;
  }
  for (int i = 1; i + 1 < rank; ++i) {
    if (order[i] != i + 1) return false;
  }
  return true;
}

}  // namespace

absl::StatusOr<bool> EmitTranspose(const Node& node, PlanBuilder& builder) {
  const auto list = ConstantList(node, 1);
  if (!list || !IsCopied(node.port().type)) return false;
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  std::vector<int> order(list->begin(), list->end());
  if (order.empty()) {
    for (int i = shape.rank() - 1; i >= 0; --i) order.push_back(i);
  }
  Layout layout = builder.FormatOf(node.input(0)).layout;
  if (ChannelBlock(layout) > 1) {
    // The copy that the blocks need anyway is the transposition.
    layout = MovesChannelsLast(order) ? Layout::kChannelsLast
                                      : Layout::kPlanar;
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Operand operand,
                            ReadIn(builder, node.input(0), layout));
  DOVETAIL_RETURN_IF_ERROR(
      EmitMovedView(node, builder, operand,
                    Permuted(ViewInLayout(shape, layout), order)));
  return true;
}

absl::StatusOr<bool> EmitShuffleChannels(const Node& node,
                                         PlanBuilder& builder) {
  const auto* attributes = node.As<ShuffleChannelsAttributes>();
  if (attributes == nullptr || !IsCopied(node.port().type)) return false;
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  DOVETAIL_ASSIGN_OR_RETURN(const int axis,
                            NormalizeAxis(attributes->axis, shape.rank()));
  if (attributes->group < 1) return false;
  const Shape split = {shape.Count(0, axis), attributes->group,
                       shape[axis] / attributes->group,
                       shape.Count(axis + 1, shape.rank())};
  return EmitView(node, builder, Permuted(PackedView(split), {0, 2, 1, 3}));
}

absl::StatusOr<bool> EmitDepthToSpace(const Node& node, PlanBuilder& builder) {
  const auto* attributes = node.As<DepthSpaceAttributes>();
  if (attributes == nullptr || !IsCopied(node.port().type)) return false;
  const bool blocks_first = attributes->mode == DepthSpaceMode::kBlocksFirst;
  const Shape data = PlanBuilder::ShapeOf(node.input(0));
  const Shape result = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node));
  const int spatial = data.rank() - 2;
  Shape split = {data[0]};
  if (!blocks_first) split.push_back(result[1]);
  for (int i = 0; i < spatial; ++i) split.push_back(attributes->block_size);
  if (blocks_first) split.push_back(result[1]);
  for (int i = 0; i < spatial; ++i) split.push_back(data[2 + i]);
  std::vector<int> order = {0, blocks_first ? 1 + spatial : 1};
  for (int i = 0; i < spatial; ++i) {
    order.push_back(2 + spatial + i);
    order.push_back((blocks_first ? 1 : 2) + i);
  }
  return EmitView(node, builder, Permuted(PackedView(split), order));
}

absl::StatusOr<bool> EmitSpaceToDepth(const Node& node, PlanBuilder& builder) {
  const auto* attributes = node.As<DepthSpaceAttributes>();
  if (attributes == nullptr || !IsCopied(node.port().type)) return false;
  const Shape data = PlanBuilder::ShapeOf(node.input(0));
  const int spatial = data.rank() - 2;
  const bool blocks_first = attributes->mode == DepthSpaceMode::kBlocksFirst;
  Shape split = {data[0], data[1]};
  for (int i = 0; i < spatial; ++i) {
    split.push_back(data[2 + i] / attributes->block_size);
    split.push_back(attributes->block_size);
  }
  std::vector<int> order = {0};
  if (!blocks_first) order.push_back(1);
  for (int i = 0; i < spatial; ++i) order.push_back(3 + 2 * i);
  if (blocks_first) order.push_back(1);
  for (int i = 0; i < spatial; ++i) order.push_back(2 + 2 * i);
  return EmitView(node, builder, Permuted(PackedView(split), order));
}

absl::StatusOr<bool> EmitBroadcast(const Node& node, PlanBuilder& builder) {
  const auto* attributes = node.As<BroadcastAttributes>();
  if (attributes == nullptr || !IsCopied(node.port().type)) return false;
  if (attributes->mode != BroadcastMode::kNumpy &&
      attributes->mode != BroadcastMode::kBidirectional) {
    return false;
  }
  const Shape data = PlanBuilder::ShapeOf(node.input(0));
  const Shape result = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node));
  const int more = result.rank() - data.rank();
  if (more < 0) return false;
  const StridedView packed = PackedView(data);
  StridedView view;
  for (int i = 0; i < result.rank(); ++i) {
    const bool broadcasts = i < more || data[i - more] == 1;
    view.AddAxis(result[i], broadcasts ? 0 : packed.strides[i - more]);
  }
  return EmitView(node, builder, view);
}

absl::StatusOr<bool> EmitTile(const Node& node, PlanBuilder& builder) {
  const auto repeats = ConstantList(node, 1);
  if (!repeats || !IsCopied(node.port().type)) return false;
  return EmitView(node, builder,
                  TiledView(PlanBuilder::ShapeOf(node.input(0)), *repeats));
}

}  // namespace dovetail::cpu
