#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dovetail/transformations/fusion/common/axes.h"
#include "dovetail/transformations/fusion/common/matching.h"
#include "dovetail/transformations/fusion/movement/rules.h"

namespace dovetail {
namespace {

// A Transpose of x in another shape, and reshaped again: all of static shapes,
// from and to four axes or, for shuffling, any number.
struct Reordered {
  Value x;
  std::vector<int64_t> from, parts, to;  // shapes: of x, of it cut up, at last
  AxisOrder order;
};

// Of a value with elements, whose number is known.
std::optional<std::vector<int64_t>> StaticShape(Value value) {
  const auto shape = value.shape().ToShape();
  if (!shape.ok()) return std::nullopt;
  const auto count = shape->ElementCount();
  if (!count.ok() || *count == 0) return std::nullopt;
  return shape->ToVector();
}

std::optional<Reordered> ReorderedOf(const Node& last) {
  const Node* transpose = InnerNode(last.input(0), "Transpose");
  if (transpose == nullptr) return std::nullopt;
  const Node* first = InnerNode(transpose->input(0), "Reshape");
  if (first == nullptr) return std::nullopt;
  const auto order = OrderOf(*transpose);
  const auto from = StaticShape(first->input(0));
  const auto parts = StaticShape(transpose->input(0));
  const auto to = StaticShape(OutputOf(last));
  if (!order || !from || !parts || !to) return std::nullopt;
  return Reordered{first->input(0), *from, *parts, *to, *order};
}

// [..., groups, n, ...] with these two swapped is where the axis was cut.
Replacement Shuffle(NodeBuilder& b, const Node& node) {
  const auto moved = ReorderedOf(node);
  if (!moved || moved->from != moved->to || moved->from.empty() ||
      moved->parts.size() != moved->from.size() + 1) {
    return {};
  }
  size_t axis = 0;
  while (axis < moved->from.size() &&
         moved->order[axis] == static_cast<int64_t>(axis)) {
    ++axis;
  }
  if (axis == moved->from.size()) return {};
  AxisOrder swapped(moved->parts.size());
  std::vector<int64_t> parts = moved->from;
  const int64_t groups = moved->parts[axis];
  if (groups <= 0 || parts[axis] % groups != 0) return {};
  parts[axis] /= groups;
  parts.insert(parts.begin() + axis, groups);
  for (size_t i = 0; i < swapped.size(); ++i) swapped[i] = i;
  std::swap(swapped[axis], swapped[axis + 1]);
  if (parts != moved->parts || swapped != moved->order) return {};
  return {b.Make("ShuffleChannels", {moved->x},
                 {{"axis", static_cast<int64_t>(axis)}, {"group", groups}})};
}

// What a mode of DepthToSpace or SpaceToDepth does, as Reshape and Transpose.
struct BlockMode {
  OpType type;
  const char* mode;
  AxisOrder order;
  std::vector<int> blocks;  // which of the six parts have the blocks' size
};
const std::vector<BlockMode>& BlockModes() {
  static const auto* modes = new std::vector<BlockMode>{
      {"DepthToSpace", "blocks_first", {0, 3, 4, 1, 5, 2}, {1, 2}},
      {"DepthToSpace", "depth_first", {0, 1, 4, 2, 5, 3}, {2, 3}},
      {"SpaceToDepth", "blocks_first", {0, 3, 5, 1, 2, 4}, {3, 5}},
      {"SpaceToDepth", "depth_first", {0, 1, 3, 5, 2, 4}, {3, 5}},
  };
  return *modes;
}

// The parts of [N,C,H,W] that an operation makes.
std::vector<int64_t> PartsOf(const BlockMode& mode,
                             const std::vector<int64_t>& from, int64_t block) {
  const int64_t n = from[0], c = from[1], h = from[2], w = from[3];
  if (mode.blocks[0] == 3) return {n, c, h / block, block, w / block, block};
  const int64_t rest = c / block / block;
  if (mode.blocks[0] == 1) return {n, block, block, rest, h, w};
  return {n, rest, block, block, h, w};
}

std::vector<int64_t> ResultOf(const BlockMode& mode,
                              const std::vector<int64_t>& from,
                              int64_t block) {
  const int64_t n = from[0], c = from[1], h = from[2], w = from[3];
  const bool to_depth = mode.blocks[0] == 3;
  if (to_depth) return {n, c * block * block, h / block, w / block};
  return {n, c / block / block, h * block, w * block};
}

Replacement Blocks(NodeBuilder& b, const Node& node) {
  const auto moved = ReorderedOf(node);
  if (!moved || moved->from.size() != 4 || moved->parts.size() != 6) return {};
  for (const BlockMode& mode : BlockModes()) {
    if (moved->order != mode.order) continue;
    const int64_t block = moved->parts[mode.blocks[0]];
    if (block <= 1 || moved->parts != PartsOf(mode, moved->from, block) ||
        moved->to != ResultOf(mode, moved->from, block)) {
      continue;
    }
    return {b.Make(mode.type, {moved->x},
                   {{"block_size", block}, {"mode", std::string(mode.mode)}})};
  }
  return {};
}

constexpr NodeRule kRules[] = {
    {"Reshape", 1, "groups of channels swapped", &Shuffle},
    {"Reshape", 1, "blocks from or to channels", &Blocks},
};

}  // namespace

absl::Span<const NodeRule> BlockFusions() { return kRules; }

}  // namespace dovetail
