#include "dovetail/transformations/fusion/common/matching.h"
#include "dovetail/transformations/fusion/normalization/divide_by_root.h"
#include "dovetail/transformations/fusion/normalization/rules.h"

namespace dovetail {
namespace {

// The one axis along which `value` reduces `of`; -1 when it is none, or more.
int64_t AxisOf(Value value, OpType type, Value of) {
  const auto reduction = ReductionOf(value, type);
  const bool is_one = reduction.has_value() && reduction->of == of &&
                      reduction->axes.size() == 1;
  return is_one ? reduction->axes[0] : -1;
}

// x of x - max(x) along the axis, as a maximum changes nothing; else x itself.
Value WithoutMaximum(Value value, int64_t axis) {
  if (!IsReadOnce(value)) return value;
  const Node& node = *value.node;
  if (node.Is("Subtract") &&
      AxisOf(node.input(1), "ReduceMax", node.input(0)) == axis) {
    return node.input(0);
  }
  if (!node.Is("Add")) return value;
  for (int i : {0, 1}) {
    const Value maximum = NegatedIn(node.input(1 - i));
    const Value x = node.input(i);
    if (maximum && AxisOf(maximum, "ReduceMax", x) == axis) return x;
  }
  return value;
}

// exp(x - max(x)) / sum(exp(x - max(x)))
Replacement Softmax(NodeBuilder& b, const Node& node) {
  const Value power = node.input(0);
  const Node* exp = NodeOf(power, "Exp");
  if (exp == nullptr || !IsFloatValue(power) || power.port().uses.size() != 2 ||
      !power.shape().rank_known()) {
    return {};
  }
  const int64_t axis = AxisOf(node.input(1), "ReduceSum", power);
  if (axis < 0 || !IsReadOnce(node.input(1))) return {};
  const Value x = WithoutMaximum(exp->input(0), axis);
  return {b.Make("Softmax", {x}, {{"axis", axis}})};
}

constexpr NodeRule kRules[] = {
    {"Divide", 1, "exp(x) / sum(exp(x))", &Softmax},
};

}  // namespace

absl::Span<const NodeRule> SoftmaxFusions() { return kRules; }

}  // namespace dovetail
