// Convolutions of channels by themselves that make a few of each ("depth
// multiplier"): channels are repeated before, and each makes one. For many
// groups of one channel there are kernels, for groups that make two there are
// mostly not.

#include <vector>

#include "dovetail/core/ops/convolution/convolution.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/fusion/common/clone_with.h"
#include "dovetail/transformations/fusion/common/folding.h"
#include "dovetail/transformations/fusion/linear/linear_op.h"
#include "dovetail/transformations/fusion/linear/rules.h"

namespace dovetail {
namespace {

// With more, what a channel makes fills a part of a vector that is worth more
// than to read the channel again and again.
constexpr int64_t kMostOutputs = 4;
// Fewer channels fill no vector.
constexpr int64_t kFewestGroups = 8;

Replacement OfRepeatedChannels(NodeBuilder& b, const Node& node) {
  const auto op = LinearOpOf(node);
  if (!op.has_value()) return {};
  const Shape& weights = op->weights->shape();
  const int64_t groups = weights[0], outputs = weights[1];
  if (weights[2] != 1 || outputs < 2 || outputs > kMostOutputs ||
      groups < kFewestGroups) {
    return {};
  }
  std::vector<int64_t> shape(weights.begin(), weights.end());
  shape[0] = groups * outputs;
  shape[1] = 1;
  const Value flat = Folded(b, "Reshape", {node.input(1), b.Ints(shape)},
                            {{"special_zero", false}});
  if (!flat) return {};
  // c0 c1 … c0 c1 …, then c0 c0 … c1 c1 …
  const Value copies =
      b.Concat(std::vector<Value>(outputs, node.input(0)), op->channel_axis);
  const Value repeated =
      b.Make("ShuffleChannels", {copies},
             {{"axis", int64_t{op->channel_axis}}, {"group", outputs}});
  return {CloneWith(b, node, {repeated, flat})};
}

constexpr NodeRule kRules[] = {
    {"GroupConvolution", 1, "channels that make a few each, repeated",
     &OfRepeatedChannels},
};

}  // namespace

absl::Span<const NodeRule> MultipliedChannels() { return kRules; }

}  // namespace dovetail
