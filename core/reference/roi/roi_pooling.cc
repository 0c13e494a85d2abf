// ROIPooling, after Girshick, "Fast R-CNN" (2015), section 2.1, and its
// bilinear variety, the crop_and_resize of detectors of TensorFlow.
#include "dovetail/core/ops/roi/roi_pooling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "dovetail/core/reference/roi/features.h"
#include "dovetail/core/reference/roi/pool_regions.h"
#include "dovetail/core/reference/roi/roi.h"

namespace dovetail {
namespace {

// Elements [begin, end) of an axis.
struct Bin {
  int64_t begin, end;
};

// The bins of the pixels from `first` to `last`, both included, along an axis
// of `extent` elements. They overlap where pixels do not divide evenly.
std::vector<Bin> MaxBins(float first, float last, int64_t count,
                         int64_t extent) {
  const float length = std::max(last - first + 1, 1.0f);
  const float step = length / static_cast<float>(count);
  std::vector<Bin> bins(count);
  for (int64_t i = 0; i < count; ++i) {
    const auto at = static_cast<float>(i);
    bins[i].begin = ClampToInt(std::floor(at * step) + first, 0, extent);
    bins[i].end = ClampToInt(std::ceil((at + 1) * step) + first, 0, extent);
  }
  return bins;
}

// The largest element; 0 when there is none.
float MaxOf(const float* plane, int64_t width, const Bin& rows,
            const Bin& columns) {
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
  const std::vector<Bin> columns =
      MaxBins(std::round(roi[1] * scale), std::round(roi[3] * scale),
              attributes.pooled_w, features.width);
  const std::vector<Bin> rows =
      MaxBins(std::round(roi[2] * scale), std::round(roi[4] * scale),
              attributes.pooled_h, features.height);
  for (int64_t c = 0; c < features.channels; ++c) {
    const float* plane = features.Plane(image, c);
    for (const Bin& row : rows) {
      for (const Bin& column : columns) {
        *out++ = MaxOf(plane, features.width, row, column);
      }
    }
  }
}

// Where the points of a region lie along an axis: the first on its first side,
// the last on the other; a single one in its middle. Sides are fractions.
std::vector<float> PointsAcross(float first, float last, int64_t count,
                                int64_t extent) {
  const auto length = static_cast<float>(extent - 1);
  std::vector<float> points(count, 0.5f * (first + last) * length);
  if (count == 1) return points;
  const float step = (last - first) * length / static_cast<float>(count - 1);
  for (int64_t i = 0; i < count; ++i) {
    points[i] = first * length + static_cast<float>(i) * step;
  }
  // Rounding must not put it outside of the features.
  points.back() = last * length;
  return points;
}

bool IsInside(float position, int64_t extent) {
  return extent > 0 && position >= 0 &&
         position <= static_cast<float>(extent - 1);
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
            IsInside(y, features.height) && IsInside(x, features.width);
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
