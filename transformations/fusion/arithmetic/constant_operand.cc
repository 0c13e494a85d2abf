#include <cmath>
#include <cstdint>

#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/fusion/arithmetic/rules.h"
#include "dovetail/transformations/fusion/common/folding.h"
#include "dovetail/transformations/fusion/common/matching.h"

namespace dovetail {
namespace {

// Constants of more elements are weights or tables, not to be copied.
constexpr int64_t kMaxElements = int64_t{1} << 22;

// x and c of x op c or, where `either`, of c op x, element by element with
// NumPy's broadcasting.
struct Operands {
  Value x, constant;
};
Operands OperandsOf(const Node& node, bool either) {
  if (!IsFloatValue(node.input(0)) || !BroadcastsAsNumpy(node)) return {};
  for (int i = 1; i >= (either ? 0 : 1); --i) {
    const Tensor* tensor = ConstantOf(node.input(i));
    if (tensor == nullptr || tensor->element_count() > kMaxElements ||
        ConstantOf(node.input(1 - i)) != nullptr) {
      continue;
    }
    return {node.input(1 - i), node.input(i)};
  }
  return {};
}

// What undoes quantization says it by Convert, Subtract and Multiply.
bool IsOfIntegers(Value x) {
  const Node* convert = NodeOf(x, "Convert");
  return convert != nullptr && !IsFloatValue(convert->input(0));
}

Replacement Subtract(NodeBuilder& b, const Node& node) {
  const Operands operands = OperandsOf(node, /*either=*/false);
  if (!operands.x || IsOfIntegers(operands.x)) return {};
  const Value negative = Folded(b, "Negative", {operands.constant});
  if (!negative) return {};
  return {b.Add(operands.x, negative)};
}

// Whether 1 / c is a normal number of c's type for every element.
bool HasReciprocals(const Tensor& tensor) {
  const bool is_f16 = tensor.type() == ElementType::kF16;
  const double least = is_f16 ? 1.0 / 32768 : 1e-37;
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    const double size = std::abs(tensor.ElementAsDouble(i));
    if (!(size >= least && size <= 1 / least / 2)) return false;
  }
  return true;
}

Replacement Divide(NodeBuilder& b, const Node& node) {
  const Operands operands = OperandsOf(node, /*either=*/false);
  if (!operands.x || !HasReciprocals(*ConstantOf(operands.constant))) return {};
  const Value one = b.Number(operands.x.type(), 1);
  const Value reciprocal = Folded(b, "Divide", {one, operands.constant});
  if (!reciprocal) return {};
  return {b.Multiply(operands.x, reciprocal)};
}

// (x op c) op d = x op (c op d), when nobody reads what is between and the new
// constant has no more elements than the greater of the two.
Replacement FuseConstants(NodeBuilder& b, const Node& node) {
  const Operands last = OperandsOf(node, /*either=*/true);
  const OpType type = OpType::Named(node.op().type);
  const Node* before = InnerNode(last.x, type);
  if (before == nullptr) return {};
  const Operands first = OperandsOf(*before, /*either=*/true);
  if (!first.x || IsOfIntegers(first.x)) return {};
  const Value both = Folded(b, type, {first.constant, last.constant});
  if (!both || (both.shape() != first.constant.shape() &&
                both.shape() != last.constant.shape())) {
    return {};
  }
  return {b.Binary(type, first.x, both)};
}

// x + 0, where -0 may become 0.
Replacement AddZero(NodeBuilder&, const Node& node) {
  const Operands operands = OperandsOf(node, /*either=*/true);
  if (!operands.x) return {};
  const Tensor& zeros = *ConstantOf(operands.constant);
  for (int64_t i = 0; i < zeros.element_count(); ++i) {
    if (zeros.ElementAsDouble(i) != 0) return {};
  }
  const bool keeps_shape =
      ScalarBeside(operands.constant, operands.x).has_value() ||
      (operands.x.shape().is_static() &&
       operands.x.shape() == node.port().shape);
  return keeps_shape ? Replacement{operands.x} : Replacement{};
}

constexpr NodeRule kRules[] = {
    {"Subtract", 1, "x + -c", &Subtract},
    {"Divide", 1, "x * (1 / c)", &Divide},
    {"Add", 1, "x + 0", &AddZero},
    {"Add", 1, "(x + c) + d", &FuseConstants},
    {"Multiply", 1, "(x * c) * d", &FuseConstants},
};

}  // namespace

absl::Span<const NodeRule> ConstantOperandFusions() { return kRules; }

}  // namespace dovetail
