#include "dovetail/core/ops/shape_query/eye.h"

#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/values.h"

namespace dovetail {
namespace {

// Element `i` of an input as an extent; unknown when it is.
absl::StatusOr<Dimension> ExtentAt(const InferContext& context, int input,
                                   int64_t i) {
  const ValueRange* value = context.value(input);
  if (value == nullptr || i >= value->size()) return Dimension::Unknown();
  if ((*value)[i].upper < 0) {
    return context.Error("input ", input, " is ", (*value)[i].upper,
                         ", want an extent of 0 or more");
  }
  return ExtentOf((*value)[i]);
}

absl::StatusOr<PartialShape> BatchShape(const InferContext& context) {
  if (!context.has_input(3)) return PartialShape::OfRank(0);
  DOVETAIL_RETURN_IF_ERROR(RequireIndex(context, 3));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 3, 1));
  PartialShape shape = ShapeOfLength(context.shape(3));
  for (int axis = 0; shape.rank_known() && axis < shape.rank(); ++axis) {
    DOVETAIL_ASSIGN_OR_RETURN(shape[axis], ExtentAt(context, 3, axis));
  }
  return shape;
}

}  // namespace

absl::Status InferEye(InferContext& context) {
  for (int i = 0; i < 3; ++i) {
    DOVETAIL_RETURN_IF_ERROR(RequireIndex(context, i));
    DOVETAIL_RETURN_IF_ERROR(RequireSingleElement(context, i));
  }
  const ElementType type = context.attributes<EyeAttributes>().output_type;
  if (type == ElementType::kDynamic) {
    return context.Error("output_type is not set");
  }
  DOVETAIL_ASSIGN_OR_RETURN(PartialShape shape, BatchShape(context));
  for (int i = 0; i < 2; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const Dimension extent, ExtentAt(context, i, 0));
    if (shape.rank_known()) shape.push_back(extent);
  }
  context.SetOutput(0, type, std::move(shape));
  return absl::OkStatus();
}

}  // namespace dovetail
