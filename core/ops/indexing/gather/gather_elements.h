// GatherElements: for each element of the output the number, along one axis, of
// the element of the data.
#ifndef DOVETAIL_CORE_OPS_INDEXING_GATHER_GATHER_ELEMENTS_H_
#define DOVETAIL_CORE_OPS_INDEXING_GATHER_GATHER_ELEMENTS_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

struct GatherElementsAttributes
    : public AttributesOf<GatherElementsAttributes> {
  int64_t axis = 0;  // counted from the end when negative
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("axis", axis);
  }
};

// Inputs: data, and indices of the output's shape, which is the data's but for
// the axis.
absl::Status InferGatherElements(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_INDEXING_GATHER_GATHER_ELEMENTS_H_
