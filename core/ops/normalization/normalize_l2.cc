#include "dovetail/core/ops/normalization/normalize_l2.h"

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/normalization/axes.h"

namespace dovetail {
namespace {

constexpr EnumName kEpsModeNames[] = {
    {static_cast<int>(EpsMode::kAdd), "add"},
    {static_cast<int>(EpsMode::kMax), "max"},
};

}  // namespace

absl::Span<const EnumName> EnumNames(EpsMode) { return kEpsModeNames; }

absl::Status InferNormalizeL2(InferContext& context) {
  return InferAlongAxes(context);
}

absl::Status InferGrn(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireRankBetween(context, 0, 2, 4));
  context.SetOutput(0, context.type(0), context.shape(0));
  return absl::OkStatus();
}

}  // namespace dovetail
