// Convolutions of each channel by itself with windows of one element, of
// quantized weights, whose results are not: products by a number for each
// channel, which sweeps over floats or bytes compute together with what is
// around them.

#include <cstdint>
#include <vector>

#include "dovetail/core/ops/convolution/convolution.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/fusion/linear/rules.h"
#include "dovetail/transformations/fusion/linear/windows.h"

namespace dovetail {
namespace {

// Whether the weights are made of a constant, and none themselves.
bool AreQuantized(Value weights) {
  constexpr int kDepth = 6;
  if (ConstantOf(weights) != nullptr) return false;
  for (int depth = 0; depth < kDepth && weights.node->input_count() > 0;
       ++depth) {
    weights = weights.node->input(0);
    if (ConstantOf(weights) != nullptr) return true;
  }
  return false;
}

// Whether the result, perhaps with constants added or multiplied, is quantized
// again: kernels of integers read and store bytes.
bool IsQuantizedAgain(const Node& node) {
  constexpr int kDepth = 4;
  const Node* at = &node;
  for (int depth = 0; depth < kDepth; ++depth) {
    if (at->port().uses.size() != 1) return false;
    at = at->port().uses[0].node;
    if (at->Is("FakeQuantize")) return true;
    if (at->input_count() != 2 || (ConstantOf(at->input(0)) == nullptr &&
                                   ConstantOf(at->input(1)) == nullptr)) {
      return false;
    }
  }
  return false;
}

// Whether each result is made of the element at its place.
bool KeepsPlaces(const SlidingWindow& window) {
  return AreAll(window.strides, 1) && ListsNoPadding(window);
}

Replacement OfChannels(NodeBuilder& b, const Node& node) {
  const auto* attributes = node.As<ConvolutionAttributes>();
  const auto weights = node.input(1).shape().ToShape();
  if (attributes == nullptr || !weights.ok() ||
      weights->Count(1, weights->rank()) != 1 || !AreQuantized(node.input(1)) ||
      !KeepsPlaces(attributes->window) || IsQuantizedAgain(node)) {
    return {};
  }
  std::vector<int64_t> by_channel(weights->rank() - 1, 1);
  by_channel[1] = (*weights)[0];
  return {b.Multiply(node.input(0), b.ReshapeTo(node.input(1), by_channel))};
}

constexpr NodeRule kRules[] = {
    {"GroupConvolution", 1, "x * a number for each channel", &OfChannels},
};

}  // namespace

absl::Span<const NodeRule> QuantizedChannelScales() { return kRules; }

}  // namespace dovetail
