// Convolutions of few outputs over channels that a Concat puts one after the
// other, by windows of one element: each part is multiplied by its weights, and
// the products are added, for devices that would have to copy the parts. So do
// fire modules of SqueezeNet follow each other, some with a pool between them.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/core/ops/movement/joining/concat.h"
#include "dovetail/core/ops/pooling/max_pool.h"
#include "dovetail/core/tensor/shapes/shape.h"
#include "dovetail/transformations/common/precise.h"
#include "dovetail/transformations/fusion/common/clone_with.h"
#include "dovetail/transformations/fusion/common/folding.h"
#include "dovetail/transformations/fusion/common/matching.h"
#include "dovetail/transformations/fusion/linear/linear_op.h"
#include "dovetail/transformations/fusion/linear/rules.h"

namespace dovetail {
namespace {

// Sums of more would be read and written more often.
constexpr int64_t kMostParts = 4;
// Where sums are written once more for each part, and read, this is how many
// times as many channels have to be spared a copy.
constexpr int64_t kFewestInputsAnOutput = 4;

// The channels of each part, if the value has nothing but channels put one
// after the other, and no other reader.
std::optional<std::vector<int64_t>> JoinedChannels(Value data) {
  const Node* concat = InnerNode(data, "Concat");
  if (concat == nullptr || !data.shape().rank_known()) return std::nullopt;
  const auto axis =
      NormalizeAxis(concat->As<ConcatAttributes>()->axis, data.shape().rank());
  if (!axis.ok() || *axis != 1) return std::nullopt;
  std::vector<int64_t> channels;
  for (const Value part : concat->inputs()) {
    if (part.shape().rank() < 2 || !part.shape()[1].is_static() ||
        part.shape()[1].value() == 0) {
      return std::nullopt;
    }
    channels.push_back(part.shape()[1].value());
  }
  return channels;
}

bool IsPointwise(const LinearOp& op) {
  const Shape& weights = op.weights->shape();
  return op.node->Is("Convolution") &&
         std::all_of(weights.begin() + 2, weights.end(),
                     [](int64_t extent) { return extent == 1; });
}

// Weights [o, i, …] of the inputs [begin, end).
Value WeightsOf(NodeBuilder& b, const LinearOp& op, int64_t begin,
                int64_t end) {
  return Folded(b, "Slice",
                {op.node->input(1), b.Ints({begin}), b.Ints({end}), b.Ints({1}),
                 b.Ints({1})});
}

// The bias goes to the first product, as a residual is added before it.
Replacement OfParts(NodeBuilder& b, const Node& node) {
  const auto biased = BiasedLinearOpOf(OutputOf(node));
  if (!biased.has_value() || !biased->bias || !IsPointwise(biased->op)) {
    return {};
  }
  const LinearOp& op = biased->op;
  const auto channels = JoinedChannels(op.node->input(0));
  if (!channels.has_value() || IsPrecise(*op.node)) return {};
  const auto parts = static_cast<int64_t>(channels->size());
  if (parts < 2 || parts > kMostParts ||
      op.outputs * (parts - 1) * kFewestInputsAnOutput > op.inputs) {
    return {};
  }
  Value sum = biased->bias;
  int64_t begin = 0;
  for (int64_t i = 0; i < parts; ++i) {
    const int64_t end = begin + (*channels)[i];
    const Value weights = WeightsOf(b, op, begin, end);
    if (!weights) return {};
    const Value part = op.node->input(0).node->input(static_cast<int>(i));
    sum = b.Add(CloneWith(b, *op.node, {part, weights}), sum);
    begin = end;
  }
  return {sum};
}

// Whether there are fewer results than elements.
bool Shrinks(const Node& node) {
  const auto* first = node.As<MaxPoolAttributes>();
  const auto* later = node.As<MaxPool8Attributes>();
  if (first == nullptr && later == nullptr) return false;
  const auto& strides =
      first != nullptr ? first->window.strides : later->window.strides;
  return std::any_of(strides.begin(), strides.end(),
                     [](int64_t stride) { return stride > 1; });
}

// There is less to be joined behind a pool than before it.
Replacement PoolsOfParts(NodeBuilder& b, const Node& node) {
  const bool has_indices = node.output_count() > 1;
  if (!Shrinks(node) || !JoinedChannels(node.input(0)).has_value() ||
      (has_indices && !node.port(1).uses.empty())) {
    return {};
  }
  const Node& concat = *node.input(0).node;
  if (concat.input_count() > kMostParts) return {};
  std::vector<Value> pooled, indices;
  for (const Value part : concat.inputs()) {
    const std::vector<Value> outputs = CloneAllWith(b, node, {part});
    pooled.push_back(outputs[0]);
    if (has_indices) indices.push_back(outputs[1]);
  }
  Replacement values = {CloneWith(b, concat, pooled)};
  if (has_indices) values.push_back(CloneWith(b, concat, indices));
  return values;
}

constexpr NodeRule kRules[] = {
    {"MaxPool", NodeRule::kAnyVersion, "pools of parts", &PoolsOfParts},
    {"Add", 1, "products of parts, added", &OfParts},
};

}  // namespace

absl::Span<const NodeRule> ConvolutionsOfParts() { return kRules; }

}  // namespace dovetail
