#include <vector>

#include "dovetail/transformations/decompose/arithmetic/rules.h"

namespace dovetail {
namespace {

// One group. Neither knows more of shapes than the other.

Replacement Convolution(NodeBuilder& b, const Node& node) {
  return {b.MakeLike("GroupConvolution",
                     {node.input(0), b.Unsqueeze(node.input(1), {0})})};
}

Replacement BackpropData(NodeBuilder& b, const Node& node) {
  std::vector<Value> inputs = node.inputs();
  inputs[1] = b.Unsqueeze(inputs[1], {0});
  return {b.MakeLike("GroupConvolutionBackpropData", inputs)};
}

constexpr NodeRule kRules[] = {
    {"Convolution", 1, "GroupConvolution of one group", &Convolution},
    {"ConvolutionBackpropData", 1,
     "GroupConvolutionBackpropData of one group", &BackpropData},
};

}  // namespace

absl::Span<const NodeRule> ConvolutionDecompositions() { return kRules; }

}  // namespace dovetail
