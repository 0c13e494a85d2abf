// ROIPooling, after Girshick, "Fast R-CNN" (2015), section 2.1, and its
// bilinear variety, the crop_and_resize of detectors of TensorFlow.
#include "dovetail/core/ops/roi/roi_pooling.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "dovetail/core/reference/roi/features.h"
#include "dovetail/core/reference/roi/pool_regions.h"
#include "dovetail/core/reference/roi/pooling_bins.h"
#include "dovetail/core/reference/roi/roi.h"

namespace dovetail {
namespace {

// The largest element; 0 when there is none.
float MaxOf(const float* plane, int64_t width, const PoolingBin& rows,
            const PoolingBin& columns) {
  if (rows.begin >= rows.end || columns.begin >= columns.end) return 0;
  float most = -std::numeric_limits<float>::infinity();
  for (int64_t y = rows.begin; y < rows.end; ++y) {
    for (int64_t x = columns.begin; x < columns.end; ++x) {
      most = std::max(most, plane[y * width + x]);
    }
  }
  return most;
}

void PoolMax(const Features& features, const RoiPoolingAttributes& attributes,
             const float* roi, int64_t image, float* out) {
  const auto scale = static_cast<float>(attributes.spatial_scale);
  const std::vector<PoolingBin> columns =
      MaxBins(roi[1], roi[3], scale, attributes.pooled_w, features.width);
  const std::vector<PoolingBin> rows =
      MaxBins(roi[2], roi[4], scale, attributes.pooled_h, features.height);
  for (int64_t c = 0; c < features.channels; ++c) {
    const float* plane = features.Plane(image, c);
    for (const PoolingBin& row : rows) {
      for (const PoolingBin& column : columns) {
        *out++ = MaxOf(plane, features.width, row, column);
      }
    }
  }
}

void PoolBilinear(const Features& features,
                  const RoiPoolingAttributes& attributes, const float* roi,
                  int64_t image, float* out) {
  const std::vector<float> columns =
      PointsAcross(roi[1], roi[3], attributes.pooled_w, features.width);
  const std::vector<float> rows =
      PointsAcross(roi[2], roi[4], attributes.pooled_h, features.height);
  for (int64_t c = 0; c < features.channels; ++c) {
    const float* plane = features.Plane(image, c);
    for (const float y : rows) {
      for (const float x : columns) {
        const bool inside =
            IsBetweenElements(y, features.height) &&
            IsBetweenElements(x, features.width);
        *out++ = inside ? Interpolate(plane, features.width,
                                      PointAt(y, features.height),
                                      PointAt(x, features.width))
                        : 0.0f;
      }
    }
  }
}

}  // namespace

absl::Status RoiPoolingKernel(KernelContext& context) {
  const auto& attributes = context.attributes<RoiPoolingAttributes>();
  const Features features = FeaturesOf(context.input(0));
  const auto pool = attributes.method == RoiPoolingMethod::kMax ? &PoolMax
                                                                : &PoolBilinear;
  return PoolRegions(context, 8,
                     [&](int64_t, int64_t image, const float* roi, float* out) {
                       pool(features, attributes, roi, image, out);
                     });
}

}  // namespace dovetail
