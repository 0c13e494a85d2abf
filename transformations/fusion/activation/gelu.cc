#include <cmath>

#include "dovetail/transformations/fusion/activation/rules.h"
#include "dovetail/transformations/fusion/common/matching.h"

namespace dovetail {
namespace {

constexpr double kSqrtOf2OverPi = M_2_SQRTPI * M_SQRT1_2;
constexpr double kCubic = 0.044715;

// Whether t is sqrt(2 / pi) * (x + 0.044715 * x^3).
bool IsInnerOfTanh(Value t, Value x) {
  const std::optional<Polynomial> p = PolynomialOf(t, x);
  return p.has_value() && (*p)[0] == 0 && (*p)[2] == 0 &&
         IsNearly((*p)[1], kSqrtOf2OverPi) &&
         IsNearly((*p)[3] / (*p)[1], kCubic);
}

// The mode in which `gate` is a * (1 + erf(x / sqrt(2))), or by tanh; a is
// multiplied into `factor`.
const char* ModeOf(Value gate, Value x, double& factor) {
  const Affine affine = AffineOf(gate);
  if (affine.shift == 0 || !IsNearly(affine.scale, affine.shift))
    return nullptr;
  factor *= affine.shift;
  if (const Node* erf = InnerNode(affine.of, "Erf")) {
    return IsPolynomial(erf->input(0), x, {0, M_SQRT1_2, 0, 0}) ? "erf"
                                                                : nullptr;
  }
  const Node* tanh = InnerNode(affine.of, "Tanh");
  return tanh != nullptr && IsInnerOfTanh(tanh->input(0), x) ? "tanh" : nullptr;
}

Replacement Gelu(NodeBuilder& b, const Node& node) {
  if (!IsFloatValue(OutputOf(node))) return {};
  const Product product = ProductOf(node);
  if (product.values.size() != 2) return {};
  for (int i = 0; i < 2; ++i) {
    const Value x = product.values[i], gate = product.values[1 - i];
    double factor = product.number;
    const char* mode = ModeOf(gate, x, factor);
    if (mode == nullptr || !IsNearly(factor, 0.5)) continue;
    return {b.Make("Gelu", {x}, {{"approximation_mode", std::string(mode)}})};
  }
  return {};
}

constexpr NodeRule kRules[] = {
    {"Multiply", 1, "x / 2 * (1 + erf(x / sqrt(2))), or by tanh", &Gelu},
    {"Divide", 1, "x * (1 + erf(x / sqrt(2))) / 2, or by tanh", &Gelu},
};

}  // namespace

absl::Span<const NodeRule> GeluFusions() { return kRules; }

}  // namespace dovetail
