// ShapeOf: the extents of a tensor as a vector.
#ifndef DOVETAIL_CORE_OPS_SHAPE_QUERY_SHAPE_OF_H_
#define DOVETAIL_CORE_OPS_SHAPE_QUERY_SHAPE_OF_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// Of version 3; version 0 has none and gives i64.
struct ShapeOfAttributes : public AttributesOf<ShapeOfAttributes> {
  ElementType output_type = ElementType::kI64;  // or i32
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("output_type", output_type);
  }
};

absl::Status InferShapeOf(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_SHAPE_QUERY_SHAPE_OF_H_
