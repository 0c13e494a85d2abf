#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/core/ops/indexing/gather/gather.h"
#include "dovetail/core/tensor/shapes/axis_order.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/fusion/common/clone_with.h"
#include "dovetail/transformations/fusion/common/matching.h"
#include "dovetail/transformations/fusion/movement/elementwise.h"
#include "dovetail/transformations/fusion/movement/rules.h"

namespace dovetail {
namespace {

using Numbers = std::vector<int64_t>;

constexpr int64_t kMaxChannels = 64;  // of a picture there are three
constexpr int kMaxSteps = 16;

// A node between the Gather and the convolution, and the axis of the channels
// in what it gives.
struct StepBetween {
  const Node* node;
  int data;  // the input that is on the way
  int axis;
};

struct Reordered {
  Value x;        // of the Gather
  Numbers order;  // channel i of what it gives is channel order[i] of x
  std::vector<StepBetween> steps;  // the last one first
};

bool IsPermutation(Numbers order) {
  std::sort(order.begin(), order.end());
  for (size_t i = 0; i < order.size(); ++i) {
    if (order[i] != static_cast<int64_t>(i)) return false;
  }
  return !order.empty() && order.size() <= kMaxChannels;
}

// The order in which the Gather puts the channels; nothing where it does
// something else.
std::optional<Numbers> OrderOf(const Node& gather, int axis) {
  const auto* attributes = gather.As<GatherAttributes>();
  if (attributes != nullptr && attributes->batch_dims != 0) return std::nullopt;
  const PartialShape& x = gather.input(0).shape();
  const auto order = ConstantInts(gather.input(1));
  auto along = ConstantInts(gather.input(2));
  if (!x.rank_known() || !order.has_value() || !along.has_value() ||
      along->size() != 1 || gather.input(1).shape().rank() != 1) {
    return std::nullopt;
  }
  if (along->front() < 0) along->front() += x.rank();
  if (along->front() != axis || !IsPermutation(*order) ||
      x[axis] != Dimension(static_cast<int64_t>(order->size()))) {
    return std::nullopt;
  }
  return order;
}

// The input of the step that is on the way; -1: there is no way through it.
int DataOf(const Node& node) {
  if (node.output_count() != 1) return -1;
  if (node.Is("Transpose") || IsUnaryElementwise(node)) return 0;
  if (!IsBinaryElementwise(node)) return -1;
  for (int i = 0; i < 2; ++i) {
    const Value constant = node.input(1 - i), data = node.input(i);
    if (ConstantOf(constant) != nullptr && data.shape().rank_known() &&
        constant.shape().rank() <= data.shape().rank()) {
      return i;
    }
  }
  return -1;
}

// From the convolution's input up to a Gather, through nodes that nobody else
// reads.
std::optional<Reordered> ReorderedBefore(Value value) {
  int axis = 1;
  Reordered found;
  for (int i = 0; i < kMaxSteps && IsReadOnce(value); ++i) {
    const Node& node = *value.node;
    if (node.Is("Gather")) {
      const auto order = OrderOf(node, axis);
      if (!order.has_value()) return std::nullopt;
      found.x = node.input(0);
      found.order = *order;
      return found;
    }
    const int data = DataOf(node);
    if (data < 0) return std::nullopt;
    found.steps.push_back({&node, data, axis});
    if (node.Is("Transpose")) {
      const auto order = ConstantInts(node.input(1));
      if (!order.has_value() || static_cast<size_t>(axis) >= order->size()) {
        return std::nullopt;
      }
      axis = static_cast<int>((*order)[axis]);
    }
    value = node.input(data);
  }
  return std::nullopt;
}

// A constant beside data of `rank` axes whose channels are not gathered.
Value Unordered(NodeBuilder& b, Value constant, int rank, int axis,
                const Numbers& inverse) {
  const int own = axis - (rank - constant.shape().rank());
  if (own < 0 || constant.shape()[own] == Dimension(1)) return constant;
  return b.Gather(constant, b.Ints(inverse), own);
}

Value Again(NodeBuilder& b, const StepBetween& step, Value data,
            const Numbers& inverse) {
  std::vector<Value> inputs = step.node->inputs();
  const int rank = inputs[step.data].shape().rank();
  inputs[step.data] = data;
  if (inputs.size() == 2 && !step.node->Is("Transpose")) {
    Value& constant = inputs[1 - step.data];
    constant = Unordered(b, constant, rank, step.axis, inverse);
  }
  return CloneWith(b, *step.node, inputs);
}

// Weights take their channels in the order in which they are.
Replacement IntoWeights(NodeBuilder& b, const Node& node) {
  if (ConstantOf(node.input(1)) == nullptr) return {};
  const auto reordered = ReorderedBefore(node.input(0));
  if (!reordered.has_value()) return {};
  const Numbers& order = reordered->order;
  if (node.input(1).shape()[1] !=
      Dimension(static_cast<int64_t>(order.size()))) {
    return {};
  }
  const Numbers inverse = InverseOrder(order);
  Value x = reordered->x;
  for (auto it = reordered->steps.rbegin(); it != reordered->steps.rend();
       ++it) {
    x = Again(b, *it, x, inverse);
  }
  std::vector<Value> inputs = node.inputs();
  inputs[0] = x;
  inputs[1] = b.Gather(inputs[1], b.Ints(inverse), 1);
  return {CloneWith(b, node, inputs)};
}

constexpr NodeRule kRules[] = {
    {"Convolution", 1, "convolution of channels in another order",
     &IntoWeights},
};

}  // namespace

absl::Span<const NodeRule> ChannelOrderFusions() { return kRules; }

}  // namespace dovetail
