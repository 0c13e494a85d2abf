#include "dovetail/core/reference/roi/samples.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dovetail {
namespace {

using Points = std::vector<AxisPoint>;

float MeanOf(const float* plane, int64_t width, const Points& ys,
             const Points& xs, float count) {
  float sum = 0;
  for (const AxisPoint& y : ys) {
    for (const AxisPoint& x : xs) sum += Interpolate(plane, width, y, x);
  }
  return count > 0 ? sum / count : 0;
}

float MaxOf(const float* plane, int64_t width, const Points& ys,
            const Points& xs) {
  float most = 0;
  for (const AxisPoint& y : ys) {
    for (const AxisPoint& x : xs) {
      most = std::max(most, Interpolate(plane, width, y, x));
    }
  }
  return most;
}

}  // namespace

int64_t SampleCount(float bin_size, int64_t ratio) {
  return ratio > 0 ? ratio
                   : ClampToInt(std::ceil(bin_size), 0, int64_t{1} << 60);
}

SampleRange SamplesBetween(float start, float step, int64_t count, float low,
                           float high) {
  // Neither is a number when the region is not made of numbers.
  if (!(low <= high)) return {0, 0};
  if (step == 0) return {0, count};
  float first = (low - start) / step, last = (high - start) / step;
  if (first > last) std::swap(first, last);
  return {ClampToInt(std::floor(first) - 2, 0, count),
          ClampToInt(std::ceil(last) + 2, 0, count)};
}

AxisBins::AxisBins(float start, float size, int64_t bins, int64_t ratio,
                   int64_t extent)
    : points_(bins) {
  const int64_t count = SampleCount(size, ratio);
  count_ = static_cast<float>(count);
  const float step = size / count_;
  for (int64_t bin = 0; bin < bins; ++bin) {
    const float begin = start + static_cast<float>(bin) * size;
    const SampleRange range =
        SamplesBetween(begin, step, count, -1, static_cast<float>(extent));
    for (int64_t i = range.begin; i < range.end; ++i) {
      const float position = begin + step * (static_cast<float>(i) + 0.5f);
      if (IsNear(position, extent)) {
        points_[bin].push_back(PointAt(position, extent));
      }
    }
  }
}

AxisBins RoiAlignBins(const RoiAlignAttributes& attributes, float first,
                      float last, int64_t bins, int64_t extent) {
  const auto scale = static_cast<float>(attributes.base.spatial_scale);
  const bool aligned = attributes.aligned_mode != RoiAlignedMode::kAsymmetric;
  const float before =
      attributes.aligned_mode == RoiAlignedMode::kHalfPixel ? 0.5f : 0.0f;
  const float after = aligned ? -0.5f : 0.0f;
  const float start = (first + before) * scale + after;
  const float length = (last + before) * scale + after - start;
  const float size = (aligned ? length : std::max(length, 1.0f)) /
                     static_cast<float>(bins);
  return AxisBins(start, size, bins, attributes.base.sampling_ratio, extent);
}

void PoolSamples(const float* plane, int64_t width, const AxisBins& rows,
                 const AxisBins& columns, RoiAlignMode mode, float* out) {
  const float count = rows.count() * columns.count();
  for (int64_t row = 0; row < rows.bins(); ++row) {
    for (int64_t column = 0; column < columns.bins(); ++column) {
      const Points& ys = rows.points(row);
      const Points& xs = columns.points(column);
      *out++ = mode == RoiAlignMode::kAvg ? MeanOf(plane, width, ys, xs, count)
                                          : MaxOf(plane, width, ys, xs);
    }
  }
}

}  // namespace dovetail
