#include "dovetail/backends/common/compiler/moved_view.h"

#include <utility>

#include "dovetail/backends/common/compiler/plan_builder_base.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/indexing/gather/gather.h"
#include "dovetail/core/ops/movement/layout/depth_space.h"
#include "dovetail/core/ops/movement/layout/reverse.h"
#include "dovetail/core/ops/movement/layout/shuffle_channels.h"
#include "dovetail/core/ops/movement/slicing/slice.h"
#include "dovetail/core/ops/movement/slicing/strided_slice.h"
#include "dovetail/core/ops/shape_query/broadcast.h"
#include "dovetail/core/ops/shape_query/tile.h"

namespace dovetail {
namespace {

using MovedView = absl::StatusOr<std::optional<StridedView>>;

Shape InputShape(const Node& node, int i = 0) {
  return PlanBuilderBase::ShapeOf(node.input(i));
}

Shape OutputShape(const Node& node, int i = 0) {
  return PlanBuilderBase::ShapeOf(PlanBuilderBase::OutputOf(node, i));
}

MovedView Transposed(const Node& node) {
  const auto list = ConstantList(node, 1);
  if (!list) return std::nullopt;
  const Shape shape = InputShape(node);
  std::vector<int> order(list->begin(), list->end());
  if (order.empty()) {
    for (int i = shape.rank() - 1; i >= 0; --i) order.push_back(i);
  }
  return Permuted(PackedView(shape), order);
}

MovedView Shuffled(const Node& node) {
  const auto* attributes = node.As<ShuffleChannelsAttributes>();
  const Shape shape = InputShape(node);
  if (attributes == nullptr || attributes->group < 1) return std::nullopt;
  DOVETAIL_ASSIGN_OR_RETURN(const int axis,
                            NormalizeAxis(attributes->axis, shape.rank()));
  const Shape split = {shape.Count(0, axis), attributes->group,
                       shape[axis] / attributes->group,
                       shape.Count(axis + 1, shape.rank())};
  return Permuted(PackedView(split), {0, 2, 1, 3});
}

MovedView FromDepth(const Node& node) {
  const auto* attributes = node.As<DepthSpaceAttributes>();
  if (attributes == nullptr) return std::nullopt;
  const bool blocks_first = attributes->mode == DepthSpaceMode::kBlocksFirst;
  const Shape data = InputShape(node), result = OutputShape(node);
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
  return Permuted(PackedView(split), order);
}

MovedView ToDepth(const Node& node) {
  const auto* attributes = node.As<DepthSpaceAttributes>();
  if (attributes == nullptr) return std::nullopt;
  const Shape data = InputShape(node);
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
  return Permuted(PackedView(split), order);
}

MovedView BroadcastedInput(const Node& node) {
  return Broadcasted(node, PackedView(InputShape(node)));
}

MovedView Tiled(const Node& node) {
  const auto repeats = ConstantList(node, 1);
  if (!repeats) return std::nullopt;
  return TiledView(InputShape(node), *repeats);
}

MovedView Reversed(const Node& node) {
  const auto* attributes = node.As<ReverseAttributes>();
  const auto axes = ConstantList(node, 1);
  if (attributes == nullptr || !axes) return std::nullopt;
  StridedView view = PackedView(InputShape(node));
  const bool by_mask = attributes->mode == ReverseMode::kMask;
  for (size_t i = 0; i < axes->size(); ++i) {
    if (by_mask && (*axes)[i] == 0) continue;
    DOVETAIL_ASSIGN_OR_RETURN(
        const int axis,
        NormalizeAxis(by_mask ? static_cast<int64_t>(i) : (*axes)[i],
                      view.rank()));
    view.offset += (view.shape[axis] - 1) * view.strides[axis];
    view.strides[axis] = -view.strides[axis];
  }
  return view;
}

MovedView SliceOf(const Node& node) {
  std::vector<int64_t> lists[4];
  for (int i = 0; i < 4; ++i) {
    const auto list = ConstantList(node, i + 1);
    if (!list) return std::nullopt;
    lists[i] = *list;
  }
  return SelectSlices(InputShape(node), lists[0], lists[1], lists[2], lists[3]);
}

MovedView StridedSliceOf(const Node& node) {
  const auto* attributes = node.As<StridedSliceAttributes>();
  const auto begin = ConstantList(node, 1), end = ConstantList(node, 2),
             strides = ConstantList(node, 3);
  if (attributes == nullptr || !begin || !end || !strides) return std::nullopt;
  return SelectStridedSlice(*attributes, InputShape(node), *begin, *end,
                            *strides);
}

// Of an index that is outside of the data the output is 0, which is no element.
MovedView GatheredOne(const Node& node) {
  const auto indices = ConstantList(node, 1), axes = ConstantList(node, 2);
  if (!indices || !axes || indices->size() != 1 || axes->size() != 1) {
    return std::nullopt;
  }
  const auto* attributes = node.As<GatherAttributes>();
  if (attributes != nullptr && attributes->batch_dims != 0) return std::nullopt;
  const Shape whole = InputShape(node);
  DOVETAIL_ASSIGN_OR_RETURN(const int axis,
                            NormalizeAxis((*axes)[0], whole.rank()));
  int64_t index = (*indices)[0];
  if (index < 0 && node.op().version >= 8) index += whole[axis];
  if (index < 0 || index >= whole[axis]) return std::nullopt;
  return Narrowed(PackedView(whole), axis, index, 1);
}

}  // namespace

bool IsCopied(ElementType type) {
  switch (BitWidth(type)) {
    case 8:
    case 16:
    case 32:
    case 64:
      return type != ElementType::kString && type != ElementType::kDynamic;
    default:
      return false;
  }
}

std::optional<std::vector<int64_t>> ConstantList(const Node& node, int input) {
  if (input >= node.input_count() || !node.input(input)) {
    return std::vector<int64_t>();
  }
  const Tensor* tensor = PlanBuilderBase::ConstantOf(node.input(input));
  if (tensor == nullptr) return std::nullopt;
  return ToInt64Vector(*tensor);
}

std::optional<StridedView> Broadcasted(const Node& node,
                                       const StridedView& data) {
  const auto* attributes = node.As<BroadcastAttributes>();
  if (attributes == nullptr) return std::nullopt;
  const Shape result = OutputShape(node);
  std::vector<int> axes =
      ConsecutiveAxes(result.rank() - data.rank(), data.rank());
  if (attributes->mode == BroadcastMode::kPdpd) {
    axes = ConsecutiveAxes(0, data.rank());
  } else if (attributes->mode == BroadcastMode::kExplicit) {
    const auto mapping = ConstantList(node, 2);
    if (!mapping) return std::nullopt;
    axes.assign(mapping->begin(), mapping->end());
  }
  if (static_cast<int>(axes.size()) != data.rank()) return std::nullopt;
  if (data.rank() > result.rank()) return std::nullopt;
  return BroadcastView(data, result, axes);
}

MovedView MovedViewOf(const Node& node) {
  struct Row {
    OpType op;
    MovedView (*view)(const Node&);
  };
  static constexpr Row kRows[] = {
      {"Broadcast", &BroadcastedInput},
      {"DepthToSpace", &FromDepth},
      {"Gather", &GatheredOne},
      {"Reverse", &Reversed},
      {"ShuffleChannels", &Shuffled},
      {"Slice", &SliceOf},
      {"SpaceToDepth", &ToDepth},
      {"StridedSlice", &StridedSliceOf},
      {"Tile", &Tiled},
      {"Transpose", &Transposed},
  };
  for (const Row& row : kRows) {
    if (node.Is(row.op)) return row.view(node);
  }
  return std::nullopt;
}

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

bool IsPacked(const StridedView& view) {
  const StridedView packed = PackedView(view.shape);
  for (int i = 0; i < view.rank(); ++i) {
    if (view.shape[i] != 1 && view.strides[i] != packed.strides[i]) {
      return false;
    }
  }
  return true;
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

absl::StatusOr<std::optional<std::vector<TensorBox>>> SplitBoxesOf(
    const Node& node) {
  const auto axes = ConstantList(node, 1);
  if (!axes || axes->size() != 1) return std::nullopt;
  const Shape whole = InputShape(node);
  DOVETAIL_ASSIGN_OR_RETURN(const int axis,
                            NormalizeAxis((*axes)[0], whole.rank()));
  TensorBox box;
  box.start.assign(whole.rank(), 0);
  box.step.assign(whole.rank(), 1);
  std::vector<TensorBox> boxes;
  for (int i = 0; i < node.output_count(); ++i) {
    box.shape = OutputShape(node, i);
    boxes.push_back(box);
    box.start[axis] += box.shape[axis];
  }
  return boxes;
}

TensorBox BoxOf(const StridedView& view, const Shape& whole) {
  const StridedView packed = PackedView(whole);
  TensorBox box;
  box.shape = view.shape;
  int64_t offset = view.offset;
  for (int i = 0; i < whole.rank(); ++i) {
    box.start.push_back(offset / packed.strides[i]);
    offset %= packed.strides[i];
    box.step.push_back(
        view.shape[i] == 1 ? 1 : view.strides[i] / packed.strides[i]);
  }
  return box;
}

bool ArePartsWhole(const Node& node, int axis, Layout layout) {
  const int64_t block = ChannelBlock(layout);
  if (axis != 1 || block == 1) return true;
  for (int i = 0; i < node.input_count(); ++i) {
    if (InputShape(node, i)[1] % block != 0) return false;
  }
  return true;
}

std::optional<StridedView> StoredView(const TensorBox& box, const Shape& whole,
                                      Layout layout) {
  const int rank = whole.rank();
  const int64_t block = ChannelBlock(layout);
  StridedView view = PackedView(StoredShape(whole, layout));
  for (int axis = 0; axis < rank; ++axis) {
    int64_t start = box.start[axis], extent = box.shape[axis];
    if (axis == 1 && block > 1) {
      if (extent == whole[1]) continue;
      if (start % block != 0 || extent % block != 0 || box.step[1] != 1) {
        return std::nullopt;
      }
      start /= block;
      extent /= block;
    }
    const int stored = StoredAxis(axis, rank, layout);
    view.offset += start * view.strides[stored];
    view.shape[stored] = extent;
    view.strides[stored] *= box.step[axis];
  }
  return view;
}

}  // namespace dovetail
