#include "dovetail/core/reference/roi/pooling_bins.h"

#include <algorithm>
#include <cmath>

#include "dovetail/core/reference/roi/features.h"

namespace dovetail {

std::vector<PoolingBin> MaxBins(float first, float last, float scale,
                                int64_t count, int64_t extent) {
  first = std::round(first * scale);
  last = std::round(last * scale);
  const float length = std::max(last - first + 1, 1.0f);
  const float step = length / static_cast<float>(count);
  std::vector<PoolingBin> bins(count);
  for (int64_t i = 0; i < count; ++i) {
    const auto at = static_cast<float>(i);
    bins[i].begin = ClampToInt(std::floor(at * step) + first, 0, extent);
    bins[i].end = ClampToInt(std::ceil((at + 1) * step) + first, 0, extent);
  }
  return bins;
}

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

bool IsBetweenElements(float position, int64_t extent) {
  return extent > 0 && position >= 0 &&
         position <= static_cast<float>(extent - 1);
}

}  // namespace dovetail
