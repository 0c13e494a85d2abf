#include "dovetail/transformations/low_precision/weights/quantize_weights.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/fused_names.h"
#include "dovetail/core/pass/for_each_model.h"
#include "dovetail/transformations/common/node_builder.h"
#include "dovetail/transformations/low_precision/analysis/linear.h"
#include "dovetail/transformations/low_precision/weights/keep_weights.h"
#include "dovetail/transformations/low_precision/weights/stored_weights.h"

namespace dovetail {
namespace {

Value ScaleConstant(NodeBuilder& b, const std::vector<float>& scale,
                    const WeightsLayout& layout) {
  const bool equal = std::all_of(scale.begin(), scale.end(),
                                 [&](float x) { return x == scale[0]; });
  if (equal) return b.Number(ElementType::kF32, scale[0]);
  auto tensor = Tensor::FromValues<float>(layout.scale_shape, scale);
  if (tensor.ok()) return b.Constant(*tensor);
  b.Update(tensor.status());
  return Value{};
}

absl::StatusOr<bool> QuantizeWeightsOf(Model& model, Node& linear) {
  if (MatchIntegerWeights(linear).has_value()) return false;
  const auto layout = WeightsLayoutOf(linear);
  if (!layout.has_value()) return false;
  const auto stored = MatchStoredWeights(linear.input(1));
  if (!stored.has_value()) return false;
  const auto folded = FoldToInt8(*stored, *layout);
  if (!folded.has_value()) return false;
  DOVETAIL_ASSIGN_OR_RETURN(const Shape shape,
                            linear.input(1).shape().ToShape());
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor integers,
                            folded->integers.Reshape(shape));
  NodeBuilder b(model, *linear.input(1).node);
  const Value converted = b.Convert(b.Constant(integers), ElementType::kF32);
  const Value weights =
      b.Multiply(converted, ScaleConstant(b, folded->scale, *layout));
  if (!b.status().ok()) return b.status();
  MarkAsKept(*converted.node);
  linear.SetInput(1, weights);
  // Constants may be those of other weights too; the last ones take them along.
  for (Node* node : stored->nodes) {
    if (node->has_uses()) continue;
    AddFusedNames(*converted.node, *node);
    model.RemoveNode(node);
  }
  return true;
}

absl::StatusOr<bool> QuantizeIn(Model& model,
                                const LowPrecisionOptions& options) {
  DOVETAIL_ASSIGN_OR_RETURN(const IntegerFlow flow,
                            IntegerFlow::Of(model, options));
  bool any_changed = false;
  for (Node* node : flow.order()) {
    if (!IsLinear(*node) || !options.TakesIntegers(*node)) continue;
    const IntegerFlow::Entry* data = flow.Find(node->input(0));
    if (data == nullptr || !AcceptsData(*node, data->params)) continue;
    DOVETAIL_ASSIGN_OR_RETURN(const bool changed,
                              QuantizeWeightsOf(model, *node));
    any_changed |= changed;
  }
  return any_changed;
}

}  // namespace

absl::StatusOr<bool> QuantizeWeights::Run(Model& model) {
  return ForEachModel(
      model, [this](Model& each) { return QuantizeIn(each, options_); });
}

}  // namespace dovetail
