#include "dovetail/transformations/fusion/attention/rotary_pattern.h"

#include <algorithm>
#include <cstdint>

#include "dovetail/core/ops/movement/joining/concat.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/fusion/common/matching.h"

namespace dovetail {
namespace {

// Half the extent of the last axis; 0 when that is not known or odd.
int64_t HalfOf(Value x) {
  const PartialShape& shape = x.shape();
  if (!shape.rank_known() || shape.rank() == 0) return 0;
  const Dimension& last = shape[shape.rank() - 1];
  return last.is_static() && last.value() % 2 == 0 ? last.value() / 2 : 0;
}

bool IsLastAxis(int64_t axis, Value x) {
  return axis == -1 || axis == x.shape().rank() - 1;
}

// x of elements begin … begin + half - 1 of x's last axis, as Slice has them.
Value InSlice(Value value, bool second, std::vector<const Node*>& nodes) {
  const Node* slice = InnerNode(value, "Slice");
  if (slice == nullptr || slice->input_count() != 5) return Value{};
  const Value x = slice->input(0);
  const int64_t half = HalfOf(x);
  const auto start = KnownInt(slice->input(1));
  const auto stop = KnownInt(slice->input(2));
  const auto step = KnownInt(slice->input(3));
  const auto axis = KnownInt(slice->input(4));
  if (half == 0 || !start || !stop || step != 1 || !axis ||
      !IsLastAxis(*axis, x)) {
    return Value{};
  }
  const bool begins =
      *start == (second ? half : 0) || (second && *start == -half);
  const bool ends =
      second ? *stop >= 2 * half : *stop == half || *stop == -half;
  if (!begins || !ends) return Value{};
  nodes.push_back(slice);
  return x;
}

// x of -x, or of x * -1.
Value InNegative(Value value, std::vector<const Node*>& nodes) {
  const Node* node = InnerNode(value, "Negative");
  if (node == nullptr) {
    node = InnerNode(value, "Multiply");
    const auto scaled =
        node == nullptr ? std::nullopt : OperandAndScalar(*node);
    if (!scaled.has_value() || scaled->number != -1) return Value{};
    nodes.push_back(node);
    return scaled->x;
  }
  nodes.push_back(node);
  return node->input(0);
}

// x of a value that is x with its halves turned.
Value InHalfTurned(Value value, std::vector<const Node*>& nodes) {
  const Node* concat = InnerNode(value, "Concat");
  if (concat == nullptr || concat->input_count() != 2) return Value{};
  const auto* attributes = concat->As<ConcatAttributes>();
  if (attributes == nullptr || !value.shape().rank_known() ||
      !IsLastAxis(attributes->axis, value)) {
    return Value{};
  }
  nodes.push_back(concat);
  const Value second = InNegative(concat->input(0), nodes);
  if (!second) return Value{};
  const Value x = InSlice(second, /*second=*/true, nodes);
  if (!x || InSlice(concat->input(1), /*second=*/false, nodes) != x) {
    return Value{};
  }
  return x;
}

std::optional<RotaryEmbedding> Match(const Node& last, const Node& straight,
                                     const Node& turned) {
  for (int i : {0, 1}) {
    std::vector<const Node*> nodes = {&last, &straight, &turned};
    const Value x = InHalfTurned(turned.input(i), nodes);
    if (!x) continue;
    const Value sin = turned.input(1 - i);
    for (int k : {0, 1}) {
      if (straight.input(k) != x) continue;
      return RotaryEmbedding{x, straight.input(1 - k), sin, std::move(nodes)};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<RotaryEmbedding> MatchRotaryEmbedding(const Node& last) {
  if (!last.Is("Add")) return std::nullopt;
  for (int i : {0, 1}) {
    const Node* straight = InnerNode(last.input(i), "Multiply");
    const Node* turned = InnerNode(last.input(1 - i), "Multiply");
    if (straight == nullptr || turned == nullptr) continue;
    if (auto match = Match(last, *straight, *turned)) return match;
  }
  return std::nullopt;
}

}  // namespace dovetail
