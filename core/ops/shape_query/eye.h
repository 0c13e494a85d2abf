// Eye: matrices with ones on a diagonal.
#ifndef DOVETAIL_CORE_OPS_SHAPE_QUERY_EYE_H_
#define DOVETAIL_CORE_OPS_SHAPE_QUERY_EYE_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

struct EyeAttributes : public AttributesOf<EyeAttributes> {
  ElementType output_type = ElementType::kF32;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("output_type", output_type);
  }
};

// Inputs: number of rows, number of columns, diagonal (above the main one when
// positive), all single elements, and the shape of the batch (a vector,
// optional).
absl::Status InferEye(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_SHAPE_QUERY_EYE_H_
