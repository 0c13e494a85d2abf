// Reshape: the same elements in another shape.
#ifndef DOVETAIL_CORE_OPS_MOVEMENT_RESHAPING_RESHAPE_H_
#define DOVETAIL_CORE_OPS_MOVEMENT_RESHAPING_RESHAPE_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

struct ReshapeAttributes : public AttributesOf<ReshapeAttributes> {
  // Whether 0 in the new shape stands for the extent that the input has there.
  bool special_zero = false;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("special_zero", special_zero);
  }
};

// Inputs: data, and the new shape as a vector (or 1 as a scalar, for a scalar).
// One extent may be -1: whatever is left.
absl::Status InferReshape(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_MOVEMENT_RESHAPING_RESHAPE_H_
