#include "dovetail/backends/cpu/compiler/channel_moves.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "dovetail/backends/common/compiler/moved_view.h"
#include "dovetail/core/ops/movement/joining/concat.h"
#include "dovetail/core/ops/movement/layout/shuffle_channels.h"

namespace dovetail::cpu {
namespace {

constexpr int kChannelAxis = 1;

Shape ShapeOf(Value value) {
  return value.node->port(value.index).shape.ToShape().value_or(Shape());
}

bool IsPicture(Value value) {
  const Shape shape = ShapeOf(value);
  return shape.rank() >= 3 && shape.rank() <= 5 && shape.Count() > 0;
}

bool IsChannelAxis(int64_t axis, const Node& node) {
  const auto normal = NormalizeAxis(axis, ShapeOf(node.input(0)).rank());
  return normal.ok() && *normal == kChannelAxis;
}

// Some neighbouring channels of a node's first input, or each so many.
struct ChannelRange {
  int64_t start = 0, step = 1;
};

// Nothing where other axes move, too.
std::optional<ChannelRange> RangeOf(const TensorBox& box, const Shape& whole) {
  for (int axis = 0; axis < whole.rank(); ++axis) {
    if (axis == kChannelAxis) continue;
    if (box.start[axis] != 0 || box.shape[axis] != whole[axis]) {
      return std::nullopt;
    }
  }
  return ChannelRange{box.start[kChannelAxis], box.step[kChannelAxis]};
}

// Of all outputs of a Split, Slice and the like.
std::optional<std::vector<ChannelRange>> RangesOf(const Node& node) {
  const Shape whole = ShapeOf(node.input(0));
  std::vector<TensorBox> boxes;
  if (node.Is("Split") || node.Is("VariadicSplit")) {
    const auto parts = SplitBoxesOf(node);
    if (!parts.ok() || !*parts) return std::nullopt;
    boxes = **parts;
  } else {
    const auto view = MovedViewOf(node);
    if (!view.ok() || !*view || (*view)->rank() != whole.rank() ||
        (*view)->shape != ShapeOf({const_cast<Node*>(&node), 0})) {
      return std::nullopt;
    }
    boxes = {BoxOf(**view, whole)};
  }
  std::vector<ChannelRange> ranges;
  for (const TensorBox& box : boxes) {
    const auto range = RangeOf(box, whole);
    if (!range) return std::nullopt;
    ranges.push_back(*range);
  }
  return ranges;
}

// Of a ShuffleChannels: how many channels apart neighbours come from.
int64_t ShuffleStep(const Node& node) {
  return ShapeOf(node.input(0))[kChannelAxis] /
         node.As<ShuffleChannelsAttributes>()->group;
}

bool IsMove(const Node& node) {
  if (node.op().Has(kStructural) || node.input_count() == 0) return false;
  if (!IsCopied(node.port().type) || !IsPicture(node.input(0))) return false;
  if (const auto* concat = node.As<ConcatAttributes>()) {
    return IsChannelAxis(concat->axis, node);
  }
  if (const auto* shuffle = node.As<ShuffleChannelsAttributes>()) {
    return IsChannelAxis(shuffle->axis, node);
  }
  return (node.Is("Split") || node.Is("VariadicSplit") || node.Is("Slice") ||
          node.Is("StridedSlice")) &&
         RangesOf(node).has_value();
}

// Whether it parts channels elsewhere than between blocks.
bool CutsBlocks(const Node& node, int64_t block) {
  if (node.Is("ShuffleChannels")) return ShuffleStep(node) > 1;
  if (node.Is("Concat")) {
    const auto inputs = node.inputs();
    return std::any_of(inputs.begin(), inputs.end() - 1, [&](Value part) {
      return ShapeOf(part)[kChannelAxis] % block != 0;
    });
  }
  const auto ranges = RangesOf(node);
  return std::any_of(ranges->begin(), ranges->end(), [&](ChannelRange range) {
    return range.start % block != 0 || range.step != 1;
  });
}

bool IsConvolution(const Node& node) {
  return node.Is("Convolution") || node.Is("GroupConvolution");
}

// By a convolution, directly or before what keeps its layout.
bool IsMadeByConvolution(Value value) {
  constexpr int kFar = 8;
  for (int i = 0; i < kFar && value && value.node->input_count() > 0; ++i) {
    const Node& node = *value.node;
    if (IsConvolution(node)) return true;
    if (ShapeOf(node.input(0)).rank() != ShapeOf(value).rank()) return false;
    value = node.input(0);
  }
  return false;
}

using Group = std::set<const Node*>;

// The moves that `from` is connected with.
Group Connected(const Node* from, const Group& moves) {
  Group group;
  std::vector<const Node*> left = {from};
  const auto visit = [&](const Node* node) {
    if (moves.count(node) > 0 && group.count(node) == 0) left.push_back(node);
  };
  while (!left.empty()) {
    const Node* const node = left.back();
    left.pop_back();
    if (!group.insert(node).second) continue;
    for (const Value input : node->inputs()) {
      if (input) visit(input.node);
    }
    for (int i = 0; i < node->output_count(); ++i) {
      for (const Use& use : node->port(i).uses) visit(use.node);
    }
  }
  return group;
}

bool IsWorthIt(const Group& group, int64_t block) {
  bool cuts = false, reads_convolutions = false;
  for (const Node* node : group) {
    cuts = cuts || CutsBlocks(*node, block);
    reads_convolutions =
        reads_convolutions || IsMadeByConvolution(node->input(0));
  }
  return cuts && reads_convolutions;
}

MovedChannels AllOf(Value value) {
  MovedChannels channels;
  for (int64_t i = 0; i < ShapeOf(value)[kChannelAxis]; ++i) {
    channels.push_back({value, i});
  }
  return channels;
}

MovedChannels Shuffled(const MovedChannels& channels, int64_t step) {
  MovedChannels shuffled;
  for (int64_t first = 0; first < step; ++first) {
    for (size_t i = first; i < channels.size(); i += step) {
      shuffled.push_back(channels[i]);
    }
  }
  return shuffled;
}

MovedChannels Picked(const MovedChannels& channels, ChannelRange range,
                     int64_t count) {
  MovedChannels picked;
  for (int64_t i = 0; i < count; ++i) {
    picked.push_back(channels[range.start + i * range.step]);
  }
  return picked;
}

}  // namespace

ChannelMoves::ChannelMoves(absl::Span<Node* const> order, int64_t block) {
  // A decoder compiles parts of itself for each token: what cannot have such
  // groups is not searched for them.
  if (std::none_of(order.begin(), order.end(),
                   [](const Node* node) { return IsConvolution(*node); })) {
    return;
  }
  Group moves;
  for (const Node* node : order) {
    if (IsMove(*node)) moves.insert(node);
  }
  while (!moves.empty()) {
    const Group group = Connected(*moves.begin(), moves);
    for (const Node* node : group) moves.erase(node);
    if (IsWorthIt(group, block)) nodes_.insert(group.begin(), group.end());
  }
  for (const Node* node : order) {
    if (Has(*node)) AddChannels(*node);
  }
}

// Those of the nodes before it are known.
void ChannelMoves::AddChannels(const Node& node) {
  MovedChannels channels;
  for (int i = 0; i < (node.Is("Concat") ? node.input_count() : 1); ++i) {
    const Value input = node.input(i);
    const MovedChannels part =
        Has(*input.node) ? ChannelsOf(input) : AllOf(input);
    channels.insert(channels.end(), part.begin(), part.end());
  }
  if (node.Is("Concat")) {
    channels_[{&node, 0}] = std::move(channels);
  } else if (node.Is("ShuffleChannels")) {
    channels_[{&node, 0}] = Shuffled(channels, ShuffleStep(node));
  } else {
    const std::vector<ChannelRange> ranges = *RangesOf(node);
    for (int i = 0; i < node.output_count(); ++i) {
      const Shape shape = node.port(i).shape.ToShape().value_or(Shape());
      channels_[{&node, i}] = Picked(channels, ranges[i], shape[kChannelAxis]);
    }
  }
}

bool ChannelMoves::IsReadByOthers(Value value) const {
  const std::vector<Use>& uses = value.node->port(value.index).uses;
  return std::any_of(uses.begin(), uses.end(),
                     [&](const Use& use) { return !Has(*use.node); });
}

}  // namespace dovetail::cpu
