#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/core/ops/linear/matmul.h"
#include "dovetail/core/ops/normalization/mvn.h"
#include "dovetail/core/ops/quantization/fake_quantize.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/common/movements.h"
#include "dovetail/transformations/fusion/common/clone_with.h"
#include "dovetail/transformations/fusion/common/folding.h"
#include "dovetail/transformations/fusion/common/matching.h"
#include "dovetail/transformations/fusion/movement/elementwise.h"
#include "dovetail/transformations/fusion/movement/reshaped_axes.h"
#include "dovetail/transformations/fusion/movement/rules.h"

namespace dovetail {
namespace {

using Extents = std::vector<int64_t>;

constexpr int kMaxDepth = 12;
// Matrices of more axes are for devices to flatten, which not all do well.
constexpr size_t kMaxMatMulAxes = 4;

std::optional<Extents> StaticShape(Value value) {
  const auto shape = value.shape().ToShape();
  if (!shape.ok()) return std::nullopt;
  return shape->ToVector();
}

// What Reshape is asked for, for a shape with at most one unknown extent.
std::optional<Extents> RequestFor(const PartialShape& shape) {
  if (!shape.rank_known()) return std::nullopt;
  Extents extents;
  int unknown = 0;
  for (const Dimension& dim : shape) {
    extents.push_back(dim.is_static() ? dim.value() : -1);
    unknown += dim.is_static() ? 0 : 1;
  }
  const bool has_zero =
      std::find(extents.begin(), extents.end(), 0) != extents.end();
  if (unknown > 1 || (unknown == 1 && has_zero)) return std::nullopt;
  return extents;
}

// Two in a row.
Replacement FuseReshapes(NodeBuilder& b, const Node& node) {
  const Value before = node.input(0);
  if (!IsReshape(*before.node)) return {};
  const Value x = before.node->input(0);
  const PartialShape& shape = node.port().shape;
  if (shape.is_static() && shape == x.shape()) return {x};
  const auto request = RequestFor(shape);
  if (!request.has_value()) return {};
  return {b.ReshapeTo(x, *request)};
}

// Finds what is a value in another shape, from what one before it reshapes:
// through operations that work element by element, normalizations of whole
// axes, and products with constant matrices, that nobody else reads.
class Reshaper {
 public:
  explicit Reshaper(NodeBuilder& b) : b_(b) {}

  bool CanReshape(Value value, const Extents& to, int depth = 0) const {
    if (!IsReadOnce(value) || depth > kMaxDepth) return false;
    const Node& node = *value.node;
    const auto shape = StaticShape(value);
    if (!shape.has_value()) return false;
    if (IsReshape(node)) return StaticShape(node.input(0)).has_value();
    if (IsUnaryElementwise(node)) {
      return CanReshape(node.input(0), to, depth + 1);
    }
    if (IsElementwise(node)) {
      const auto& inputs = node.inputs();
      return std::all_of(inputs.begin(), inputs.end(), [&](Value input) {
        return CanReshapeOperand(input, *shape, to, depth);
      });
    }
    if (MvnAxesAfter(node, *shape, to).has_value()) {
      return CanReshape(node.input(0), to, depth + 1);
    }
    const auto inner = BeforeMatMul(node, *shape, to);
    return inner.has_value() && CanReshape(node.input(0), *inner, depth + 1);
  }

  Value Reshaped(Value value, const Extents& to) {
    const Node& node = *value.node;
    if (IsReshape(node)) return ReshapedSource(node.input(0), to);
    const Extents shape = *StaticShape(value);
    std::vector<Value> inputs = node.inputs();
    if (IsElementwise(node)) {
      for (Value& input : inputs) input = ReshapedOperand(input, shape, to);
    } else if (const auto axes = MvnAxesAfter(node, shape, to)) {
      inputs = {Reshaped(inputs[0], to), b_.Ints(*axes)};
    } else if (const auto inner = BeforeMatMul(node, shape, to)) {
      inputs[0] = Reshaped(inputs[0], *inner);
    } else {
      inputs[0] = Reshaped(inputs[0], to);
    }
    return CloneWith(b_, node, inputs);
  }

