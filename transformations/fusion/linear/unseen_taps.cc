// Windows of far dilations over small images, as the last ones of an atrous
// pyramid: taps that see nothing but padding at any position are left out.

#include <string>
#include <vector>

#include "dovetail/core/ops/common/window.h"
#include "dovetail/core/ops/convolution/convolution.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/fusion/common/clone_with.h"
#include "dovetail/transformations/fusion/common/folding.h"
#include "dovetail/transformations/fusion/linear/rules.h"

namespace dovetail {
namespace {

using Numbers = std::vector<int64_t>;

// The taps of an axis that see an element of the input, one behind the other.
struct SeenTaps {
  int64_t begin = 0, end = 0;
};

// No more are left out than the padding has room for, as it stays a padding,
// and not all of them, as there is no empty kernel.
SeenTaps SeenTapsOf(const WindowAxis& axis) {
  SeenTaps taps = {0, axis.kernel};
  const int64_t last = axis.Begin(axis.output - 1);
  int64_t room = axis.pad_begin;
  while (taps.end - taps.begin > 1 && room >= axis.dilation &&
         last + taps.begin * axis.dilation < 0) {
    room -= axis.dilation;
    ++taps.begin;
  }
  room = axis.pad_end;
  while (taps.end - taps.begin > 1 && room >= axis.dilation &&
         axis.Begin(0) + (taps.end - 1) * axis.dilation >= axis.input) {
    room -= axis.dilation;
    --taps.end;
  }
  return taps;
}

// What weights are, or are converted from: integers stay such.
Value StoredWeights(Value weights) {
  const Node& node = *weights.node;
  return node.Is("Convert") ? node.input(0) : weights;
}

// Makes of `stored` what `weights` are of StoredWeights(weights); marks that
// keep the conversion from being folded stay.
Value WeightsFrom(NodeBuilder& b, Value weights, Value stored) {
  if (!weights.node->Is("Convert")) return stored;
  const Value converted = CloneWith(b, *weights.node, {stored});
  if (converted) converted.node->rt_info() = weights.node->rt_info();
  return converted;
}

// A convolution whose kernel has `leading` axes before the spatial ones.
Replacement WithSeenTaps(NodeBuilder& b, const Node& node, int leading) {
  const auto* attributes = node.As<ConvolutionAttributes>();
  const Value stored = StoredWeights(node.input(1));
  const Tensor* kernel = ConstantOf(stored);
  const PartialShape& data = node.input(0).shape();
  const PartialShape& result = node.port().shape;
  if (attributes == nullptr || kernel == nullptr || !data.is_static() ||
      !result.is_static()) {
    return {};
  }
  Value weights = stored;
  Numbers begins, ends;
  for (int i = 0; i < kernel->shape().rank() - leading; ++i) {
    const int64_t extent = kernel->shape()[leading + i];
    const WindowAxis axis =
        ResolveWindow(attributes->window, i, data[i + 2].value(), extent,
                      result[i + 2].value());
    const SeenTaps taps = SeenTapsOf(axis);
    begins.push_back(axis.pad_begin - taps.begin * axis.dilation);
    ends.push_back(axis.pad_end - (extent - taps.end) * axis.dilation);
    if (taps.begin == 0 && taps.end == extent) continue;
    weights = Folded(b, "Slice",
                     {weights, b.Ints({taps.begin}), b.Ints({taps.end}),
                      b.Ints({1}), b.Ints({leading + i})});
    if (!weights) return {};
  }
  if (weights == stored) return {};
  return {CloneWith(b, node,
                    {node.input(0), WeightsFrom(b, node.input(1), weights)},
                    {{"pads_begin", begins},
                     {"pads_end", ends},
                     {"auto_pad", std::string("explicit")}})};
}

Replacement OfConvolution(NodeBuilder& b, const Node& node) {
  return WithSeenTaps(b, node, 2);
}

Replacement OfGroupConvolution(NodeBuilder& b, const Node& node) {
  return WithSeenTaps(b, node, 3);
}

constexpr NodeRule kRules[] = {
    {"Convolution", 1, "convolution without taps that see padding alone",
     &OfConvolution},
    {"GroupConvolution", 1, "convolution without taps that see padding alone",
     &OfGroupConvolution},
};

}  // namespace

absl::Span<const NodeRule> UnseenTapFusions() { return kRules; }

}  // namespace dovetail
