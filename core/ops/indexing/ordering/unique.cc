#include "dovetail/core/ops/indexing/ordering/unique.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/axes.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/values.h"

namespace dovetail {
namespace {

absl::Status CheckIndexType(const InferContext& context,
                            absl::string_view name, ElementType type) {
  if (type == ElementType::kI32 || type == ElementType::kI64) {
    return absl::OkStatus();
  }
  return context.Error(name, " is ", ElementTypeName(type),
                       ", want i32 or i64");
}

// How many are unique among `total`.
Dimension UniqueCount(const Dimension& total) {
  return Dimension(std::min<int64_t>(total.min(), 1), total.max());
}

}  // namespace

absl::Status InferUnique(InferContext& context) {
  const auto& attributes = context.attributes<UniqueAttributes>();
  DOVETAIL_RETURN_IF_ERROR(CheckIndexType(context, "index_element_type",
                                          attributes.index_element_type));
  DOVETAIL_RETURN_IF_ERROR(CheckIndexType(context, "count_element_type",
                                          attributes.count_element_type));
  const PartialShape& data = context.shape(0);
  Dimension total = Dimension::Unknown();
  PartialShape unique;
  if (!context.has_input(1)) {
    total = data.ElementCount();
    unique = PartialShape{UniqueCount(total)};
  } else {
    DOVETAIL_RETURN_IF_ERROR(RequireIndex(context, 1));
    DOVETAIL_RETURN_IF_ERROR(RequireSingleElement(context, 1));
    const std::optional<int64_t> number = context.scalar_int(1);
    if (data.rank_known()) unique = UnknownOfRank(data.rank());
    if (number.has_value() && data.rank_known()) {
      DOVETAIL_ASSIGN_OR_RETURN(
          const int axis,
          CheckedAxis(context, *number, data.rank(), "input 1, axis,"));
      total = data[axis];
      unique = data;
      unique[axis] = UniqueCount(total);
    }
  }
  const PartialShape counts{UniqueCount(total)};
  context.SetOutput(0, context.type(0), std::move(unique));
  context.SetOutput(1, attributes.index_element_type, counts);
  context.SetOutput(2, attributes.index_element_type, PartialShape{total});
  context.SetOutput(3, attributes.count_element_type, counts);
  return absl::OkStatus();
}

}  // namespace dovetail
