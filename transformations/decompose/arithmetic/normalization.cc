#include <cstdint>
#include <vector>

#include "dovetail/core/ops/normalization/batch_norm.h"
#include "dovetail/core/ops/normalization/lrn.h"
#include "dovetail/core/ops/normalization/mvn.h"
#include "dovetail/core/ops/normalization/normalize_l2.h"
#include "dovetail/core/ops/normalization/softmax.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/decompose/arithmetic/rules.h"

namespace dovetail {
namespace {

// Squares are of the data's type: where those of its elements overflow it, so
// do these formulas, but not the operations.

Value Square(NodeBuilder& b, Value x) { return b.Multiply(x, x); }
Value Sqrt(NodeBuilder& b, Value x) { return b.Make("Sqrt", {x}); }

Replacement Mvn(NodeBuilder& b, const Node& node) {
  const auto& attributes = *node.As<Mvn6Attributes>();
  const Value x = node.input(0), axes = node.input(1);
  const Value shifted = b.Subtract(x, b.ReduceAlong("ReduceMean", x, axes));
  if (!attributes.normalize_variance) return {shifted};
  const Value variance =
      b.ReduceAlong("ReduceMean", Square(b, shifted), axes);
  const bool inside = attributes.eps_mode == MvnEpsMode::kInsideSqrt;
  return {b.Divide(shifted, inside
                                ? Sqrt(b, b.Add(variance, attributes.eps))
                                : b.Add(Sqrt(b, variance), attributes.eps))};
}

// A vector with an element a channel, in the shape [C, 1 …] that broadcasts to
// data of that rank.
Value ByChannel(NodeBuilder& b, Value vector, int rank) {
  std::vector<int64_t> axes;
  for (int i = 1; i < rank - 1; ++i) axes.push_back(i);
  return axes.empty() ? vector : b.Unsqueeze(vector, axes);
}

// [N, C, …] as [N, groups, the rest], normalized along the last axis.
Replacement GroupNorm(NodeBuilder& b, const Node& node) {
  const auto& attributes = *node.As<GroupNormAttributes>();
  const Value x = node.input(0);
  const PartialShape& shape = x.shape();
  if (!shape.rank_known() || shape.rank() < 2) return {};
  const Value groups = b.Ints({attributes.num_groups});
  const Value rest = b.Divide(b.Product(b.Dims(x, 1)), groups);
  const Value grouped = b.Reshape(x, b.Concat({b.Dim(x, 0), groups, rest}));
  const Value normal = b.Make(
      "MVN", {grouped, b.Ints({2})},
      {{"eps", attributes.epsilon}, {"eps_mode", "inside_sqrt"}});
  const Value scale = ByChannel(b, node.input(1), shape.rank());
  const Value bias = ByChannel(b, node.input(2), shape.rank());
  return {b.Add(b.Multiply(b.Reshape(normal, b.ShapeOf(x)), scale), bias)};
}

Replacement NormalizeL2(NodeBuilder& b, const Node& node) {
  const auto& attributes = *node.As<NormalizeL2Attributes>();
  const Value x = node.input(0);
  const Value sum = b.ReduceAlong("ReduceSum", Square(b, x), node.input(1));
  const Value length = Sqrt(b, attributes.eps_mode == EpsMode::kAdd
                                   ? b.Add(sum, attributes.eps)
                                   : b.Maximum(sum, attributes.eps));
  return {b.Divide(x, length)};
}

Replacement Grn(NodeBuilder& b, const Node& node) {
  const Value x = node.input(0);
  const Value sum = b.Reduce("ReduceSum", Square(b, x), {1});
  return {b.Divide(x, Sqrt(b, b.Add(sum, node.As<GrnAttributes>()->bias)))};
}

// x summed over the elements up to `reach` away along one axis. AvgPool gives
// the means of [1, before, axis, behind], with zeros outside.
Value WindowSum(NodeBuilder& b, Value x, int axis, int64_t reach) {
  const auto product = [&](int begin, int end) {
    return begin == end ? b.Ints({1}) : b.Product(b.Dims(x, begin, end));
  };
  const Value image =
      b.Reshape(x, b.Concat({b.Ints({1}), product(0, axis), b.Dim(x, axis),
                             product(axis + 1, x.shape().rank())}));
  const int64_t width = 2 * reach + 1;
  using Pair = std::vector<int64_t>;
  const Value means = b.Make("AvgPool", {image},
                             {{"kernel", Pair{width, 1}},
                              {"strides", Pair{1, 1}},
                              {"pads_begin", Pair{reach, 0}},
                              {"pads_end", Pair{reach, 0}},
                              {"exclude-pad", false}});
  return b.Reshape(b.Multiply(means, static_cast<double>(width)),
                   b.ShapeOf(x));
}

Replacement Lrn(NodeBuilder& b, const Node& node) {
  const auto& attributes = *node.As<LrnAttributes>();
  const Value x = node.input(0);
  const auto axes = KnownInts(node.input(1));
  constexpr int64_t kMaxSize = 1 << 20;
  if (!axes || !x.shape().rank_known() || attributes.size > kMaxSize) return {};
  if (x.type() == ElementType::kBoolean) return {};
  // A window needs an element.
  if (x.shape().ElementCount() == Dimension(0)) return {x};
  Value sum = Square(b, x);
  double factor = attributes.alpha;
  std::vector<bool> done(x.shape().rank(), false);
  for (int64_t axis : *axes) {
    if (axis < 0) axis += x.shape().rank();
    if (done[axis]) continue;
    done[axis] = true;
    sum = WindowSum(b, sum, static_cast<int>(axis), (attributes.size - 1) / 2);
    factor /= static_cast<double>(attributes.size);
  }
  const Value base = b.Add(b.Multiply(sum, factor), attributes.bias);
  return {b.Multiply(x, b.Power(base, -attributes.beta))};
}

Replacement BatchNorm(NodeBuilder& b, const Node& node) {
  const BatchNormInputs at = BatchNormInputsOf(node.op());
  const double epsilon = node.As<BatchNormAttributes>()->epsilon;
  const PartialShape& shape = node.input(at.data).shape();
  if (!shape.rank_known()) return {};
  const auto by_channel = [&](Value vector) {
    return ByChannel(b, vector, shape.rank());
  };
  const Value deviation = Sqrt(b, b.Add(node.input(at.variance), epsilon));
  const Value factor = b.Divide(node.input(at.gamma), deviation);
  const Value shifted =
      b.Subtract(node.input(at.data), by_channel(node.input(at.mean)));
  return {b.Add(b.Multiply(shifted, by_channel(factor)),
                by_channel(node.input(at.beta)))};
}

// The greatest element becomes 0, so that nothing overflows.
Value Lowered(NodeBuilder& b, Value x, int64_t axis) {
  return b.Subtract(x, b.Reduce("ReduceMax", x, {axis}));
}

Replacement Softmax(NodeBuilder& b, const Node& node) {
  const int64_t axis = node.As<SoftmaxAttributes>()->axis;
  const Value powers = b.Make("Exp", {Lowered(b, node.input(0), axis)});
  return {b.Divide(powers, b.Reduce("ReduceSum", powers, {axis}))};
}

Replacement LogSoftmax(NodeBuilder& b, const Node& node) {
  const int64_t axis = node.As<SoftmaxAttributes>()->axis;
  const Value lowered = Lowered(b, node.input(0), axis);
  const Value sum = b.Reduce("ReduceSum", b.Make("Exp", {lowered}), {axis});
  return {b.Subtract(lowered, b.Make("Log", {sum}))};
}

constexpr NodeRule kRules[] = {
    {"BatchNormInference", NodeRule::kAnyVersion,
     "(x - mean) * (gamma / sqrt(variance + epsilon)) + beta", &BatchNorm},
    {"GRN", 0, "x / sqrt(sum of squares + bias)", &Grn},
    {"GroupNormalization", 12, "MVN of groups, scaled and shifted", &GroupNorm},
    {"LRN", 0, "x * (bias + alpha * AvgPool of squares) ^ -beta", &Lrn},
    {"LogSoftmax", 5, "y - log(sum(exp(y))), y = x - max(x)", &LogSoftmax},
    {"MVN", 6, "(x - mean) / sqrt(mean of squares + eps)", &Mvn},
    {"NormalizeL2", 0, "x / sqrt(sum of squares + eps)", &NormalizeL2},
    {"Softmax", NodeRule::kAnyVersion, "exp(y) / sum(exp(y)), y = x - max(x)",
     &Softmax},
};

}  // namespace

absl::Span<const NodeRule> NormalizationDecompositions() { return kRules; }

}  // namespace dovetail
