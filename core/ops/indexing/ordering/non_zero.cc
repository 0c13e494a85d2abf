#include "dovetail/core/ops/indexing/ordering/non_zero.h"

#include <algorithm>

namespace dovetail {

absl::Status InferNonZero(InferContext& context) {
  const ElementType type = context.attributes<NonZeroAttributes>().output_type;
  if (type != ElementType::kI32 && type != ElementType::kI64) {
    return context.Error("output_type is ", ElementTypeName(type),
                         ", want i32 or i64");
  }
  const PartialShape& data = context.shape(0);
  PartialShape shape = PartialShape::OfRank(2);
  if (data.rank_known()) {
    shape[0] = Dimension(std::max(data.rank(), 1));
    shape[1] = Dimension(0, data.ElementCount().max());
  }
  context.SetOutput(0, type, shape);
  return absl::OkStatus();
}

}  // namespace dovetail
