// The points that ROIAlign and its like read in the bins of a region.
#ifndef DOVETAIL_CORE_REFERENCE_ROI_SAMPLES_H_
#define DOVETAIL_CORE_REFERENCE_ROI_SAMPLES_H_

#include <cstdint>
#include <vector>

#include "dovetail/core/ops/roi/roi_align.h"
#include "dovetail/core/reference/roi/features.h"

namespace dovetail {

// Points along an axis of a bin of that size: `ratio`, or, when it is 0, as
// many as the bin is long. A region may be of any size whatever the features'.
int64_t SampleCount(float bin_size, int64_t ratio);

// Samples [begin, end).
struct SampleRange {
  int64_t begin, end;
};
// Those of `count` samples at start + step * (i + 0.5) that may lie between
// `low` and `high`: all that do, and a few around them.
SampleRange SamplesBetween(float start, float step, int64_t count, float low,
                           float high);

// The bins of a region along an axis and the points in each.
class AxisBins {
 public:
  // The region begins at `start`; each of its `bins` bins is `size` long.
  AxisBins(float start, float size, int64_t bins, int64_t ratio,
           int64_t extent);

  int64_t bins() const { return static_cast<int64_t>(points_.size()); }
  // The points of a bin that are near the features.
  const std::vector<AxisPoint>& points(int64_t bin) const {
    return points_[bin];
  }
  // How many points a bin has, inside or not.
  float count() const { return count_; }

 private:
  float count_;
  std::vector<std::vector<AxisPoint>> points_;
};

// The bins of ROIAlign between two sides of a region along an axis.
AxisBins RoiAlignBins(const RoiAlignAttributes& attributes, float first,
                      float last, int64_t bins, int64_t extent);

// One value for each pair of bins, row after row: the mean of the bin's points,
// of which those far from the features are 0; or the largest of them and 0.
void PoolSamples(const float* plane, int64_t width, const AxisBins& rows,
                 const AxisBins& columns, RoiAlignMode mode, float* out);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_ROI_SAMPLES_H_
