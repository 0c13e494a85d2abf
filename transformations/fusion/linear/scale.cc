#include <algorithm>
#include <numeric>

#include "dovetail/core/ops/convolution/convolution.h"
#include "dovetail/core/tensor/shapes/axis_order.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/fusion/common/axes.h"
#include "dovetail/transformations/fusion/common/clone_with.h"
#include "dovetail/transformations/fusion/common/folding.h"
#include "dovetail/transformations/fusion/common/matching.h"
#include "dovetail/transformations/fusion/linear/linear_op.h"
#include "dovetail/transformations/fusion/linear/rules.h"

namespace dovetail {
namespace {

// The numbers as a constant that broadcasts along the channels.
Value AlongChannels(NodeBuilder& b, const std::vector<double>& numbers,
                    ElementType type, int rank, int channel_axis) {
  Shape shape;
  if (numbers.size() > 1) {
    shape = Shape::Filled(rank, 1);
    shape[channel_axis] = static_cast<int64_t>(numbers.size());
  }
  const auto tensor = Tensor::FromDoubles(type, shape, numbers);
  return tensor.ok() ? b.Constant(*tensor) : Value{};
}

// scale * (op + bias), with the scale in the weights and in the bias.
Value Scaled(NodeBuilder& b, const BiasedLinearOp& biased,
             const std::vector<double>& scale) {
  const LinearOp& op = biased.op;
  const Value product = WithScaledOutputs(b, op, scale);
  if (!product || !biased.bias) return product;
  const Value factors = AlongChannels(b, scale, product.type(),
                                      product.shape().rank(), op.channel_axis);
  if (!factors) return Value{};
  const Value bias = Folded(b, "Multiply", {biased.bias, factors});
  return bias ? b.Add(product, bias) : Value{};
}

// Behind the operation, and behind a Transpose of it.
Replacement ScaleBehind(NodeBuilder& b, const Node& node) {
  if (!BroadcastsAsNumpy(node) || !node.port().shape.rank_known()) return {};
  const int first = ConstantOf(node.input(0)) != nullptr ? 1 : 0;
  const Value constant = node.input(1 - first);
  if (ConstantOf(constant) == nullptr) return {};
  Value value = node.input(first);
  const Node* transpose = InnerNode(value, "Transpose");
  std::optional<AxisOrder> order;
  if (transpose != nullptr) {
    order = OrderOf(*transpose);
    if (!order.has_value()) return {};
    value = transpose->input(0);
  }
  const auto biased = BiasedLinearOpOf(value);
  if (!biased.has_value()) return {};
  const int rank = node.port().shape.rank();
  const int axis = biased->op.channel_axis;
  const int seen_axis =
      order.has_value() ? static_cast<int>(InverseOrder(*order)[axis]) : axis;
  const auto scale =
      NumbersByChannel(constant, rank, seen_axis, biased->op.outputs);
  if (!scale.has_value()) return {};
  const Value scaled = Scaled(b, *biased, *scale);
  if (!scaled || !order.has_value()) return {scaled};
  return {b.Transpose(scaled, *order)};
}

// A norm's own factor stays with the norm, with which devices compute it.
bool IsOfNorm(Value value) {
  for (const OpType type :
       {OpType("MVN"), OpType("Divide"), OpType("NormalizeL2")}) {
    if (NodeOf(value, type) != nullptr) return true;
  }
  return false;
}

Replacement ScaleBefore(NodeBuilder& b, const Node& node) {
  const Node* product = InnerNode(node.input(0), "Multiply");
  if (product == nullptr || !BroadcastsAsNumpy(*product)) return {};
  const auto op = LinearOpOf(node);
  if (!op.has_value()) return {};
  const int first = ConstantOf(product->input(0)) != nullptr ? 1 : 0;
  const Value x = product->input(first);
  const PartialShape& shape = product->port().shape;
  if (!shape.rank_known() || x.shape() != shape || IsOfNorm(x)) return {};
  const int axis = node.Is("MatMul") ? shape.rank() - 1 : 1;
  const auto scale = NumbersByChannel(product->input(1 - first), shape.rank(),
                                      axis, op->inputs);
  if (!scale.has_value()) return {};
  return {WithScaledInputs(b, *op, x, *scale)};
}

bool HasNoPadding(const Node& convolution) {
  const auto* attributes = convolution.As<ConvolutionAttributes>();
  if (attributes == nullptr) return false;
  const SlidingWindow& window = attributes->window;
  if (window.auto_pad == AutoPad::kValid) return true;
  const auto is_zero = [](int64_t n) { return n == 0; };
  return window.auto_pad == AutoPad::kExplicit &&
         std::all_of(window.pads_begin.begin(), window.pads_begin.end(),
                     is_zero) &&
         std::all_of(window.pads_end.begin(), window.pads_end.end(), is_zero);
}

// W (x + c) = W x + W c, where no padding comes between.
Replacement TermBefore(NodeBuilder& b, const Node& node) {
  const Node* sum = InnerNode(node.input(0), "Add");
  const auto op = LinearOpOf(node);
  if (sum == nullptr || !op.has_value() || !HasNoPadding(node) ||
      !BroadcastsAsNumpy(*sum)) {
    return {};
  }
  const int first = ConstantOf(sum->input(0)) != nullptr ? 1 : 0;
  const Value x = sum->input(first);
  const PartialShape& shape = sum->port().shape;
  if (!shape.rank_known() || x.shape() != shape) return {};
  auto terms =
      NumbersByChannel(sum->input(1 - first), shape.rank(), 1, op->inputs);
  if (!terms.has_value()) return {};
  terms->resize(op->inputs, terms->front());  // one for all, for each
  std::vector<int64_t> spatial(shape.rank() - 2);
  std::iota(spatial.begin(), spatial.end(), 2);
  const Value taps =
      spatial.empty() ? node.input(1)
                      : Folded(b, "ReduceSum", {node.input(1), b.Ints(spatial)},
                               {{"keep_dims", false}});
  const auto column = Tensor::FromDoubles(x.type(), {op->inputs, 1}, *terms);
  if (!taps || !column.ok()) return {};
  const Value bias = Folded(b, "MatMul", {taps, b.Constant(*column)});
  if (!bias) return {};
  std::vector<int64_t> bias_shape(shape.rank(), 1);
  bias_shape[1] = op->outputs;
  std::vector<Value> inputs = node.inputs();
  inputs[0] = x;
  return {b.Add(CloneWith(b, node, inputs),
                Folded(b, "Reshape", {bias, b.Ints(bias_shape)}))};
}

constexpr NodeRule kRules[] = {
    {"Multiply", 1, "(W x + b) * c", &ScaleBehind},
    {"Convolution", 1, "W (x * c)", &ScaleBefore},
    {"GroupConvolution", 1, "W (x * c)", &ScaleBefore},
    {"ConvolutionBackpropData", 1, "W (x * c)", &ScaleBefore},
    {"GroupConvolutionBackpropData", 1, "W (x * c)", &ScaleBefore},
    {"MatMul", 0, "W (x * c)", &ScaleBefore},
    {"Convolution", 1, "W (x + c)", &TermBefore},
};

}  // namespace

absl::Span<const NodeRule> ScaleFusions() { return kRules; }

}  // namespace dovetail
