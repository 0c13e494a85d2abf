// Convolutions of channels by themselves that make a few of each ("depth
// multiplier"): channels are repeated before, and each makes one. For many
// groups of one channel there are kernels, for groups that make two there are
// mostly not. Of a convolution of integers, integers are repeated.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "dovetail/core/ops/convolution/convolution.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/fusion/common/clone_with.h"
#include "dovetail/transformations/fusion/common/folding.h"
#include "dovetail/transformations/fusion/linear/linear_op.h"
#include "dovetail/transformations/fusion/linear/rules.h"
#include "dovetail/transformations/low_precision/analysis/quantization_params.h"

namespace dovetail {
namespace {

// With more, what a channel makes fills a part of a vector that is worth more
// than to read the channel again and again.
constexpr int64_t kMostOutputs = 4;
// Fewer channels fill no vector.
constexpr int64_t kFewestGroups = 8;
constexpr int64_t kChannelAxis = 1;

// c0 c1 … c0 c1 …, then c0 c0 … c1 c1 …
Value Repeated(NodeBuilder& b, Value x, int64_t copies) {
  const Value all = b.Concat(std::vector<Value>(copies, x), kChannelAxis);
  return b.Make("ShuffleChannels", {all},
                {{"axis", kChannelAxis}, {"group", copies}});
}

// The data of a convolution. Of (integers - zero point), which convolutions of
// integers read, the integers are repeated.
Value RepeatedData(NodeBuilder& b, Value value, int64_t copies) {
  const auto data = MatchDequantization(value);
  if (!data.has_value()) return Repeated(b, value, copies);
  const std::vector<float>& scale = data->params.scale;
  if (std::any_of(scale.begin(), scale.end(), [](float s) { return s != 1; })) {
    return Repeated(b, value, copies);
  }
  const Value floats =
      b.Convert(Repeated(b, data->integers, copies), value.type());
  if (IsSymmetric(data->params)) return floats;
  std::vector<float> zero_points = data->params.zero_point;
  if (zero_points.size() > 1) {
    zero_points.clear();
    for (const float zero_point : data->params.zero_point) {
      zero_points.insert(zero_points.end(), copies, zero_point);
    }
  }
  const int rank = value.shape().rank();
  return b.Subtract(floats, ChannelConstant(b, zero_points, rank));
}

bool AreIntegers(Value weights) {
  const Node& node = *weights.node;
  return node.Is("Convert") && IsByte(node.input(0).type());
}

// Constant weights, or the constant integers that they are, in another shape.
Value ReshapedWeights(NodeBuilder& b, Value weights,
                      const std::vector<int64_t>& shape) {
  const Value stored = AreIntegers(weights) ? weights.node->input(0) : weights;
  const Value flat =
      Folded(b, "Reshape", {stored, b.Ints(shape)}, {{"special_zero", false}});
  return flat ? b.Convert(flat, weights.type()) : flat;
}

Replacement OfRepeatedChannels(NodeBuilder& b, const Node& node) {
  const Value weights = node.input(1);
  if (!AreIntegers(weights) && !LinearOpOf(node).has_value()) return {};
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
  return {CloneWith(b, node, {RepeatedData(b, node.input(0), outputs), flat})};
}

constexpr NodeRule kRules[] = {
    {"GroupConvolution", 1, "channels that make a few each, repeated",
     &OfRepeatedChannels},
};

}  // namespace

absl::Span<const NodeRule> MultipliedChannels() { return kRules; }

}  // namespace dovetail
