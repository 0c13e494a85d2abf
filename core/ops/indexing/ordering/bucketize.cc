#include "dovetail/core/ops/indexing/ordering/bucketize.h"

#include <optional>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"

namespace dovetail {

namespace {

absl::Status RequireIndexType(const InferContext& context, ElementType type) {
  if (type == ElementType::kI32 || type == ElementType::kI64) {
    return absl::OkStatus();
  }
  return context.Error("output_type is ", ElementTypeName(type),
                       ", want i32 or i64");
}

}  // namespace

absl::Status InferBucketize(InferContext& context) {
  const ElementType type =
      context.attributes<BucketizeAttributes>().output_type;
  DOVETAIL_RETURN_IF_ERROR(RequireIndexType(context, type));
  DOVETAIL_RETURN_IF_ERROR(RequireNumeric(context, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 1, 1));
  context.SetOutput(0, type, context.shape(0));
  return absl::OkStatus();
}

absl::Status InferSearchSorted(InferContext& context) {
  const ElementType type =
      context.attributes<SearchSortedAttributes>().output_type;
  DOVETAIL_RETURN_IF_ERROR(RequireIndexType(context, type));
  DOVETAIL_RETURN_IF_ERROR(RequireSameType(context, 0, 1).status());
  DOVETAIL_RETURN_IF_ERROR(RequireRankAtLeast(context, 0, 1));
  const PartialShape& sorted = context.shape(0);
  PartialShape shape = context.shape(1);
  const bool several = sorted.rank_known() && sorted.rank() > 1;
  if (several && !shape.rank_known()) {
    shape = PartialShape::OfRank(sorted.rank());
  }
  if (several) {
    DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 1, sorted.rank()));
    for (int axis = 0; axis + 1 < sorted.rank(); ++axis) {
      const std::optional<Dimension> both =
          Intersect(sorted[axis], shape[axis]);
      if (both.has_value()) {
        shape[axis] = *both;
        continue;
      }
      return context.Error("input 1 has shape ", shape.ToString(),
                           ", want ", sorted[axis].ToString(), " on axis ",
                           axis, " as input 0 of shape ", sorted.ToString());
    }
  }
  context.SetOutput(0, type, std::move(shape));
  return absl::OkStatus();
}

}  // namespace dovetail
