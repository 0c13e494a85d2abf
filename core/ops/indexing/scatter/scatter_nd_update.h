// ScatterNDUpdate: data with slices replaced or combined, by coordinates.
#ifndef DOVETAIL_CORE_OPS_INDEXING_SCATTER_SCATTER_ND_UPDATE_H_
#define DOVETAIL_CORE_OPS_INDEXING_SCATTER_SCATTER_ND_UPDATE_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// How an update and what is there already become one.
enum class ScatterNDReduction { kNone, kSum, kSub, kProd, kMin, kMax };
absl::Span<const EnumName> EnumNames(ScatterNDReduction);

// Of version 15; version 3 has none and replaces.
struct ScatterNDUpdateAttributes
    : public AttributesOf<ScatterNDUpdateAttributes> {
  ScatterNDReduction reduction = ScatterNDReduction::kNone;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("reduction", reduction);
  }
};

// Inputs: data, indices whose last axis holds coordinates on the data's first
// axes, and updates: the indices' other axes, then the data's other axes.
absl::Status InferScatterNDUpdate(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_INDEXING_SCATTER_SCATTER_ND_UPDATE_H_
