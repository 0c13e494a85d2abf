// Gather: slices of the data along one axis, by their numbers.
#ifndef DOVETAIL_CORE_OPS_INDEXING_GATHER_GATHER_H_
#define DOVETAIL_CORE_OPS_INDEXING_GATHER_GATHER_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// Of versions 7 and 8; version 1 has none.
struct GatherAttributes : public AttributesOf<GatherAttributes> {
  // Leading axes that data and indices share; counts from the end of the
  // indices' axes when negative.
  int64_t batch_dims = 0;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("batch_dims", batch_dims);
  }
};

// The number of shared axes for indices of that rank; outside of [0, rank]
// when the attribute is wrong.
int64_t BatchDims(const Node& node, int indices_rank);

// Inputs: data, indices, axis (one element). Output: the data's axes before
// `axis`, the indices' axes but the shared ones, the data's axes after `axis`.
absl::Status InferGather(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_INDEXING_GATHER_GATHER_H_
