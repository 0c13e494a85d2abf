#include "dovetail/transformations/fusion/common/matching.h"
#include "dovetail/transformations/fusion/normalization/divide_by_root.h"
#include "dovetail/transformations/fusion/normalization/rules.h"

namespace dovetail {
namespace {

Replacement Make(NodeBuilder& b, Value x, const std::vector<int64_t>& axes,
                 double eps, bool by_maximum) {
  return {b.Make(
      "NormalizeL2", {x, b.Ints(axes)},
      {{"eps", eps}, {"eps_mode", std::string(by_maximum ? "max" : "add")}})};
}

// x / sqrt(sum(x^2) + eps)
Replacement OverSum(NodeBuilder& b, const Node& node) {
  const auto over = DivideByRootOf(node);
  if (!over.has_value() || over->root.place == Root::Eps::kOutside) return {};
  const auto sum = ReductionOf(over->root.under, "ReduceSum");
  if (!sum.has_value() || SquareRootOf(sum->of) != over->of) return {};
  return Make(b, over->of, sum->axes, over->root.eps,
              over->root.place == Root::Eps::kGreater);
}

// x / max(|x|, eps), where |x| is its length.
Replacement OverLength(NodeBuilder& b, const Node& node) {
  const Value x = node.input(0);
  if (!IsFloatValue(x)) return {};
  Value length = node.input(1);
  double least = 0;
  if (const Node* maximum = InnerNode(length, "Maximum")) {
    const auto operand = OperandAndScalar(*maximum);
    if (!operand.has_value() || !(operand->number >= 0)) return {};
    length = operand->x;
    least = operand->number;
  }
  const auto norm = ReductionOf(length, "ReduceL2");
  if (!norm.has_value() || norm->of != x || !IsReadOnce(length)) return {};
  return Make(b, x, norm->axes, least * least, /*by_maximum=*/true);
}

constexpr NodeRule kRules[] = {
    {"Divide", 1, "x / sqrt(sum(x * x) + eps)", &OverSum},
    {"Multiply", 1, "x * (1 / sqrt(sum(x * x) + eps))", &OverSum},
    {"Divide", 1, "x / max(norm(x), eps)", &OverLength},
};

}  // namespace

absl::Span<const NodeRule> NormalizeL2Fusions() { return kRules; }

}  // namespace dovetail
