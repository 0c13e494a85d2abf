#include "dovetail/core/ops/normalization/mvn.h"

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/axes.h"
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
  if (!attributes.reduction_axes.empty()) return attributes.reduction_axes;
  std::vector<int64_t> axes;
  for (int axis = attributes.across_channels ? 1 : 2; axis < rank; ++axis) {
    axes.push_back(axis);
  }
  return axes;
}

absl::Status InferMvn(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireFloat(context, 0));
  const PartialShape& data = context.shape(0);
  if (data.rank_known()) {
    const auto& attributes = context.attributes<MvnAttributes>();
    for (int64_t axis : MvnAxes(attributes, data.rank())) {
      DOVETAIL_RETURN_IF_ERROR(
          CheckedAxis(context, axis, data.rank(), "attribute 'reduction_axes'")
              .status());
    }
  }
  context.SetOutput(0, context.type(0), data);
  return absl::OkStatus();
}

absl::Status InferMvn6(InferContext& context) {
  return InferAlongAxes(context);
}

}  // namespace dovetail
