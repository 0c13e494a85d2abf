#include "dovetail/core/ops/string/string.h"

#include <optional>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"

namespace dovetail {

absl::Status InferStringTensorPack(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireIndex(context, 0));
  DOVETAIL_RETURN_IF_ERROR(RequireSameType(context, 0, 1).status());
  DOVETAIL_RETURN_IF_ERROR(RequireType(context, 2, ElementType::kU8));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 2, 1));
  std::optional<PartialShape> shape =
      Intersect(context.shape(0), context.shape(1));
  if (!shape.has_value()) {
    return context.Error("input 1 has shape ", context.shape(1).ToString(),
                         ", want ", context.shape(0).ToString(),
                         " as input 0 has");
  }
  context.SetOutput(0, ElementType::kString, *std::move(shape));
  return absl::OkStatus();
}

absl::Status InferStringTensorUnpack(InferContext& context) {
  context.SetOutput(0, ElementType::kI32, context.shape(0));
  context.SetOutput(1, ElementType::kI32, context.shape(0));
  const bool empty = context.shape(0).ElementCount() == Dimension(0);
  context.SetOutput(2, ElementType::kU8,
                    PartialShape{empty ? Dimension(0) : Dimension()});
  return absl::OkStatus();
}

}  // namespace dovetail
