// Convolutions of channels by themselves that make a few of each ("depth
// multiplier"): channels are repeated before, and each makes one. For many
// groups of one channel there are kernels, for groups that make two there are
// mostly not. Of a convolution of integers, integers are repeated.

#include <vector>

#include "dovetail/core/ops/convolution/convolution.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/fusion/common/clone_with.h"
#include "dovetail/transformations/fusion/common/folding.h"
#include "dovetail/transformations/fusion/linear/rules.h"

namespace dovetail {
namespace {

// With more, what a channel makes fills a part of a vector that is worth more
// than to read the channel again and again.
constexpr int64_t kMostOutputs = 4;
// Fewer channels fill no vector.
constexpr int64_t kFewestGroups = 8;
constexpr int64_t kChannelAxis = 1;

bool IsByte(ElementType type) {
  return type == ElementType::kU8 || type == ElementType::kI8;
}

// The data [batch, channels, …] of a convolution, or the integers that they
// are: (integers - zero point), as f32.
struct Data {
  Value values;
  const Node* convert = nullptr;
  Value zero_point;
};

// Whether it is a zero point for all channels, or one for each.
bool IsZeroPoint(Value value, int rank) {
  const Tensor* const tensor = ConstantOf(value);
  if (tensor == nullptr) return false;
  return tensor->element_count() == 1 ||
         (tensor->rank() == rank &&
          tensor->shape()[kChannelAxis] == tensor->element_count());
}

Data DataOf(Value value) {
  Data data;
  Value inner = value;
  if (inner.node->Is("Subtract") &&
      IsZeroPoint(inner.node->input(1), value.shape().rank())) {
    data.zero_point = inner.node->input(1);
    inner = inner.node->input(0);
  }
  const bool is_integer =
      inner.node->Is("Convert") && IsByte(inner.node->input(0).type());
  if (!is_integer) return {value};
  data.convert = inner.node;
  data.values = inner.node->input(0);
  return data;
}

// c0 c1 … c0 c1 …, then c0 c0 … c1 c1 …
Value Repeated(NodeBuilder& b, Value x, int64_t copies) {
  const Value all = b.Concat(std::vector<Value>(copies, x), kChannelAxis);
  return b.Make("ShuffleChannels", {all},
                {{"axis", kChannelAxis}, {"group", copies}});
}

Value RepeatedZeroPoint(NodeBuilder& b, Value zero, int64_t copies) {
  if (ConstantOf(zero)->element_count() == 1) return zero;
  const Value all = Folded(b, "Concat", std::vector<Value>(copies, zero),
                           {{"axis", kChannelAxis}});
  return Folded(b, "ShuffleChannels", {all},
                {{"axis", kChannelAxis}, {"group", copies}});
}

Value Repeated(NodeBuilder& b, const Data& data, int64_t copies) {
  Value values = Repeated(b, data.values, copies);
  if (data.convert != nullptr) {
    values = b.Convert(values, data.convert->port().type);
  }
  if (!data.zero_point) return values;
  return b.Subtract(values, RepeatedZeroPoint(b, data.zero_point, copies));
}

// Constant weights, or the constant integers that they are, in another shape.
Value ReshapedWeights(NodeBuilder& b, Value weights,
                      const std::vector<int64_t>& shape) {
  const Node& node = *weights.node;
  const bool is_integer = node.Is("Convert") && IsByte(node.input(0).type());
  const Value flat = Folded(
      b, "Reshape", {is_integer ? node.input(0) : weights, b.Ints(shape)},
      {{"special_zero", false}});
  return flat && is_integer ? b.Convert(flat, weights.type()) : flat;
}

Replacement OfRepeatedChannels(NodeBuilder& b, const Node& node) {
  const Value weights = node.input(1);
  if (!weights.shape().is_static() || !node.input(0).shape().rank_known()) {
    return {};
  }
  const Shape extents = *weights.shape().ToShape();
  const int64_t groups = extents[0], outputs = extents[1];
  if (extents[2] != 1 || outputs < 2 || outputs > kMostOutputs ||
      groups < kFewestGroups) {
    return {};
  }
  std::vector<int64_t> shape(extents.begin(), extents.end());
  shape[0] = groups * outputs;
  shape[1] = 1;
  const Value flat = ReshapedWeights(b, weights, shape);
  if (!flat) return {};
  const Data data = DataOf(node.input(0));
  return {CloneWith(b, node, {Repeated(b, data, outputs), flat})};
}

constexpr NodeRule kRules[] = {
    {"GroupConvolution", 1, "channels that make a few each, repeated",
     &OfRepeatedChannels},
};

}  // namespace

absl::Span<const NodeRule> MultipliedChannels() { return kRules; }

}  // namespace dovetail
