#include "dovetail/transformations/low_precision/attention_levels.h"

#include <cmath>
#include <cstdint>
#include <optional>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/linear/scaled_dot_product_attention.h"
#include "dovetail/core/ops/quantization/fake_quantize.h"
#include "dovetail/core/pass/for_each_model.h"
#include "dovetail/transformations/common/movements.h"
#include "dovetail/transformations/common/node_builder.h"
#include "dovetail/transformations/low_precision/analysis/quantization_params.h"

namespace dovetail {
namespace {

constexpr int kQuery = 0, kKey = 1, kMask = 3, kScale = 4;

// The FakeQuantize that gives `value` and nothing else; null: there is none.
Node* QuantizationOf(Value value) {
  while (value.port().uses.size() == 1 && IsMovement(*value.node)) {
    value = value.node->input(0);
  }
  const bool is_own =
      value.node->Is("FakeQuantize") && value.port().uses.size() == 1;
  return is_own ? value.node : nullptr;
}

// Those of a node, if they are one scale and an integer.
std::optional<QuantizationParams> WholeParamsOf(const Node& node) {
  constexpr float kTolerance = 1e-3f;  // of a level
  std::optional<QuantizationParams> params = QuantizationParamsOf(node);
  if (!params.has_value() || params->is_per_channel() || !HasZero(*params)) {
    return std::nullopt;
  }
  float& zero_point = params->zero_point[0];
  const float whole = std::nearbyint(zero_point);
  if (std::abs(zero_point - whole) > kTolerance) return std::nullopt;
  zero_point = whole;
  return params;
}

bool HasInput(const Node& node, int i) {
  return node.input_count() > i && node.input(i);
}

std::optional<double> UsualScale(const Node& attention) {
  return DefaultAttentionScale(attention.input(kQuery).shape());
}

void SetOrAdd(Node& node, int i, Value value) {
  if (i < node.input_count()) {
    node.SetInput(i, value);
  } else {
    node.AddInput(value);
  }
}

absl::Status ScaleBy(float factor, Model& model, Node& attention) {
  NodeBuilder b(model, attention);
  const ElementType type = attention.port().type;
  const Value number = b.Number(type, factor);
  const Value scale = HasInput(attention, kScale)
                          ? attention.input(kScale)
                          : b.Number(type, *UsualScale(attention));
  const Value product = b.Multiply(scale, number);
  // No scale without a mask: one that does nothing.
  const Value mask =
      HasInput(attention, kMask) ? attention.input(kMask) : b.Number(type, 0);
  DOVETAIL_RETURN_IF_ERROR(b.status());
  SetOrAdd(attention, kMask, mask);
  SetOrAdd(attention, kScale, product);
  return absl::OkStatus();
}

absl::Status MakeWhole(Model& model, Node& quantization,
                       const QuantizationParams& params) {
  const int64_t steps = quantization.As<FakeQuantizeAttributes>()->levels - 1;
  NodeBuilder b(model, quantization);
  const float first = -params.zero_point[0];
  const Value low = b.Number(ElementType::kF32, first);
  const Value high =
      b.Number(ElementType::kF32, first + static_cast<float>(steps));
  DOVETAIL_RETURN_IF_ERROR(b.status());
  quantization.SetInput(3, low);
  quantization.SetInput(4, high);
  return absl::OkStatus();
}

absl::StatusOr<bool> ChangeIn(Model& model, Node& attention) {
  if (attention.port().type != ElementType::kF32 ||
      (!HasInput(attention, kScale) && !UsualScale(attention).has_value())) {
    return false;
  }
  bool changed = false;
  for (const int input : {kQuery, kKey}) {
    Node* const quantization = QuantizationOf(attention.input(input));
    if (quantization == nullptr || GivesWholeLevels(*quantization)) continue;
    const auto params = WholeParamsOf(*quantization);
    if (!params.has_value()) continue;
    DOVETAIL_RETURN_IF_ERROR(ScaleBy(params->scale[0], model, attention));
    DOVETAIL_RETURN_IF_ERROR(MakeWhole(model, *quantization, *params));
    changed = true;
  }
  return changed;
}

}  // namespace

absl::StatusOr<bool> AttentionLevels::Run(Model& model) {
  return ForEachModel(model, [](Model& each) -> absl::StatusOr<bool> {
    bool changed = false;
    DOVETAIL_ASSIGN_OR_RETURN(const auto order, each.TopologicalOrder());
    for (Node* node : order) {
      if (!node->Is("ScaledDotProductAttention")) continue;
      DOVETAIL_ASSIGN_OR_RETURN(const bool one, ChangeIn(each, *node));
      changed |= one;
    }
    return changed;
  });
}

bool GivesWholeLevels(const Node& fake_quantize) {
  const auto params = WholeParamsOf(fake_quantize);
  return params.has_value() && params->scale[0] == 1;
}

}  // namespace dovetail
