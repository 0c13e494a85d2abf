#include "dovetail/transformations/fusion/normalization/divide_by_root.h"

#include <algorithm>

#include "dovetail/core/ops/reduction/reduce.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/fusion/common/matching.h"

namespace dovetail {
namespace {

// What is below a root sign.
Root OfRadicand(Value radicand) {
  const Node* node = radicand.node;
  const bool adds = node->Is("Add");
  if ((adds || node->Is("Maximum")) && IsReadOnce(radicand)) {
    if (const auto operand = OperandAndScalar(*node)) {
      return {operand->x, operand->number,
              adds ? Root::Eps::kInside : Root::Eps::kGreater, radicand};
    }
  }
  return {radicand, 0, Root::Eps::kInside, radicand};
}

// x of x ^ exponent, when nobody else reads that.
Value InPower(Value value, double exponent) {
  const Node* power = InnerNode(value, "Power");
  if (power == nullptr) return Value{};
  const Value x = power->input(0);
  return ScalarBeside(power->input(1), x) == exponent ? x : Value{};
}

Value UnderRootSign(Value value) {
  if (const Node* sqrt = InnerNode(value, "Sqrt")) return sqrt->input(0);
  return InPower(value, 0.5);
}

// sqrt(under) + eps and max(sqrt(under), eps).
std::optional<Root> Bounded(Value value) {
  const bool adds = InnerNode(value, "Add") != nullptr;
  if (!adds && InnerNode(value, "Maximum") == nullptr) return std::nullopt;
  const auto operand = OperandAndScalar(*value.node);
  if (!operand.has_value() || !(operand->number >= 0)) return std::nullopt;
  const Value under = UnderRootSign(operand->x);
  if (!under) return std::nullopt;
  if (adds) return Root{under, operand->number, Root::Eps::kOutside, Value{}};
  const double eps = operand->number * operand->number;
  return Root{under, eps, Root::Eps::kGreater, Value{}};
}

}  // namespace

std::optional<Root> RootOf(Value value) {
  if (const Value radicand = UnderRootSign(value)) return OfRadicand(radicand);
  return Bounded(value);
}

std::optional<Root> InverseRootOf(Value value) {
  if (const Value radicand = InPower(value, -0.5)) return OfRadicand(radicand);
  if (const Value root = InPower(value, -1)) return RootOf(root);
  const Node* quotient = InnerNode(value, "Divide");
  if (quotient == nullptr) return std::nullopt;
  const Value root = quotient->input(1);
  if (ScalarBeside(quotient->input(0), root) != 1.0) return std::nullopt;
  return RootOf(root);
}

std::optional<DivideByRoot> DivideByRootOf(const Node& last) {
  if (last.input_count() != 2 || !IsFloatValue(last.input(0))) {
    return std::nullopt;
  }
  if (last.Is("Divide")) {
    const auto root = RootOf(last.input(1));
    if (!root.has_value()) return std::nullopt;
    return DivideByRoot{last.input(0), *root};
  }
  if (!last.Is("Multiply")) return std::nullopt;
  for (int i : {1, 0}) {
    if (const auto root = InverseRootOf(last.input(i))) {
      return DivideByRoot{last.input(1 - i), *root};
    }
  }
  return std::nullopt;
}

std::optional<Reduction> ReductionOf(Value value, OpType type) {
  const Node* node = NodeOf(value, type);
  const auto* attributes =
      node == nullptr ? nullptr : node->As<ReduceAttributes>();
  if (attributes == nullptr || !attributes->keep_dims) return std::nullopt;
  auto axes = ConstantInts(node->input(1));
  if (!axes.has_value() || axes->empty()) return std::nullopt;
  const PartialShape& shape = node->input(0).shape();
  for (int64_t& axis : *axes) {
    if (axis < 0 && shape.rank_known()) axis += shape.rank();
  }
  std::sort(axes->begin(), axes->end());
  return Reduction{node->input(0), *std::move(axes)};
}

}  // namespace dovetail
