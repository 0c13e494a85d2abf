// GatherND: slices of the data by their coordinates.
#ifndef DOVETAIL_CORE_OPS_INDEXING_GATHER_GATHER_ND_H_
#define DOVETAIL_CORE_OPS_INDEXING_GATHER_GATHER_ND_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

struct GatherNDAttributes : public AttributesOf<GatherNDAttributes> {
  int64_t batch_dims = 0;  // leading axes that data and indices share
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("batch_dims", batch_dims);
  }
};

// Inputs: data, and indices whose last axis holds coordinates on the data's
// first axes after the shared ones. Version 5 joins the shared axes into one.
absl::Status InferGatherND(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_INDEXING_GATHER_GATHER_ND_H_
