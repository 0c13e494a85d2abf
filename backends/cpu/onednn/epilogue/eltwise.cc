#include "dovetail/backends/cpu/onednn/epilogue/eltwise.h"

#include "dovetail/core/graph/structural.h"
#include "dovetail/core/ops/activation/activation.h"
#include "dovetail/core/ops/elementwise/unary.h"

namespace dovetail::cpu {
namespace {

using Algorithm = dnnl::algorithm;
using Result = std::optional<Eltwise>;

// The only element of a constant.
std::optional<float> ScalarAt(const Node& node, int input) {
  const Value value = node.input(input);
  if (!value) return std::nullopt;
  const auto* constant = value.node->As<ConstantAttributes>();
  if (constant == nullptr || constant->value.element_count() != 1) return {};
  return static_cast<float>(constant->value.ElementAsDouble(0));
}

// ---- Functions with nothing to choose ----

struct Plain {
  OpType type;
  Eltwise eltwise;
};

constexpr Plain kPlain[] = {
    {"Abs", {Algorithm::eltwise_abs}},
    {"Exp", {Algorithm::eltwise_exp}},
    {"HSigmoid", {Algorithm::eltwise_hardsigmoid, 1.0f / 6, 0.5f}},
    {"HSwish", {Algorithm::eltwise_hardswish, 1.0f / 6, 0.5f}},
    {"Log", {Algorithm::eltwise_log}},
    {"Mish", {Algorithm::eltwise_mish}},
    {"Relu", {Algorithm::eltwise_relu}},
    {"Sigmoid", {Algorithm::eltwise_logistic}},
    {"SoftPlus", {Algorithm::eltwise_soft_relu, 1}},
    {"Sqrt", {Algorithm::eltwise_sqrt}},
    {"Tanh", {Algorithm::eltwise_tanh}},
};

Result PlainFunction(const Node& node) {
  for (const Plain& plain : kPlain) {
    if (node.Is(plain.type)) return plain.eltwise;
  }
  return std::nullopt;
}

// ---- Functions with parameters ----

Result OfAttributes(const Node& node) {
  if (const auto* elu = node.As<EluAttributes>()) {
    return Eltwise{Algorithm::eltwise_elu, static_cast<float>(elu->alpha)};
  }
  if (node.Is("Gelu")) {
    const auto* gelu = node.As<GeluAttributes>();
    const bool tanh =
        gelu != nullptr && gelu->approximation_mode == GeluMode::kTanh;
    return Eltwise{tanh ? Algorithm::eltwise_gelu_tanh
                        : Algorithm::eltwise_gelu_erf};
  }
  if (const auto* round = node.As<RoundAttributes>()) {
    if (round->mode == RoundMode::kHalfToEven) {
      return Eltwise{Algorithm::eltwise_round};
    }
  }
  return std::nullopt;
}

Result OfParameters(const Node& node) {
  if (node.Is("Swish")) {
    if (node.input_count() == 1) return Eltwise{Algorithm::eltwise_swish, 1};
    if (const auto beta = ScalarAt(node, 1)) {
      return Eltwise{Algorithm::eltwise_swish, *beta};
    }
  } else if (node.Is("HardSigmoid")) {
    const auto alpha = ScalarAt(node, 1), beta = ScalarAt(node, 2);
    if (alpha && beta) {
      return Eltwise{Algorithm::eltwise_hardsigmoid, *alpha, *beta};
    }
  } else if (node.Is("Power")) {
    const auto exponent = ScalarAt(node, 1);
    if (exponent == 2.0f) return Eltwise{Algorithm::eltwise_square};
    if (exponent == 0.5f) return Eltwise{Algorithm::eltwise_sqrt};
    if (exponent == 1.0f) return Eltwise{Algorithm::eltwise_linear, 1};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Eltwise> EltwiseOf(const Node& node) {
  if (node.port().type != ElementType::kF32) return std::nullopt;
  for (const auto& rule : {PlainFunction, OfAttributes, OfParameters}) {
    if (const Result result = rule(node)) return result;
  }
  return std::nullopt;
}

bool HasEltwise(const Node& node) { return EltwiseOf(node).has_value(); }

}  // namespace dovetail::cpu
