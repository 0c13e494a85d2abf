// The bins of ROIPooling along an axis.
#ifndef DOVETAIL_CORE_REFERENCE_ROI_POOLING_BINS_H_
#define DOVETAIL_CORE_REFERENCE_ROI_POOLING_BINS_H_

#include <cstdint>
#include <vector>

namespace dovetail {

// Elements [begin, end) of an axis.
struct PoolingBin {
  int64_t begin, end;
};

// The bins of the pixels from `first` to `last`, both included, once they are
// times `scale` and rounded, along an axis of `extent` elements. They overlap
// where pixels do not divide evenly.
std::vector<PoolingBin> MaxBins(float first, float last, float scale,
                                int64_t count, int64_t extent);

// Where the points of a region lie along an axis: the first on its first side,
// the last on the other; a single one in its middle. Sides are fractions.
std::vector<float> PointsAcross(float first, float last, int64_t count,
                                int64_t extent);

// Whether a point lies between the first and the last element.
bool IsBetweenElements(float position, int64_t extent);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_ROI_POOLING_BINS_H_
