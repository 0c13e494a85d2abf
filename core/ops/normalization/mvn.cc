#include "dovetail/core/ops/normalization/mvn.h"

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/normalization/axes.h"

namespace dovetail {
namespace {

constexpr EnumName kEpsModeNames[] = {
    {static_cast<int>(MvnEpsMode::kInsideSqrt), "INSIDE_SQRT"},
    {static_cast<int>(MvnEpsMode::kOutsideSqrt), "OUTSIDE_SQRT"},
};

}  // namespace

absl::Span<const EnumName> EnumNames(MvnEpsMode) { return kEpsModeNames; }

std::vector<int64_t> MvnAxes(const MvnAttributes& attributes, int rank) {
  std::vector<int64_t> axes;
  for (int axis = attributes.across_channels ? 1 : 2; axis < rank; ++axis) {
    axes.push_back(axis);
  }
  return axes;
}

absl::Status InferMvn(InferContext& context) {
  context.SetOutput(0, context.type(0), context.shape(0));
  return absl::OkStatus();
}

absl::Status InferMvn6(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 1, 1));
  return InferAlongAxes(context);
}

}  // namespace dovetail
