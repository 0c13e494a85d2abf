// PSROIPooling, after Dai et al., "R-FCN" (2016), section 2: bin (i, j) reads
// channels of its own, so that a score can depend on the part of an object.
#include <algorithm>
#include <cmath>
#include <vector>

#include "dovetail/core/ops/roi/roi_pooling.h"
#include "dovetail/core/reference/roi/features.h"
#include "dovetail/core/reference/roi/pool_regions.h"
#include "dovetail/core/reference/roi/roi.h"

namespace dovetail {
namespace {

// Elements [begin, end) of an axis.
struct Bin {
  int64_t begin, end;
};

// Bins of the pixels from `first` to `last`, both included, in elements.
std::vector<Bin> AverageBins(float first, float last, float scale,
                             int64_t count, int64_t extent) {
  const float start = std::round(first) * scale;
  const float end = (std::round(last) + 1) * scale;
  const float step = std::max(end - start, 0.1f) / static_cast<float>(count);
  std::vector<Bin> bins(count);
  for (int64_t i = 0; i < count; ++i) {
    const auto at = static_cast<float>(i);
    bins[i].begin = ClampToInt(std::floor(at * step + start), 0, extent);
    bins[i].end = ClampToInt(std::ceil((at + 1) * step + start), 0, extent);
  }
  return bins;
}

// 0 when there is no element.
float MeanOf(const float* plane, int64_t width, const Bin& rows,
             const Bin& columns) {
  if (rows.begin >= rows.end || columns.begin >= columns.end) return 0;
  float sum = 0;
  for (int64_t y = rows.begin; y < rows.end; ++y) {
    for (int64_t x = columns.begin; x < columns.end; ++x) {
      sum += plane[y * width + x];
    }
  }
  return sum / static_cast<float>((rows.end - rows.begin) *
                                  (columns.end - columns.begin));
}

void PoolAverage(const Features& features,
                 const PsRoiPoolingAttributes& attributes, const float* roi,
                 int64_t image, float* out) {
  const auto scale = static_cast<float>(attributes.spatial_scale);
  const int64_t groups = attributes.group_size;
  const std::vector<Bin> columns =
      AverageBins(roi[1], roi[3], scale, groups, features.width);
  const std::vector<Bin> rows =
      AverageBins(roi[2], roi[4], scale, groups, features.height);
  int64_t channel = 0;
  for (int64_t c = 0; c < attributes.output_dim; ++c) {
    for (const Bin& row : rows) {
      for (const Bin& column : columns) {
        *out++ = MeanOf(features.Plane(image, channel++), features.width, row,
                        column);
      }
    }
  }
}

// Positions of the points of an axis: the region from `first` to `last`, both
// fractions, is cut into parts, and in each part lies a point for each bin,
// from one side of it to the other; a single one in its middle.
class PartPoints {
 public:
  PartPoints(float first, float last, int64_t parts, int64_t bins,
             int64_t extent)
      : bins_(bins), length_(static_cast<float>(extent - 1)), extent_(extent) {
    const float size = (last - first) / static_cast<float>(parts);
    for (int64_t part = 0; part < parts; ++part) {
      const float begin = first + static_cast<float>(part) * size;
      AddPart(begin, begin + size);
    }
  }

  bool IsInside(int64_t part, int64_t bin) const {
    const float position = positions_[part * bins_ + bin];
    return extent_ > 0 && position >= 0 && position <= length_;
  }
  AxisPoint At(int64_t part, int64_t bin) const {
    return PointAt(positions_[part * bins_ + bin], extent_);
  }

 private:
  void AddPart(float begin, float end) {
    if (bins_ == 1) {
      positions_.push_back(0.5f * (begin + end) * length_);
      return;
    }
    const float step =
        (end - begin) * length_ / static_cast<float>(bins_ - 1);
    for (int64_t bin = 0; bin < bins_; ++bin) {
      positions_.push_back(begin * length_ + static_cast<float>(bin) * step);
    }
  }

  const int64_t bins_;
  const float length_;
  const int64_t extent_;
  std::vector<float> positions_;
};

void PoolBilinear(const Features& features,
                  const PsRoiPoolingAttributes& attributes, const float* roi,
                  int64_t image, float* out) {
  const auto scale = static_cast<float>(attributes.spatial_scale);
  const int64_t groups = attributes.group_size;
  const int64_t parts_x = attributes.spatial_bins_x;
  const int64_t parts_y = attributes.spatial_bins_y;
  const PartPoints x(roi[1] * scale, roi[3] * scale, parts_x, groups,
                     features.width);
  const PartPoints y(roi[2] * scale, roi[4] * scale, parts_y, groups,
                     features.height);
  for (int64_t c = 0; c < attributes.output_dim; ++c) {
    for (int64_t bin = 0; bin < groups * groups; ++bin) {
      const int64_t row = bin / groups, column = bin % groups;
      float sum = 0;
      for (int64_t part = 0; part < parts_y * parts_x; ++part) {
        const int64_t py = part / parts_x, px = part % parts_x;
        if (!y.IsInside(py, row) || !x.IsInside(px, column)) continue;
        sum += Interpolate(
            features.Plane(image, part * attributes.output_dim + c),
            features.width, y.At(py, row), x.At(px, column));
      }
      *out++ = sum / static_cast<float>(parts_y * parts_x);
    }
  }
}

}  // namespace

absl::Status PsRoiPoolingKernel(KernelContext& context) {
  const auto& attributes = context.attributes<PsRoiPoolingAttributes>();
  const Features features = FeaturesOf(context.input(0));
  const auto pool = attributes.mode == PsRoiPoolingMode::kAverage
                        ? &PoolAverage
                        : &PoolBilinear;
  return PoolRegions(context, 8,
                     [&](int64_t, int64_t image, const float* roi, float* out) {
                       pool(features, attributes, roi, image, out);
                     });
}

}  // namespace dovetail
