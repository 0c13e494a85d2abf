#include "dovetail/core/ops/indexing/ordering/top_k.h"

#include <algorithm>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/axes.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/values.h"

namespace dovetail {
namespace {

// How many elements there will be of an axis of that extent.
absl::StatusOr<Dimension> CountOf(const InferContext& context,
                                  const Dimension& extent) {
  const ValueRange* k = context.value(1);
  if (k == nullptr) return Dimension(0, extent.max());
  const ValueRange::Interval count = (*k)[0];
  const Dimension least = ExtentOf({std::max(count.lower, 0.0),
                                    std::max(count.upper, 0.0)});
  if (count.upper < 0 || least.min() > extent.max()) {
    return context.Error("input 1, K, is ", count.lower, ", want 0 to ",
                         extent.ToString(), ", the extent of the axis");
  }
  return Dimension(least.min(), std::min(least.max(), extent.max()));
}

}  // namespace

absl::Span<const EnumName> EnumNames(TopKMode) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(TopKMode::kMax), "max"},
      {static_cast<int>(TopKMode::kMin), "min"},
  };
  return kNames;
}

absl::Span<const EnumName> EnumNames(TopKSort) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(TopKSort::kNone), "none"},
      {static_cast<int>(TopKSort::kIndex), "index"},
      {static_cast<int>(TopKSort::kValue), "value"},
  };
  return kNames;
}

std::unique_ptr<Attributes> MakeTopK1Attributes() {
  auto attributes = std::make_unique<TopKAttributes>();
  attributes->has_stable = false;
  return attributes;
}

absl::Status InferTopK(InferContext& context) {
  const auto& attributes = context.attributes<TopKAttributes>();
  const ElementType index_type = attributes.index_element_type;
  if (index_type != ElementType::kI32 && index_type != ElementType::kI64) {
    return context.Error("index_element_type is ", ElementTypeName(index_type),
                         ", want i32 or i64");
  }
  if (attributes.stable && attributes.sort == TopKSort::kNone) {
    return context.Error("stable is true with sort none, want sort value or "
                         "index");
  }
  DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 1, 0));
  DOVETAIL_RETURN_IF_ERROR(RequireRankAtLeast(context, 0, 1));
  PartialShape shape = context.shape(0);
  if (shape.rank_known()) {
    DOVETAIL_ASSIGN_OR_RETURN(
        const int axis, CheckedAxis(context, attributes.axis, shape.rank()));
    DOVETAIL_ASSIGN_OR_RETURN(shape[axis], CountOf(context, shape[axis]));
  }
  context.SetOutput(0, context.type(0), shape);
  context.SetOutput(1, index_type, std::move(shape));
  return absl::OkStatus();
}

}  // namespace dovetail
