// Concat: inputs one after another along an axis.
#ifndef DOVETAIL_CORE_OPS_MOVEMENT_JOINING_CONCAT_H_
#define DOVETAIL_CORE_OPS_MOVEMENT_JOINING_CONCAT_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

struct ConcatAttributes : public AttributesOf<ConcatAttributes> {
  int64_t axis = 0;  // counted from the end when negative
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("axis", axis);
  }
};

// Inputs: one or more of one type, equal but for the extent along the axis.
absl::Status InferConcat(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_MOVEMENT_JOINING_CONCAT_H_
