// Convolutions in groups of few channels, for devices that multiply in tiles:
// groups become one until they fill the depth of a tile, with weights of zero
// for the channels of the others. The tile multiplies so many in any case.

#include <cstdint>
#include <vector>

#include "dovetail/core/ops/convolution/convolution.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/common/precise.h"
#include "dovetail/transformations/fusion/common/clone_with.h"
#include "dovetail/transformations/fusion/common/folding.h"
#include "dovetail/transformations/fusion/linear/linear_op.h"
#include "dovetail/transformations/fusion/linear/rules.h"

namespace dovetail {
namespace {

// Of bf16, 64 bytes.
constexpr int64_t kDepth = 32;
// With more channels a group, tiles are as well filled by one (16 x 24
// channels: 0.16 ms, merged 0.19; 32 x 12: 0.19, 0.16; 32 x 4: 0.28, 0.11; 3x3
// windows, Xeon with AMX).
constexpr int64_t kMostChannels = 12;

// How many groups become one.
int64_t MergedGroups(int64_t groups, int64_t channels) {
  for (int64_t merged = kDepth / channels; merged > 1; --merged) {
    if (groups % merged == 0) return merged;
  }
  return 1;
}

// 1 on the diagonal of the axes 1 and 3 of a value of `rank` axes.
Value Diagonal(NodeBuilder& b, ElementType type, int64_t extent, int rank) {
  Shape shape = Shape::Filled(rank, 1);
  shape[1] = shape[3] = extent;
  std::vector<double> numbers(extent * extent, 0);
  for (int64_t i = 0; i < extent; ++i) numbers[i * extent + i] = 1;
  const auto tensor = Tensor::FromDoubles(type, shape, numbers);
  return tensor.ok() ? b.Constant(*tensor) : Value{};
}

// [g, o, i, …] -> [g / merged, merged o, merged i, …], where each of `merged`
// blocks on the diagonal is a group; without the first axis for one group.
Value DiagonalBlocks(NodeBuilder& b, const LinearOp& op, int64_t merged) {
  const Shape& shape = op.weights->shape();
  const int64_t groups = shape[0] / merged;
  std::vector<int64_t> apart = {groups, merged, shape[1], 1, shape[2]};
  std::vector<int64_t> together = {merged * shape[1], merged * shape[2]};
  if (groups > 1) together.insert(together.begin(), groups);
  for (int i = 3; i < shape.rank(); ++i) {
    apart.push_back(shape[i]);
    together.push_back(shape[i]);
  }
  const AttributeList plain = {{"special_zero", false}};
  const Value single =
      Folded(b, "Reshape", {op.node->input(1), b.Ints(apart)}, plain);
  const Value mask =
      Diagonal(b, op.weights->type(), merged, static_cast<int>(apart.size()));
  if (!single || !mask) return Value{};
  const Value blocks = Folded(b, "Multiply", {single, mask});
  if (!blocks) return Value{};
  return Folded(b, "Reshape", {blocks, b.Ints(together)}, plain);
}

Replacement OfMergedGroups(NodeBuilder& b, const Node& node) {
  const auto op = LinearOpOf(node);
  if (!op.has_value() || IsPrecise(node)) return {};
  const Shape& weights = op->weights->shape();
  const int64_t groups = weights[0], channels = weights[2];
  // Channels by themselves have kernels of their own.
  if (weights.Count() == 0 || channels > kMostChannels ||
      (channels == 1 && weights[1] == 1)) {
    return {};
  }
  const int64_t merged = MergedGroups(groups, channels);
  if (merged == 1) return {};
  const Value blocks = DiagonalBlocks(b, *op, merged);
  if (!blocks) return {};
  if (merged < groups) return {CloneWith(b, node, {node.input(0), blocks})};
  return {b.MakeLike("Convolution", {node.input(0), blocks})};
}

constexpr NodeRule kRules[] = {
    {"GroupConvolution", 1, "groups of few channels, merged", &OfMergedGroups},
};

}  // namespace

absl::Span<const NodeRule> MergedGroupsOfFewChannels() { return kRules; }

}  // namespace dovetail
