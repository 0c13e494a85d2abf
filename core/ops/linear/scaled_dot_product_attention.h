// ScaledDotProductAttention.
#ifndef DOVETAIL_CORE_OPS_LINEAR_SCALED_DOT_PRODUCT_ATTENTION_H_
#define DOVETAIL_CORE_OPS_LINEAR_SCALED_DOT_PRODUCT_ATTENTION_H_

#include <optional>

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"

namespace dovetail {

struct ScaledDotProductAttentionAttributes
    : public AttributesOf<ScaledDotProductAttentionAttributes> {
  // Row i of the queries sees keys 0 … i only, and input 3 is not looked at.
  bool causal = false;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("causal", causal);
  }
};

// query [N …, L, E], key [N …, S, E], value [N …, S, F] and perhaps
//   mask, scalar or broadcast to [N …, L, S]: boolean, or added to scores;
//   scale, one element: what scores are multiplied with, else 1 / sqrt(E);
//   sink, broadcast to [N …, L, 1]: a score that takes part in the softmax
//   without a value of its own
// -> [N …, L, F]. Leading axes N … broadcast.
absl::Status InferScaledDotProductAttention(InferContext& context);

// What scores are multiplied with where no input says it: 1 / sqrt(E) of
// queries of that shape. Nothing where E is not known, or 0.
std::optional<double> DefaultAttentionScale(const PartialShape& query);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_LINEAR_SCALED_DOT_PRODUCT_ATTENTION_H_
