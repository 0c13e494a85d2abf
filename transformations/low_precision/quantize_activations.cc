#include "dovetail/transformations/low_precision/quantize_activations.h"

#include <cmath>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/quantization/fake_quantize.h"
#include "dovetail/core/pass/for_each_model.h"
#include "dovetail/transformations/low_precision/analysis/quantization_params.h"
#include "dovetail/transformations/low_precision/replace.h"

namespace dovetail {
namespace {

absl::Status QuantizeNode(Model& model, Node& node, bool as_signed) {
  const QuantizationParams from_zero = *QuantizationParamsOf(node);
  const QuantizationParams params =
      as_signed ? *SignedParams(from_zero) : from_zero;
  const float low = params.zero_point[0] - from_zero.zero_point[0];
  NodeBuilder b(model, node);
  const Value integers =
      Quantize(b, node.input(0), node.input(1), node.input(2), params.type,
               std::lround(low), node.As<FakeQuantizeAttributes>()->levels);
  const Value value = Dequantize(b, integers, params);
  return ReplaceByAdded(b, node, {value});
}

absl::StatusOr<bool> QuantizeIn(Model& model,
                                const LowPrecisionOptions& options) {
  DOVETAIL_ASSIGN_OR_RETURN(const IntegerFlow flow,
                            IntegerFlow::Of(model, options));
  bool changed = false;
  for (Node* node : flow.order()) {
    if (!node->Is("FakeQuantize")) continue;
    const IntegerFlow::Entry* entry = flow.Find(node->output());
    if (entry == nullptr || !entry->is_wanted) continue;
    DOVETAIL_RETURN_IF_ERROR(QuantizeNode(model, *node, entry->is_signed()));
    changed = true;
  }
  return changed;
}

}  // namespace

absl::StatusOr<bool> QuantizeActivations::Run(Model& model) {
  return ForEachModel(
      model, [this](Model& each) { return QuantizeIn(each, options_); });
}

}  // namespace dovetail
