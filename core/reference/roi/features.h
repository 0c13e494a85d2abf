// The inputs of the kernels of this family: planes of features and points in
// them.
#ifndef DOVETAIL_CORE_REFERENCE_ROI_FEATURES_H_
#define DOVETAIL_CORE_REFERENCE_ROI_FEATURES_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/core/reference/kernel.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// A tensor [N, C, H, W] of f32.
struct Features {
  const float* data;
  int64_t batch, channels, height, width;

  // Channel `c` of image `n`, row after row.
  const float* Plane(int64_t n, int64_t c) const {
    return data + (n * channels + c) * height * width;
  }
};

Features FeaturesOf(const Tensor& tensor);

// The images of regions [R, 5], whose first number is the image's index, up to
// the first region with index -1, which ends the list. The error names an index
// outside of [0, batch).
absl::StatusOr<std::vector<int64_t>> ImagesOfRois(const KernelContext& context,
                                                  const Tensor& rois,
                                                  int64_t batch);
// The same from a tensor of indices, where -1 is an error too.
absl::StatusOr<std::vector<int64_t>> ImagesOfIndices(
    const KernelContext& context, int input, int64_t batch);

// A position between two neighbours along an axis, and what each of them
// weighs.
struct AxisPoint {
  int64_t low = 0, high = 0;
  float low_weight = 0, high_weight = 0;
};

// Whether interpolation reaches a position: within one element of those that
// there are. NaN is not.
inline bool IsNear(float position, int64_t extent) {
  return extent > 0 && position >= -1 &&
         position <= static_cast<float>(extent);
}

// The point at `position`, moved to the nearest element when it lies outside
// of them; extent > 0, position not NaN.
AxisPoint PointAt(float position, int64_t extent);

// The value of a plane at a point.
inline float Interpolate(const float* plane, int64_t width, const AxisPoint& y,
                         const AxisPoint& x) {
  const float* low = plane + y.low * width;
  const float* high = plane + y.high * width;
  return y.low_weight * (x.low_weight * low[x.low] +
                         x.high_weight * low[x.high]) +
         y.high_weight * (x.low_weight * high[x.low] +
                          x.high_weight * high[x.high]);
}

// The nearest integer in [low, high]; low for NaN.
int64_t ClampToInt(float value, int64_t low, int64_t high);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_ROI_FEATURES_H_
