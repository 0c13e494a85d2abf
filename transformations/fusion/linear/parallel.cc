// Branches of a block that are added: convolutions of one input, and the input
// itself times a number for each channel, are one convolution. So are blocks
// written that are trained with branches, such as those of RepVGG.

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "dovetail/core/ops/convolution/convolution.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/fusion/common/clone_with.h"
#include "dovetail/transformations/fusion/common/folding.h"
#include "dovetail/transformations/fusion/common/matching.h"
#include "dovetail/transformations/fusion/linear/linear_op.h"
#include "dovetail/transformations/fusion/linear/rules.h"

namespace dovetail {
namespace {

using Numbers = std::vector<int64_t>;

// One axis of a window.
struct Axis {
  int64_t kernel = 1, stride = 1, dilation = 1, pad_begin = 0, pad_end = 0;

  // From the first tap to the last.
  int64_t reach() const { return (kernel - 1) * dilation; }
  // By how much an input is longer than the windows' first taps need.
  int64_t slack() const { return pad_begin + pad_end - reach(); }
};

// What is computed of an input: a convolution of constant weights and a bias.
struct Branch {
  Value weights;
  std::vector<Axis> axes;
  Value bias;  // empty without one
};

// Axes of weights before the spatial ones.
int LeadingAxes(const Node& convolution) {
  return convolution.Is("GroupConvolution") ? 3 : 2;
}

// Nothing where paddings depend on the extent of the input.
std::optional<std::vector<Axis>> AxesOf(const Node& convolution,
                                        const Shape& weights) {
  const auto* attributes = convolution.As<ConvolutionAttributes>();
  if (attributes == nullptr) return std::nullopt;
  const SlidingWindow& window = attributes->window;
  const bool is_explicit = window.auto_pad == AutoPad::kExplicit;
  if (!is_explicit && window.auto_pad != AutoPad::kValid) return std::nullopt;
  const auto number = [](const Numbers& list, size_t i, int64_t otherwise) {
    return i < list.size() ? list[i] : otherwise;
  };
  const int leading = LeadingAxes(convolution);
  std::vector<Axis> axes(weights.rank() - leading);
  for (size_t i = 0; i < axes.size(); ++i) {
    axes[i].kernel = weights[leading + static_cast<int>(i)];
    axes[i].stride = number(window.strides, i, 1);
    axes[i].dilation = number(window.dilations, i, 1);
    if (!is_explicit) continue;
    axes[i].pad_begin = number(window.pads_begin, i, 0);
    axes[i].pad_end = number(window.pads_end, i, 0);
  }
  return axes;
}

// The axis of a window that has the taps of both.
std::optional<Axis> Joined(const Axis& a, const Axis& b) {
  Axis axis;
  axis.stride = a.stride;
  axis.dilation = a.kernel == 1 ? b.dilation : a.dilation;
  const bool are_alike =
      a.kernel == 1 || b.kernel == 1 || a.dilation == b.dilation;
  if (a.stride != b.stride || a.slack() != b.slack() || !are_alike ||
      (a.pad_begin - b.pad_begin) % axis.dilation != 0) {
    return std::nullopt;
  }
  axis.pad_begin = std::max(a.pad_begin, b.pad_begin);
  const int64_t last =
      std::max(a.reach() - a.pad_begin, b.reach() - b.pad_begin);
  axis.kernel = (last + axis.pad_begin) / axis.dilation + 1;
  axis.pad_end = a.slack() + axis.reach() - axis.pad_begin;
  if (axis.pad_begin < 0 || axis.pad_end < 0) return std::nullopt;
  // Else there are more taps than both have, perhaps too many to be counted.
  if (axis.kernel > a.kernel + b.kernel) return std::nullopt;
  return axis;
}

int64_t TapsOf(const std::vector<Axis>& axes) {
  return std::accumulate(
      axes.begin(), axes.end(), int64_t{1},
      [](int64_t taps, const Axis& axis) { return taps * axis.kernel; });
}

// Nothing where they do not fit, or would have more taps than both.
std::optional<std::vector<Axis>> Joined(const std::vector<Axis>& a,
                                        const std::vector<Axis>& b) {
  if (a.size() != b.size()) return std::nullopt;
  std::vector<Axis> joined;
  for (size_t i = 0; i < a.size(); ++i) {
    const auto axis = Joined(a[i], b[i]);
    if (!axis.has_value()) return std::nullopt;
    joined.push_back(*axis);
  }
  if (TapsOf(joined) > TapsOf(a) + TapsOf(b)) return std::nullopt;
  return joined;
}

// The weights of a branch with zeros for the other taps of a window.
Value WeightsIn(NodeBuilder& b, const Branch& branch,
                const std::vector<Axis>& window) {
  if (TapsOf(branch.axes) == TapsOf(window)) return branch.weights;
  const int rank = ConstantOf(branch.weights)->rank();
  Numbers before(rank, 0), behind(rank, 0);
  const size_t leading = rank - window.size();
  for (size_t i = 0; i < window.size(); ++i) {
    const Axis& part = branch.axes[i];
    before[leading + i] =
        (window[i].pad_begin - part.pad_begin) / window[i].dilation;
    behind[leading + i] = window[i].kernel - part.kernel - before[leading + i];
  }
  return Folded(b, "Pad", {branch.weights, b.Ints(before), b.Ints(behind)},
                {{"pad_mode", std::string("constant")}});
}

// Of the biases of both.
Value SumOf(NodeBuilder& b, Value first, Value second) {
  if (!first || !second) return first ? first : second;
  return Folded(b, "Add", {first, second});
}

// `convolution` with what another branch adds to it.
Replacement WithBranch(NodeBuilder& b, const BiasedLinearOp& convolution,
                       const Branch& other) {
  const Node& node = *convolution.op.node;
  const auto axes = AxesOf(node, convolution.op.weights->shape());
  if (!axes.has_value()) return {};
  const auto window = Joined(*axes, other.axes);
  if (!window.has_value()) return {};
  const Branch own = {node.input(1), *axes, convolution.bias};
  const Value weights =
      SumOf(b, WeightsIn(b, own, *window), WeightsIn(b, other, *window));
  const Value bias = SumOf(b, own.bias, other.bias);
  if (!weights || (!bias && (own.bias || other.bias))) return {};
  Numbers dilations, pads_begin, pads_end;
  for (const Axis& axis : *window) {
    dilations.push_back(axis.dilation);
    pads_begin.push_back(axis.pad_begin);
    pads_end.push_back(axis.pad_end);
  }
  const Value sum = CloneWith(b, node, {node.input(0), weights},
                              {{"dilations", dilations},
                               {"pads_begin", pads_begin},
                               {"pads_end", pads_end},
                               {"auto_pad", std::string("explicit")}});
  return {bias ? b.Add(sum, bias) : sum};
}

// Whether weights have the same groups, inputs and outputs.
bool HaveSameChannels(const LinearOp& a, const LinearOp& b) {
  const Shape& first = a.weights->shape();
  const Shape& second = b.weights->shape();
  if (first.rank() != second.rank() || a.weights->type() != b.weights->type()) {
    return false;
  }
  const int leading = LeadingAxes(*a.node);
  return std::equal(first.begin(), first.begin() + leading, second.begin());
}

Replacement TwoConvolutions(NodeBuilder& b, const BiasedLinearOp& first,
                            const BiasedLinearOp& second) {
  const Node& node = *second.op.node;
  if (node.op() != first.op.node->op() ||
      node.input(0) != first.op.node->input(0) ||
      !HaveSameChannels(first.op, second.op)) {
    return {};
  }
  const auto axes = AxesOf(node, second.op.weights->shape());
  if (!axes.has_value()) return {};
  return WithBranch(b, first, {node.input(1), *axes, second.bias});
}

// A value times a number for each channel, plus perhaps another.
struct ScaledInput {
  Value of, scale, bias;
};
std::optional<ScaledInput> ScaledInputOf(Value value) {
  ScaledInput scaled;
  if (const Node* sum = InnerNode(value, "Add")) {
    const int first = ConstantOf(sum->input(0)) != nullptr ? 1 : 0;
    scaled.bias = sum->input(1 - first);
    if (!BroadcastsAsNumpy(*sum) || ConstantOf(scaled.bias) == nullptr ||
        sum->input(first).shape() != value.shape()) {
      return std::nullopt;
    }
    value = sum->input(first);
  }
  const Node* product = InnerNode(value, "Multiply");
  if (product == nullptr || !BroadcastsAsNumpy(*product)) return std::nullopt;
  const int first = ConstantOf(product->input(0)) != nullptr ? 1 : 0;
  scaled.of = product->input(first);
  scaled.scale = product->input(1 - first);
  if (scaled.of.shape() != value.shape()) return std::nullopt;
  return scaled;
}

// Weights of one tap by which each channel becomes itself times its number.
Value DiagonalWeights(NodeBuilder& b, const LinearOp& op,
                      const std::vector<double>& scale) {
  const int leading = LeadingAxes(*op.node);
  const Shape& weights = op.weights->shape();
  const int64_t inputs = weights[leading - 1], outputs = weights[leading - 2];
  if (inputs != outputs) return Value{};
  Shape shape = Shape::Filled(weights.rank(), 1);
  for (int i = 0; i < leading; ++i) shape[i] = weights[i];
  std::vector<double> numbers(shape.Count(), 0);
  for (int64_t channel = 0; channel < op.outputs; ++channel) {
    numbers[channel * inputs + channel % inputs] =
        scale.size() == 1 ? scale[0] : scale[channel];
  }
  const auto tensor = Tensor::FromDoubles(op.weights->type(), shape, numbers);
  return tensor.ok() ? b.Constant(*tensor) : Value{};
}

Replacement ConvolutionAndInput(NodeBuilder& b,
                                const BiasedLinearOp& convolution,
                                const ScaledInput& input) {
  const LinearOp& op = convolution.op;
  if (input.of != op.node->input(0)) return {};
  const int rank = op.node->port().shape.rank();
  const auto scale = NumbersByChannel(input.scale, rank, 1, op.outputs);
  if (!scale.has_value() || op.inputs != op.outputs) return {};
  const Value weights = DiagonalWeights(b, op, *scale);
  if (!weights) return {};
  return WithBranch(b, convolution,
                    {weights, std::vector<Axis>(rank - 2), input.bias});
}

std::optional<BiasedLinearOp> ConvolutionOf(Value value) {
  auto biased = BiasedLinearOpOf(value);
  if (!biased.has_value() ||
      biased->op.node->As<ConvolutionAttributes>() == nullptr) {
    return std::nullopt;
  }
  return biased;
}

Replacement SumOfBranches(NodeBuilder& b, const Node& node) {
  if (!BroadcastsAsNumpy(node)) return {};
  const auto first = ConvolutionOf(node.input(0));
  const auto second = ConvolutionOf(node.input(1));
  if (first.has_value() && second.has_value()) {
    return TwoConvolutions(b, *first, *second);
  }
  if (!first.has_value() && !second.has_value()) return {};
  const auto input = ScaledInputOf(node.input(first.has_value() ? 1 : 0));
  if (!input.has_value()) return {};
  return ConvolutionAndInput(b, first.has_value() ? *first : *second, *input);
}

constexpr NodeRule kRules[] = {
    {"Add", 1, "W x + V x, W x + c * x", &SumOfBranches},
};

}  // namespace

absl::Span<const NodeRule> ParallelFusions() { return kRules; }

}  // namespace dovetail
