// Checks of all operations on regions of interest.
#ifndef DOVETAIL_CORE_OPS_ROI_CHECKS_H_
#define DOVETAIL_CORE_OPS_ROI_CHECKS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// An attribute that counts pixels, channels or samples may be at most this, so
// that products of three of them fit an int64.
inline constexpr int64_t kMaxRoiExtent = 1 << 20;

// A bin may have at most so many points along an axis: the work grows with the
// square, whatever the inputs and the output.
inline constexpr int64_t kMaxSamplingRatio = 128;

// `value` of attribute `name` is from 1 to kMaxRoiExtent.
absl::Status RequireExtent(const InferContext& context, absl::string_view name,
                           int64_t value);
// Attribute sampling_ratio is from 0 to kMaxSamplingRatio.
absl::Status RequireSamplingRatio(const InferContext& context, int64_t value);
// Attribute spatial_scale, by which coordinates of regions are multiplied to
// be those of the features, is a positive number.
absl::Status RequireScale(const InferContext& context, double scale);

// Inputs 0 and 1 are floats of one type: features [N, C, H, W] and regions
// [R, `numbers`].
absl::Status RequireFeaturesAndRois(const InferContext& context,
                                    int64_t numbers);
// Input `input` is [R, `numbers`].
absl::Status RequireRois(const InferContext& context, int input,
                         int64_t numbers);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_ROI_CHECKS_H_
