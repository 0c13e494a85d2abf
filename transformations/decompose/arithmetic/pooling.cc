#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/core/ops/pooling/adaptive_pool.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/decompose/arithmetic/rules.h"

namespace dovetail {
namespace {

struct Extents {
  std::vector<int64_t> input, output;  // of the spatial axes

  // Whether windows of one size lie side by side.
  bool AreDivisible() const {
    for (size_t i = 0; i < input.size(); ++i) {
      if (output[i] == 0 || input[i] % output[i] != 0) return false;
    }
    return true;
  }
};

std::optional<Extents> ExtentsOf(const Node& node) {
  const PartialShape& shape = node.input(0).shape();
  const auto output = KnownInts(node.input(1));
  if (!shape.rank_known() || !output ||
      static_cast<int>(output->size()) != shape.rank() - 2) {
    return std::nullopt;
  }
  Extents extents{{}, *output};
  for (int i = 2; i < shape.rank(); ++i) {
    if (shape[i].is_dynamic()) return std::nullopt;
    extents.input.push_back(shape[i].value());
  }
  return extents;
}

AttributeList Windows(const Extents& extents) {
  std::vector<int64_t> kernel;
  for (size_t i = 0; i < extents.input.size(); ++i) {
    kernel.push_back(extents.input[i] / extents.output[i]);
  }
  const std::vector<int64_t> none(kernel.size(), 0);
  return {{"kernel", kernel},
          {"strides", kernel},
          {"pads_begin", none},
          {"pads_end", none}};
}

// [input, output]: what each element is worth for the mean of each window,
// which goes from floor(o * input / output) to ceil((o + 1) * input / output).
std::optional<Tensor> Weights(ElementType type, int64_t input,
                              int64_t output) {
  constexpr int64_t kMax = 1 << 20;
  if (input > kMax || output > kMax || input * output > kMax) {
    return std::nullopt;
  }
  auto weights = Tensor::Allocate(type, Shape{input, output});
  if (!weights.ok()) return std::nullopt;
  for (int64_t o = 0; o < output; ++o) {
    const int64_t begin = o * input / output;
    const int64_t end = ((o + 1) * input + output - 1) / output;
    for (int64_t i = begin; i < end; ++i) {
      weights->SetElement(i * output + o,
                          1 / static_cast<double>(end - begin));
    }
  }
  return *weights;
}

// Means along one axis: it is put last, multiplied, and put back.
Value MeansAlong(NodeBuilder& b, Value x, int axis, const Tensor& weights) {
  std::vector<int64_t> order;
  for (int i = 0; i < x.shape().rank(); ++i) order.push_back(i);
  std::swap(order[axis], order.back());
  const bool is_last = axis == x.shape().rank() - 1;
  const Value turned = is_last ? x : b.Transpose(x, order);
  const Value means = b.MatMul(turned, b.Constant(weights));
  return is_last ? means : b.Transpose(means, order);
}

Replacement AdaptiveAvgPool(NodeBuilder& b, const Node& node) {
  const auto extents = ExtentsOf(node);
  if (!extents || !IsFloat(b.type())) return {};
  if (extents->AreDivisible()) {
    AttributeList attributes = Windows(*extents);
    attributes.emplace_back("exclude-pad", true);
    return {b.Make("AvgPool", {b.input(0)}, attributes)};
  }
  Value x = b.input(0);
  for (size_t i = 0; i < extents->input.size(); ++i) {
    const auto weights =
        Weights(b.type(), extents->input[i], extents->output[i]);
    if (!weights) return {};
    x = MeansAlong(b, x, 2 + static_cast<int>(i), *weights);
  }
  return {x};
}

// Indices count within all spatial axes.
Replacement AdaptiveMaxPool(NodeBuilder& b, const Node& node) {
  const auto extents = ExtentsOf(node);
  if (!extents || !extents->AreDivisible()) return {};
  AttributeList attributes = Windows(*extents);
  attributes.emplace_back("axis", 2);
  return b.MakeAllLike("MaxPool", {b.input(0)}, attributes);
}

constexpr NodeRule kRules[] = {
    {"AdaptiveAvgPool", 8, "AvgPool, or MatMul along each axis",
     &AdaptiveAvgPool},
    {"AdaptiveMaxPool", 8, "MaxPool, where windows are equal",
     &AdaptiveMaxPool},
};

}  // namespace

absl::Span<const NodeRule> PoolingDecompositions() { return kRules; }

}  // namespace dovetail
