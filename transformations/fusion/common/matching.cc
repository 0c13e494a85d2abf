#include "dovetail/transformations/fusion/common/matching.h"

#include <algorithm>
#include <cmath>

#include "dovetail/core/ops/common/broadcast.h"
#include "dovetail/core/ops/elementwise/binary.h"
#include "dovetail/transformations/common/constants.h"

namespace dovetail {
namespace {

constexpr int kMaxFactors = 3;
constexpr int kMaxDepth = 8;

double RoundedTo(ElementType type, double number) {
  return Tensor::FromDoubles(type, Shape(), {number})->ElementAsDouble(0);
}

bool IsWithin(double number, double wanted, double tolerance) {
  return std::abs(number - wanted) <= tolerance * std::abs(wanted);
}

void CollectFactors(Value value, int depth, Product& product) {
  const Node& node = *value.node;
  const bool is_quotient = node.Is("Divide");
  if (depth == kMaxDepth || !(is_quotient || node.Is("Multiply")) ||
      (depth > 0 && !IsReadOnce(value))) {
    product.values.push_back(value);
    return;
  }
  const std::optional<WithScalar> scaled = OperandAndScalar(node);
  if (scaled.has_value()) {
    product.number *= is_quotient ? 1 / scaled->number : scaled->number;
    CollectFactors(scaled->x, depth + 1, product);
  } else if (is_quotient || product.values.size() >= kMaxFactors) {
    product.values.push_back(value);
  } else {
    CollectFactors(node.input(0), depth + 1, product);
    CollectFactors(node.input(1), depth + 1, product);
  }
}

// ---- Polynomials ----

Polynomial Constant(double number) { return {number, 0, 0, 0}; }

Polynomial Sum(const Polynomial& a, const Polynomial& b, double sign) {
  Polynomial sum;
  for (size_t i = 0; i < sum.size(); ++i) sum[i] = a[i] + sign * b[i];
  return sum;
}

std::optional<Polynomial> Times(const Polynomial& a, const Polynomial& b) {
  Polynomial product = {};
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t k = 0; k < b.size(); ++k) {
      if (a[i] == 0 || b[k] == 0) continue;
      if (i + k >= product.size()) return std::nullopt;
      product[i + k] += a[i] * b[k];
    }
  }
  return product;
}

std::optional<Polynomial> FindPolynomial(Value value, Value x, int depth);

std::optional<Polynomial> PowerOf(const Polynomial& base, double exponent) {
  if (exponent != 2 && exponent != 3) return std::nullopt;
  std::optional<Polynomial> power = Times(base, base);
  if (exponent == 3 && power.has_value()) power = Times(*power, base);
  return power;
}

std::optional<Polynomial> OfTwo(const Node& node, Value x, int depth) {
  const auto a = FindPolynomial(node.input(0), x, depth + 1);
  if (!a.has_value()) return std::nullopt;
  const auto b = FindPolynomial(node.input(1), x, depth + 1);
  if (!b.has_value()) return std::nullopt;
  if (node.Is("Add")) return Sum(*a, *b, 1);
  if (node.Is("Subtract")) return Sum(*a, *b, -1);
  if (node.Is("Multiply")) return Times(*a, *b);
  if (*b != Constant((*b)[0])) return std::nullopt;
  if (node.Is("Power")) return PowerOf(*a, (*b)[0]);
  return Times(*a, Constant(1 / (*b)[0]));  // Divide
}

std::optional<Polynomial> FindPolynomial(Value value, Value x, int depth) {
  if (value == x) return Polynomial{0, 1, 0, 0};
  if (!value || depth > kMaxDepth) return std::nullopt;
  const Node& node = *value.node;
  if (node.Is("Constant")) {
    const std::optional<double> number = ScalarBeside(value, x);
    return number.has_value() ? std::optional<Polynomial>(Constant(*number))
                              : std::nullopt;
  }
  if (node.Is("Negative")) {
    const auto of = FindPolynomial(node.input(0), x, depth + 1);
    return of.has_value() ? Times(*of, Constant(-1)) : std::nullopt;
  }
  for (const OpType type :
       {OpType("Add"), OpType("Subtract"), OpType("Multiply"), OpType("Power"),
        OpType("Divide")}) {
    if (node.Is(type)) return OfTwo(node, x, depth);
  }
  return std::nullopt;
}

}  // namespace