 private:
  Value ReshapedSource(Value source, const Extents& to) {
    return StaticShape(source) == to ? source : b_.ReshapeTo(source, to);
  }

  // Of a node whose output has shape `whole`.
  bool CanReshapeOperand(Value value, const Extents& whole, const Extents& to,
                         int depth) const {
    if (const Tensor* constant = ConstantOf(value)) {
      return constant->element_count() == 1
                 ? constant->rank() <= static_cast<int>(to.size())
                 : ReshapedAxes(whole, to)
                       .ShapeOf(constant->shape().ToVector())
                       .has_value();
    }
    return StaticShape(value) == whole && CanReshape(value, to, depth + 1);
  }

  Value ReshapedOperand(Value value, const Extents& whole, const Extents& to) {
    const Tensor* constant = ConstantOf(value);
    if (constant == nullptr) return Reshaped(value, to);
    if (constant->element_count() == 1) return value;
    const auto shape =
        ReshapedAxes(whole, to).ShapeOf(constant->shape().ToVector());
    return Folded(b_, "Reshape", {value, b_.Ints(*shape)},
                  {{"special_zero", false}});
  }

  // Of several inputs, element by element.
  static bool IsElementwise(const Node& node) {
    const auto* quantize = node.As<FakeQuantizeAttributes>();
    if (quantize == nullptr) return IsBinaryElementwise(node);
    return quantize->auto_broadcast == AutoBroadcast::kNumpy;
  }

  // What MVN is to normalize when its input has shape `to`.
  static std::optional<Extents> MvnAxesAfter(const Node& node,
                                             const Extents& shape,
                                             const Extents& to) {
    if (node.As<Mvn6Attributes>() == nullptr) return std::nullopt;
    auto axes = ConstantInts(node.input(1));
    if (!axes.has_value()) return std::nullopt;
    for (int64_t& axis : *axes) {
      if (axis < 0) axis += static_cast<int64_t>(shape.size());
    }
    const auto after = ReshapedAxes(shape, to).AxesOf(*axes);
    if (!after.has_value() || after->empty()) return std::nullopt;
    return after;
  }

  // What the first input of x * W is to be reshaped to, so that the product has
  // shape `to`.
  static std::optional<Extents> BeforeMatMul(const Node& node,
                                             const Extents& shape,
                                             const Extents& to) {
    const auto* attributes = node.As<MatMulAttributes>();
    if (attributes == nullptr || attributes->transpose_a) return std::nullopt;
    const Tensor* weights = ConstantOf(node.input(1));
    const auto data = StaticShape(node.input(0));
    if (weights == nullptr || weights->rank() != 2 || !data.has_value() ||
        data->size() < 2 || to.size() < 2 || to.size() > kMaxMatMulAxes ||
        shape.back() != to.back()) {
      return std::nullopt;
    }
    Extents inner = to;
    inner.back() = data->back();
    return inner;
  }

  NodeBuilder& b_;
};

Replacement Sink(NodeBuilder& b, const Node& node) {
  const auto to = StaticShape(OutputOf(node));
  if (!to.has_value() || node.port().shape.ElementCount() == Dimension(0)) {
    return {};
  }
  Reshaper reshaper(b);
  if (!reshaper.CanReshape(node.input(0), *to)) return {};
  return {reshaper.Reshaped(node.input(0), *to)};
}

constexpr NodeRule kRules[] = {
    {"Reshape", 1, "one reshape for a row of them", &FuseReshapes},
    {"Squeeze", NodeRule::kAnyVersion, "one reshape for a row of them",
     &FuseReshapes},
    {"Unsqueeze", 0, "one reshape for a row of them", &FuseReshapes},
    {"Reshape", 1, "r(f(r'(x))) = f(r(r'(x)))", &Sink},
    {"Squeeze", NodeRule::kAnyVersion, "r(f(r'(x))) = f(r(r'(x)))", &Sink},
    {"Unsqueeze", 0, "r(f(r'(x))) = f(r(r'(x)))", &Sink},
};

}  // namespace

absl::Span<const NodeRule> ReshapeFusions() { return kRules; }

}  // namespace dovetail
