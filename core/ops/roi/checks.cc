#include "dovetail/core/ops/roi/checks.h"

#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/dimension_at.h"

namespace dovetail {

absl::Status RequireExtent(const InferContext& context, absl::string_view name,
                           int64_t value) {
  if (value >= 1 && value <= kMaxRoiExtent) return absl::OkStatus();
  return context.Error("attribute ", name, " is ", value, ", want 1 to ",
                       kMaxRoiExtent);
}

absl::Status RequireSamplingRatio(const InferContext& context, int64_t value) {
  if (value >= 0 && value <= kMaxSamplingRatio) return absl::OkStatus();
  return context.Error("attribute sampling_ratio is ", value, ", want 0 to ",
                       kMaxSamplingRatio);
}

absl::Status RequireScale(const InferContext& context, double scale) {
  // Written so that NaN is refused.
  if (scale > 0 && scale <= 1e30) return absl::OkStatus();
  return context.Error("attribute spatial_scale is ", scale,
                       ", want a positive number");
}

absl::Status RequireRois(const InferContext& context, int input,
                         int64_t numbers) {
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, input, 2));
  if (DimensionAt(context, input, 1).Contains(numbers)) {
    return absl::OkStatus();
  }
  return context.Error("input ", input, " has shape ",
                       context.shape(input).ToString(), ", want [R,", numbers,
                       "]");
}

absl::Status RequireFeaturesAndRois(const InferContext& context,
                                    int64_t numbers) {
  DOVETAIL_RETURN_IF_ERROR(RequireSameType(context, 0, 1).status());
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 0, 4));
  return RequireRois(context, 1, numbers);
}

}  // namespace dovetail
