#include "dovetail/core/ops/shape_query/shape_of.h"

#include "dovetail/core/graph/value_range.h"

namespace dovetail {

absl::Status InferShapeOf(InferContext& context) {
  ElementType type = ElementType::kI64;
  if (const auto* attributes = context.node().As<ShapeOfAttributes>()) {
    type = attributes->output_type;
  }
  if (type != ElementType::kI64 && type != ElementType::kI32) {
    return context.Error("output_type is ", ElementTypeName(type),
                         ", want i32 or i64");
  }
  const PartialShape& shape = context.shape(0);
  if (!shape.rank_known()) {
    context.SetOutput(0, type, PartialShape::OfRank(1));
    return absl::OkStatus();
  }
  context.SetOutput(0, type, PartialShape{Dimension(shape.rank())});
  context.SetValue(0, ValueRange::OfShape(shape));
  return absl::OkStatus();
}

}  // namespace dovetail
