#include "dovetail/core/ops/indexing/ordering/non_zero.h"

#include <algorithm>

namespace dovetail {
namespace {

// How many elements of the input are not zero.
Dimension CountOf(const InferContext& context) {
  const ValueRange* value = context.value(0);
  if (value == nullptr) {
    return Dimension(0, context.shape(0).ElementCount().max());
  }
  int64_t least = 0, most = 0;
  for (const ValueRange::Interval& element : value->elements()) {
    const bool may_be_zero = element.lower <= 0 && element.upper >= 0;
    least += may_be_zero ? 0 : 1;
    most += may_be_zero && element.is_exact() ? 0 : 1;
  }
  return Dimension(least, most);
}

}  // namespace

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
    shape[1] = CountOf(context);
  }
  context.SetOutput(0, type, shape);
  return absl::OkStatus();
}

}  // namespace dovetail