Value OutputOf(const Node& node) { return Value{const_cast<Node*>(&node), 0}; }

bool IsReadOnce(Value value) { return value && value.port().uses.size() == 1; }

const Node* NodeOf(Value value, OpType type) {
  return value && value.node->Is(type) ? value.node : nullptr;
}

const Node* InnerNode(Value value, OpType type) {
  const Node* node = NodeOf(value, type);
  return node != nullptr && node->output_count() == 1 && IsReadOnce(value)
             ? node
             : nullptr;
}

bool IsNearly(double number, double wanted) {
  if (IsWithin(number, wanted, 1e-5)) return true;
  if (!IsWithin(number, wanted, 1e-2)) return false;
  for (ElementType type : {ElementType::kF16, ElementType::kBf16}) {
    if (IsWithin(number, RoundedTo(type, wanted), 1e-6) ||
        IsWithin(1 / number, RoundedTo(type, 1 / wanted), 1e-6)) {
      return true;
    }
  }
  return false;
}

std::optional<double> ScalarBeside(Value value, Value x) {
  const Tensor* tensor = ConstantOf(value);
  if (tensor == nullptr || tensor->element_count() != 1) return std::nullopt;
  const bool fits = tensor->rank() == 0 || (x.shape().rank_known() &&
                                            tensor->rank() <= x.shape().rank());
  return fits ? ConstantNumber(value) : std::nullopt;
}

std::optional<WithScalar> OperandAndScalar(const Node& node) {
  if (node.input_count() != 2) return std::nullopt;
  const Value a = node.input(0), b = node.input(1);
  if (const auto number = ScalarBeside(b, a)) return WithScalar{a, *number};
  if (!node.op().Has(kCommutative)) return std::nullopt;
  if (const auto number = ScalarBeside(a, b)) return WithScalar{b, *number};
  return std::nullopt;
}

Product ProductOf(const Node& last) {
  Product product;
  CollectFactors(OutputOf(last), 0, product);
  return product;
}

Affine AffineOf(Value last) {
  Affine affine{last};
  for (int depth = 0; depth < kMaxDepth && IsReadOnce(affine.of); ++depth) {
    const Node& node = *affine.of.node;
    const bool adds = node.Is("Add") || node.Is("Subtract");
    if (!adds && !node.Is("Multiply") && !node.Is("Divide")) break;
    const std::optional<WithScalar> operand = OperandAndScalar(node);
    if (!operand.has_value()) break;
    const double number = operand->number;
    if (adds) {
      affine.shift += affine.scale * (node.Is("Add") ? number : -number);
    } else {
      affine.scale *= node.Is("Multiply") ? number : 1 / number;
    }
    affine.of = operand->x;
  }
  return affine;
}

std::optional<Polynomial> PolynomialOf(Value value, Value x) {
  return FindPolynomial(value, x, 0);
}

bool IsPolynomial(Value value, Value x, const Polynomial& wanted) {
  const std::optional<Polynomial> found = PolynomialOf(value, x);
  if (!found.has_value()) return false;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (!IsNearly((*found)[i], wanted[i])) return false;
  }
  return true;
}

Value NegatedIn(Value value) {
  if (const Node* negative = NodeOf(value, "Negative")) {
    return negative->input(0);
  }
  const Node* product = NodeOf(value, "Multiply");
  if (product == nullptr) return Value{};
  const auto scaled = OperandAndScalar(*product);
  return scaled.has_value() && scaled->number == -1 ? scaled->x : Value{};
}

Value SquareRootOf(Value value) {
  if (const Node* product = NodeOf(value, "Multiply")) {
    return product->input(0) == product->input(1) ? product->input(0) : Value{};
  }
  const Node* power = NodeOf(value, "Power");
  if (power == nullptr) return Value{};
  const auto exponent = ScalarBeside(power->input(1), power->input(0));
  return exponent == 2.0 ? power->input(0) : Value{};
}

bool BroadcastsAsNumpy(const Node& node) {
  if (const auto* attributes = node.As<BinaryAttributes>()) {
    return attributes->auto_broadcast == AutoBroadcast::kNumpy;
  }
  const auto* attributes = node.As<DivideAttributes>();
  return attributes != nullptr &&
         attributes->auto_broadcast == AutoBroadcast::kNumpy;
}

bool IsFloatValue(Value value) { return IsFloat(value.type()); }

}  // namespace dovetail
