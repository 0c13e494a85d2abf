#include "dovetail/backends/cpu/onednn/eltwise.h"

#include <limits>

#include "dovetail/core/graph/structural.h"
#include "dovetail/core/ops/activation/activation.h"
#include "dovetail/core/ops/elementwise/unary.h"

namespace dovetail::cpu {
namespace {

using Algorithm = dnnl::algorithm;
using Result = std::optional<Eltwise>;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

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
    {"Negative", {Algorithm::eltwise_linear, -1}},
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
  if (const auto* clamp = node.As<ClampAttributes>()) {
    return Eltwise{Algorithm::eltwise_clip, static_cast<float>(clamp->min),
                   static_cast<float>(clamp->max)};
  }
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
  } else if (node.Is("PRelu")) {
    if (const auto slope = ScalarAt(node, 1)) {
      return Eltwise{Algorithm::eltwise_relu, *slope};
    }
  }
  return std::nullopt;
}

// ---- Arithmetic with one number ----

Result PowerOf(float exponent) {
  if (exponent == 2) return Eltwise{Algorithm::eltwise_square};
  if (exponent == 0.5f) return Eltwise{Algorithm::eltwise_sqrt};
  if (exponent == 1) return Eltwise{Algorithm::eltwise_linear, 1};
  return std::nullopt;
}

Result Arithmetic(const Node& node, int input) {
  if (node.input_count() != 2) return std::nullopt;
  const auto scalar = ScalarAt(node, 1 - input);
  if (!scalar) return std::nullopt;
  const float c = *scalar;
  const bool first = input == 0;
  if (node.Is("Add")) return Eltwise{Algorithm::eltwise_linear, 1, c};
  if (node.Is("Multiply")) return Eltwise{Algorithm::eltwise_linear, c};
  if (node.Is("Subtract")) {
    return first ? Eltwise{Algorithm::eltwise_linear, 1, -c}
                 : Eltwise{Algorithm::eltwise_linear, -1, c};
  }
  if (node.Is("Divide") && first && c != 0) {
    return Eltwise{Algorithm::eltwise_linear, 1 / c};
  }
  if (node.Is("Maximum")) {
    return Eltwise{Algorithm::eltwise_clip, c, kInfinity};
  }
  if (node.Is("Minimum")) {
    return Eltwise{Algorithm::eltwise_clip, -kInfinity, c};
  }
  if (node.Is("Power") && first) return PowerOf(c);
  return std::nullopt;
}

}  // namespace

std::optional<Eltwise> EltwiseOf(const Node& node, int input) {
  if (node.port().type != ElementType::kF32) return std::nullopt;
  if (input == 0) {
    for (const auto& rule : {PlainFunction, OfAttributes, OfParameters}) {
      if (const Result result = rule(node)) return result;
    }
  }
  return Arithmetic(node, input);
}

}  // namespace dovetail::cpu
