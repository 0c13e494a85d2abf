// ScatterElementsUpdate: data with single elements replaced or combined.
#ifndef DOVETAIL_CORE_OPS_INDEXING_SCATTER_SCATTER_ELEMENTS_UPDATE_H_
#define DOVETAIL_CORE_OPS_INDEXING_SCATTER_SCATTER_ELEMENTS_UPDATE_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// How an update and what is there already become one.
enum class ScatterReduction { kNone, kSum, kProd, kMin, kMax, kMean };
absl::Span<const EnumName> EnumNames(ScatterReduction);

// Of version 12; version 3 has none and replaces.
struct ScatterElementsUpdateAttributes
    : public AttributesOf<ScatterElementsUpdateAttributes> {
  ScatterReduction reduction = ScatterReduction::kNone;
  bool use_init_val = true;  // whether the data's element takes part
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("reduction", reduction);
    visitor.Visit("use_init_val", use_init_val);
  }
};

// Inputs: data, indices along the axis, updates of their shape, axis
// (one element).
absl::Status InferScatterElementsUpdate(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_INDEXING_SCATTER_SCATTER_ELEMENTS_UPDATE_H_
