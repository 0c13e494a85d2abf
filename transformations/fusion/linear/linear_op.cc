#include "dovetail/transformations/fusion/linear/linear_op.h"

#include <algorithm>
#include <cmath>

#include "dovetail/core/ops/linear/matmul.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/fusion/common/clone_with.h"
#include "dovetail/transformations/fusion/common/folding.h"
#include "dovetail/transformations/fusion/common/matching.h"

namespace dovetail {
namespace {

// Weights with more elements than this are not made anew: loading would take
// longer than many inferences gain. Fewer, where others read them too.
constexpr int64_t kMax = int64_t{1} << 23;
constexpr int64_t kMaxShared = int64_t{1} << 20;

// Where the channels are in the weights of convolutions.
struct Convolution {
  OpType type;
  bool grouped;
  int inputs, outputs;  // axes behind that of the groups, if there is one
};
constexpr Convolution kConvolutions[] = {
    {"Convolution", false, 1, 0},
    {"GroupConvolution", true, 1, 0},
    {"ConvolutionBackpropData", false, 0, 1},
    {"GroupConvolutionBackpropData", true, 0, 1},
};

LinearOp OfConvolution(const Node& node, const Tensor& weights,
                       const Convolution& kind) {
  const int first = kind.grouped ? 1 : 0;
  const int in = first + kind.inputs, out = first + kind.outputs;
  const int64_t groups = kind.grouped ? weights.shape()[0] : 1;
  LinearOp op{&node,
              &weights,
              1,
              groups * weights.shape()[in],
              groups * weights.shape()[out],
              Shape::Filled(weights.rank(), 1),
              Shape::Filled(weights.rank(), 1)};
  op.input_shape[in] = weights.shape()[in];
  op.output_shape[out] = weights.shape()[out];
  if (kind.grouped) op.input_shape[0] = op.output_shape[0] = groups;
  return op;
}

std::optional<LinearOp> OfMatMul(const Node& node, const Tensor& weights) {
  const auto* attributes = node.As<MatMulAttributes>();
  const int rank = node.port().shape.rank();
  if (attributes == nullptr || attributes->transpose_a || rank < 2 ||
      weights.rank() != 2) {
    return std::nullopt;
  }
  const int in = attributes->transpose_b ? 1 : 0, out = 1 - in;
  LinearOp op{
      &node,  &weights, rank - 1, weights.shape()[in], weights.shape()[out],
      {1, 1}, {1, 1}};
  op.input_shape[in] = op.inputs;
  op.output_shape[out] = op.outputs;
  return op;
}

// Whether products with these stay numbers of a narrow type.
bool AreModest(const std::vector<double>& scale, ElementType type) {
  const bool is_narrow = type == ElementType::kF16;
  const double most = is_narrow ? 64 : 1e18;
  return std::all_of(scale.begin(), scale.end(), [&](double s) {
    return std::abs(s) <= most && (s == 0 || std::abs(s) >= 1 / most);
  });
}

// Empty where they cannot be had.
Value ScaledWeights(NodeBuilder& b, const LinearOp& op, const Shape& shape,
                    const std::vector<double>& scale) {
  const ElementType type = op.weights->type();
  if (!AreModest(scale, type)) return Value{};
  const auto factors = scale.size() == 1
                           ? Tensor::FromDoubles(type, Shape(), scale)
                           : Tensor::FromDoubles(type, shape, scale);
  if (!factors.ok()) return Value{};
  return Folded(b, "Multiply", {op.node->input(1), b.Constant(*factors)});
}

Value WithWeights(NodeBuilder& b, const LinearOp& op, Value data,
                  Value weights) {
  if (!weights) return Value{};
  std::vector<Value> inputs = op.node->inputs();
  inputs[0] = data;
  inputs[1] = weights;
  return CloneWith(b, *op.node, inputs);
}

}  // namespace

std::optional<LinearOp> LinearOpOf(const Node& node) {
  if (node.input_count() < 2) return std::nullopt;
  const Tensor* weights = ConstantOf(node.input(1));
  if (weights == nullptr || !IsFloatValue(node.input(1)) ||
      !node.port().shape.rank_known()) {
    return std::nullopt;
  }
  const bool is_shared = !IsReadOnce(node.input(1));
  if (weights->element_count() > (is_shared ? kMaxShared : kMax)) {
    return std::nullopt;
  }
  if (node.Is("MatMul")) return OfMatMul(node, *weights);
  for (const Convolution& kind : kConvolutions) {
    if (node.Is(kind.type)) return OfConvolution(node, *weights, kind);
  }
  return std::nullopt;
}

std::optional<BiasedLinearOp> BiasedLinearOpOf(Value value) {
  if (!IsReadOnce(value)) return std::nullopt;
  Value bias;
  Value inner = value;
  if (value.node->Is("Add")) {
    const Node& sum = *value.node;
    const int first = ConstantOf(sum.input(0)) != nullptr ? 1 : 0;
    inner = sum.input(first);
    bias = sum.input(1 - first);
    if (!BroadcastsAsNumpy(sum) || ConstantOf(bias) == nullptr ||
        !IsReadOnce(inner) || inner.shape() != value.shape()) {
      return std::nullopt;
    }
  }
  const auto op = LinearOpOf(*inner.node);
  if (!op.has_value()) return std::nullopt;
  return BiasedLinearOp{*op, bias};
}

std::optional<std::vector<double>> NumbersByChannel(Value constant, int rank,
                                                    int channel_axis,
                                                    int64_t channels) {
  const Tensor* tensor = ConstantOf(constant);
  if (tensor == nullptr || !IsFloatValue(constant) || tensor->rank() > rank) {
    return std::nullopt;
  }
  const int64_t count = tensor->element_count();
  const int axis = channel_axis - rank + tensor->rank();
  const bool is_along_axis =
      count == channels && axis >= 0 && tensor->shape()[axis] == channels;
  if (count == 0 || (count != 1 && !is_along_axis)) return std::nullopt;
  return ToDoubleVector(*tensor);
}

Value WithScaledOutputs(NodeBuilder& b, const LinearOp& op,
                        const std::vector<double>& scale) {
  return WithWeights(b, op, op.node->input(0),
                     ScaledWeights(b, op, op.output_shape, scale));
}

Value WithScaledInputs(NodeBuilder& b, const LinearOp& op, Value data,
                       const std::vector<double>& scale) {
  return WithWeights(b, op, data, ScaledWeights(b, op, op.input_shape, scale));
}

}  // namespace dovetail
