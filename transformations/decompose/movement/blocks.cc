#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/core/ops/movement/layout/depth_space.h"
#include "dovetail/core/ops/movement/layout/shuffle_channels.h"
#include "dovetail/core/tensor/shapes/axis_order.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/decompose/movement/rules.h"

namespace dovetail {
namespace {

// All of these split axes in two, change the order of axes, and join them
// again: [N, C, H, W] to [N, C / 4, 2, 2, H, W], and so on.

// ---- DepthToSpace and SpaceToDepth ----

// How [N, blocks, depth, spatial …] or, depth first, [N, depth, blocks,
// spatial …] is ordered as [N, depth, (spatial, block) …]; axes of the former.
std::vector<int64_t> DepthOrder(int spatial, bool blocks_first) {
  const int64_t depth = blocks_first ? 1 + spatial : 1;
  const int64_t block = blocks_first ? 1 : 2;
  std::vector<int64_t> order = {0, depth};
  for (int64_t i = 0; i < spatial; ++i) {
    order.insert(order.end(), {2 + spatial + i, block + i});
  }
  return order;
}

Value Power(NodeBuilder& b, int64_t block, int times) {
  int64_t power = 1;
  for (int i = 0; i < times; ++i) power *= block;
  return b.Ints({power});
}

// How many spatial axes x has; 0 when that is not known, or when
// block ^ spatial is no number of elements at all.
int SpatialRank(Value x, int64_t block) {
  constexpr double kMax = 1e9;
  if (!x.shape().rank_known()) return 0;
  const int spatial = x.shape().rank() - 2;
  double power = 1;
  for (int i = 0; i < spatial; ++i) power *= static_cast<double>(block);
  return spatial >= 1 && power < kMax ? spatial : 0;
}

Replacement DepthToSpace(NodeBuilder& b, const Node& node) {
  const auto& attributes = *node.As<DepthSpaceAttributes>();
  const Value x = b.input(0);
  const int spatial = SpatialRank(x, attributes.block_size);
  if (spatial == 0) return {};
  const bool blocks_first = attributes.mode == DepthSpaceMode::kBlocksFirst;
  const Value block = b.Ints({attributes.block_size});
  const Value depth =
      b.Divide(b.Dim(x, 1), Power(b, attributes.block_size, spatial));
  std::vector<Value> apart(spatial, block);
  apart.insert(blocks_first ? apart.end() : apart.begin(), depth);
  apart.insert(apart.begin(), b.Dim(x, 0));
  apart.push_back(b.Dims(x, 2));
  std::vector<Value> together = {b.Dim(x, 0), depth};
  for (int i = 0; i < spatial; ++i) {
    together.push_back(b.Multiply(b.Dim(x, 2 + i), block));
  }
  const Value blocks = b.Transpose(b.Reshape(x, b.Concat(apart)),
                                   DepthOrder(spatial, blocks_first));
  return {b.Reshape(blocks, b.Concat(together))};
}

Replacement SpaceToDepth(NodeBuilder& b, const Node& node) {
  const auto& attributes = *node.As<DepthSpaceAttributes>();
  const Value x = b.input(0);
  const int spatial = SpatialRank(x, attributes.block_size);
  if (spatial == 0) return {};
  const bool blocks_first = attributes.mode == DepthSpaceMode::kBlocksFirst;
  const Value block = b.Ints({attributes.block_size});
  std::vector<Value> apart = {b.Dim(x, 0), b.Dim(x, 1)};
  std::vector<Value> together = {
      b.Dim(x, 0),
      b.Multiply(b.Dim(x, 1), Power(b, attributes.block_size, spatial))};
  for (int i = 0; i < spatial; ++i) {
    const Value extent = b.Divide(b.Dim(x, 2 + i), block);
    apart.insert(apart.end(), {extent, block});
    together.push_back(extent);
  }
  const Value blocks =
      b.Transpose(b.Reshape(x, b.Concat(apart)),
                  InverseOrder(DepthOrder(spatial, blocks_first)));
  return {b.Reshape(blocks, b.Concat(together))};
}

// ---- ShuffleChannels ----

Replacement ShuffleChannels(NodeBuilder& b, const Node& node) {
  const auto& attributes = *node.As<ShuffleChannelsAttributes>();
  const Value x = b.input(0);
  if (!x.shape().rank_known()) return {};
  const int rank = x.shape().rank();
  const int axis = static_cast<int>(
      attributes.axis < 0 ? attributes.axis + rank : attributes.axis);
  const Value groups = b.Ints({attributes.group});
  std::vector<Value> apart;
  std::vector<int64_t> order;
  for (int i = 0; i <= rank; ++i) order.push_back(i);
  std::swap(order[axis], order[axis + 1]);
  for (int i = 0; i < rank; ++i) {
    if (i != axis) {
      apart.push_back(b.Dim(x, i));
      continue;
    }
    apart.insert(apart.end(), {groups, b.Divide(b.Dim(x, i), groups)});
  }
  const Value grouped = b.Reshape(x, b.Concat(apart));
  return {b.Reshape(b.Transpose(grouped, order), b.ShapeOf(x))};
}

// ---- SpaceToBatch and BatchToSpace ----

// The extents of a block, one an axis, of which the batch has 1.
std::optional<std::vector<int64_t>> BlockShape(const Node& node) {
  const auto block = KnownInts(node.input(1));
  const PartialShape& shape = node.input(0).shape();
  if (!block || !shape.rank_known() ||
      static_cast<int>(block->size()) != shape.rank() || block->empty()) {
    return std::nullopt;
  }
  double product = 1;
  for (int64_t extent : *block) product *= static_cast<double>(extent);
  const bool fits = product >= 1 && product < 1e9 && block->front() == 1;
  return fits ? block : std::nullopt;
}

Value ProductOf(NodeBuilder& b, const std::vector<int64_t>& block) {
  int64_t product = 1;
  for (int64_t extent : block) product *= extent;
  return b.Ints({product});
}

// [block …, batch, extents …] of the blocks' axes as [batch, (extent, block) …]
std::vector<int64_t> BatchOrder(int blocks) {
  std::vector<int64_t> order = {blocks};
  for (int64_t i = 0; i < blocks; ++i) {
    order.insert(order.end(), {blocks + 1 + i, i});
  }
  return order;
}

Replacement SpaceToBatch(NodeBuilder& b, const Node& node) {
  const auto block = BlockShape(node);
  if (!block) return {};
  const Value x = b.Make("Pad", {b.input(0), node.input(2), node.input(3)},
                         {{"pad_mode", "constant"}});
  const int blocks = static_cast<int>(block->size()) - 1;
  std::vector<Value> apart = {b.Dim(x, 0)};
  std::vector<Value> together = {
      b.Multiply(b.Dim(x, 0), ProductOf(b, *block))};
  for (int i = 1; i <= blocks; ++i) {
    const Value extent = b.Ints({(*block)[i]});
    const Value rest = b.Divide(b.Dim(x, i), extent);
    apart.insert(apart.end(), {rest, extent});
    together.push_back(rest);
  }
  const Value ordered = b.Transpose(b.Reshape(x, b.Concat(apart)),
                                    InverseOrder(BatchOrder(blocks)));
  return {b.Reshape(ordered, b.Concat(together))};
}

// Cuts crops_begin and crops_end elements off at the ends of all axes.
Value Crop(NodeBuilder& b, Value x, Value begin, Value end) {
  const Value start = b.Convert(begin, ElementType::kI64);
  const Value stop =
      b.Subtract(b.ShapeOf(x), b.Convert(end, ElementType::kI64));
  const std::vector<int64_t> ones(x.shape().rank(), 1);
  return b.Make("Slice", {x, start, stop, b.Ints(ones)});
}

Replacement BatchToSpace(NodeBuilder& b, const Node& node) {
  const auto block = BlockShape(node);
  if (!block) return {};
  const Value x = b.input(0);
  const int blocks = static_cast<int>(block->size()) - 1;
  const Value batch = b.Divide(b.Dim(x, 0), ProductOf(b, *block));
  std::vector<Value> apart, together = {batch};
  for (int i = 1; i <= blocks; ++i) {
    const Value extent = b.Ints({(*block)[i]});
    apart.push_back(extent);
    together.push_back(b.Multiply(b.Dim(x, i), extent));
  }
  apart.push_back(batch);
  if (blocks > 0) apart.push_back(b.Dims(x, 1));
  const Value ordered =
      b.Transpose(b.Reshape(x, b.Concat(apart)), BatchOrder(blocks));
  return {Crop(b, b.Reshape(ordered, b.Concat(together)), node.input(2),
               node.input(3))};
}

constexpr absl::string_view kFormula = "Reshape, Transpose, Reshape";

constexpr NodeRule kRules[] = {
    {"BatchToSpace", 1, "Reshape, Transpose, Reshape, Slice", &BatchToSpace},
    {"DepthToSpace", 0, kFormula, &DepthToSpace},
    {"ShuffleChannels", 0, kFormula, &ShuffleChannels},
    {"SpaceToBatch", 1, "Pad, Reshape, Transpose, Reshape", &SpaceToBatch},
    {"SpaceToDepth", 0, kFormula, &SpaceToDepth},
};

}  // namespace

absl::Span<const NodeRule> BlockDecompositions() { return kRules; }

}  // namespace dovetail
