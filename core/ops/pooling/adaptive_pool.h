// AdaptiveAvgPool and AdaptiveMaxPool: poolings whose windows are chosen so
// that the output has given extents.
#ifndef DOVETAIL_CORE_OPS_POOLING_ADAPTIVE_POOL_H_
#define DOVETAIL_CORE_OPS_POOLING_ADAPTIVE_POOL_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

struct AdaptiveMaxPoolAttributes
    : public AttributesOf<AdaptiveMaxPoolAttributes> {
  ElementType index_element_type = ElementType::kI64;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("index_element_type", index_element_type);
  }
};

// data [N, C, spatial …], spatial extents of the output [spatial rank]
// -> means [N, C, …].
absl::Status InferAdaptiveAvgPool(InferContext& context);
// The same -> greatest elements and their numbers within [spatial …].
absl::Status InferAdaptiveMaxPool(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_POOLING_ADAPTIVE_POOL_H_
