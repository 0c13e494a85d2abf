// ROIAlignRotated: ROIAlign of rectangles that are turned about their centre,
// as detectors of ships and of lines of text need it.
#include <algorithm>
#include <cmath>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/roi/roi_align.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/roi/roi.h"
#include "dovetail/core/reference/roi/samples.h"

namespace dovetail {
namespace {

// A point of the features and what its four neighbours weigh.
struct PlanePoint {
  AxisPoint y, x;
};

// A rectangle in elements. Its own axes, u along its width and v along its
// height, begin in its centre.
class Rectangle {
 public:
  Rectangle(const RoiAlignRotatedAttributes& attributes, const float* roi) {
    const auto scale = static_cast<float>(attributes.spatial_scale);
    x_ = roi[0] * scale - 0.5f;
    y_ = roi[1] * scale - 0.5f;
    width_ = roi[2] * scale;
    height_ = roi[3] * scale;
    const float angle = attributes.clockwise_mode ? -roi[4] : roi[4];
    cos_ = std::cos(angle);
    sin_ = std::sin(angle);
  }

  float width() const { return width_; }
  float height() const { return height_; }
  float X(float u, float v) const { return v * sin_ + u * cos_ + x_; }
  float Y(float u, float v) const { return v * cos_ - u * sin_ + y_; }
  float U(float x, float y) const {
    return (x - x_) * cos_ - (y - y_) * sin_;
  }
  float V(float x, float y) const {
    return (x - x_) * sin_ + (y - y_) * cos_;
  }

 private:
  float x_, y_, width_, height_, cos_, sin_;
};

// The least and the greatest u or v of what is near the features: a region
// that is far larger than they are is not worth walking through.
struct Reach {
  float low_u, high_u, low_v, high_v;
};

Reach ReachOf(const Rectangle& rectangle, const Features& features) {
  const float xs[] = {-1, static_cast<float>(features.width)};
  const float ys[] = {-1, static_cast<float>(features.height)};
  Reach reach = {INFINITY, -INFINITY, INFINITY, -INFINITY};
  for (const float x : xs) {
    for (const float y : ys) {
      const float u = rectangle.U(x, y), v = rectangle.V(x, y);
      reach = {std::min(reach.low_u, u), std::max(reach.high_u, u),
               std::min(reach.low_v, v), std::max(reach.high_v, v)};
    }
  }
  return reach;
}

// The bins of one region.
class Grid {
 public:
  Grid(const RoiAlignRotatedAttributes& attributes, const float* roi,
       const Features& features)
      : rectangle_(attributes, roi),
        features_(features),
        reach_(ReachOf(rectangle_, features)),
        rows_(attributes.pooled_h),
        columns_(attributes.pooled_w) {
    bin_height_ = rectangle_.height() / static_cast<float>(rows_);
    bin_width_ = rectangle_.width() / static_cast<float>(columns_);
    count_v_ = SampleCount(bin_height_, attributes.sampling_ratio);
    count_u_ = SampleCount(bin_width_, attributes.sampling_ratio);
  }

  // The means of all bins for each channel of an image.
  void Pool(int64_t image, float* out) const {
    const float count = std::max(
        static_cast<float>(count_v_) * static_cast<float>(count_u_), 1.0f);
    for (int64_t bin = 0; bin < rows_ * columns_; ++bin) {
      const std::vector<PlanePoint> points =
          PointsOf(CornerOf(bin / columns_, bin_height_, rectangle_.height()),
                   CornerOf(bin % columns_, bin_width_, rectangle_.width()));
      for (int64_t c = 0; c < features_.channels; ++c) {
        const float* plane = features_.Plane(image, c);
        float sum = 0;
        for (const PlanePoint& point : points) {
          sum += Interpolate(plane, features_.width, point.y, point.x);
        }
        out[c * rows_ * columns_ + bin] = sum / count;
      }
    }
  }

 private:
  // Where a bin begins on an axis of the rectangle.
  static float CornerOf(int64_t bin, float bin_length, float length) {
    return static_cast<float>(bin) * bin_length - length / 2;
  }

  // The points of the bin that begins at (u, v) that are near the features.
  std::vector<PlanePoint> PointsOf(float v, float u) const {
    const float step_v = bin_height_ / static_cast<float>(count_v_);
    const float step_u = bin_width_ / static_cast<float>(count_u_);
    const SampleRange range_v =
        SamplesBetween(v, step_v, count_v_, reach_.low_v, reach_.high_v);
    const SampleRange range_u =
        SamplesBetween(u, step_u, count_u_, reach_.low_u, reach_.high_u);
    std::vector<PlanePoint> points;
    for (int64_t i = range_v.begin; i < range_v.end; ++i) {
      const float at_v = v + (static_cast<float>(i) + 0.5f) * step_v;
      for (int64_t j = range_u.begin; j < range_u.end; ++j) {
        const float at_u = u + (static_cast<float>(j) + 0.5f) * step_u;
        const float y = rectangle_.Y(at_u, at_v);
        const float x = rectangle_.X(at_u, at_v);
        if (!IsNear(y, features_.height) || !IsNear(x, features_.width)) {
          continue;
        }
        points.push_back({PointAt(y, features_.height),
                          PointAt(x, features_.width)});
      }
    }
    return points;
  }

  const Rectangle rectangle_;
  const Features& features_;
  const Reach reach_;
  const int64_t rows_, columns_;
  float bin_height_, bin_width_;
  int64_t count_v_, count_u_;  // points of a bin, near or not
};

}  // namespace

absl::Status RoiAlignRotatedKernel(KernelContext& context) {
  const auto& attributes = context.attributes<RoiAlignRotatedAttributes>();
  const Features features = FeaturesOf(context.input(0));
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<int64_t> images,
                            ImagesOfIndices(context, 2, features.batch));
  const float* rois = context.input(1).data<float>();
  float* out = context.output(0).mutable_data<float>();
  const int64_t size =
      features.channels * attributes.pooled_h * attributes.pooled_w;
  ParallelLoop(context, static_cast<int64_t>(images.size()), size * 32,
               [&](int64_t begin, int64_t end) {
                 for (int64_t i = begin; i < end; ++i) {
                   Grid(attributes, rois + i * 5, features)
                       .Pool(images[i], out + i * size);
                 }
               });
  return absl::OkStatus();
}

}  // namespace dovetail
