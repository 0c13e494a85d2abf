// DeformablePSROIPooling, after Dai et al., "Deformable Convolutional Networks"
// (2017), section 2.2: each bin of a region is moved by an offset of its own,
// as a fraction of the region's size.
#include <algorithm>
#include <cmath>
#include <vector>

#include "dovetail/core/ops/roi/roi_pooling.h"
#include "dovetail/core/reference/roi/features.h"
#include "dovetail/core/reference/roi/pool_regions.h"
#include "dovetail/core/reference/roi/roi.h"

namespace dovetail {
namespace {

// The sides of a region along an axis, in elements.
struct Side {
  float start, length;
};

Side SideOf(float first, float last, float scale) {
  const float start = std::round(first) * scale - 0.5f;
  const float end = (std::round(last) + 1) * scale - 0.5f;
  return {start, std::max(end - start, 0.1f)};
}

// The offsets of one region, in its sizes; none is all 0.
class Offsets {
 public:
  Offsets(const KernelContext& context, int64_t roi)
      : attributes_(context.attributes<DeformablePsRoiPoolingAttributes>()) {
    if (!context.has_input(2)) return;
    const Tensor& tensor = context.input(2);
    const int64_t parts = attributes_.part_size;
    classes_ = tensor.shape()[1] / 2;
    data_ = tensor.data<float>() + roi * classes_ * 2 * parts * parts;
  }

  // Along x (axis 0) or y (axis 1), for an output channel's bin.
  float At(int64_t channel, int64_t row, int64_t column, int64_t axis) const {
    if (data_ == nullptr) return 0;
    const int64_t parts = attributes_.part_size;
    const int64_t bins = attributes_.group_size;
    const int64_t label = channel / (attributes_.output_dim / classes_);
    const int64_t at =
        ((label * 2 + axis) * parts + row * parts / bins) * parts +
        column * parts / bins;
    return data_[at] * static_cast<float>(attributes_.trans_std);
  }

 private:
  const DeformablePsRoiPoolingAttributes& attributes_;
  int64_t classes_ = 1;
  const float* data_ = nullptr;
};

// Points that a bin has inside of the features along an axis, from `start` and
// `step` from one to the next.
std::vector<AxisPoint> PointsInside(float start, float step, int64_t count,
                                    int64_t extent) {
  std::vector<AxisPoint> points;
  for (int64_t i = 0; i < count; ++i) {
    const float position = start + static_cast<float>(i) * step;
    if (extent > 0 && position >= -0.5f &&
        position <= static_cast<float>(extent) - 0.5f) {
      points.push_back(PointAt(position, extent));
    }
  }
  return points;
}

// One region.
class Pool {
 public:
  Pool(const KernelContext& context, int64_t roi, int64_t image)
      : attributes_(context.attributes<DeformablePsRoiPoolingAttributes>()),
        features_(FeaturesOf(context.input(0))),
        offsets_(context, roi),
        image_(image) {
    const float* corners = context.input(1).data<float>() + roi * 5 + 1;
    const auto scale = static_cast<float>(attributes_.spatial_scale);
    x_ = SideOf(corners[0], corners[2], scale);
    y_ = SideOf(corners[1], corners[3], scale);
  }

  void Write(float* out) const {
    const int64_t groups = attributes_.group_size;
    for (int64_t c = 0; c < attributes_.output_dim; ++c) {
      for (int64_t row = 0; row < groups; ++row) {
        for (int64_t column = 0; column < groups; ++column) {
          *out++ = Mean(c, row, column);
        }
      }
    }
  }

 private:
  std::vector<AxisPoint> Points(const Side& side, int64_t bin, float offset,
                                int64_t points, int64_t extent) const {
    const float size = side.length / static_cast<float>(attributes_.group_size);
    const float start = static_cast<float>(bin) * size + side.start +
                        offset * side.length;
    return PointsInside(start, size / static_cast<float>(points), points,
                        extent);
  }

  float Mean(int64_t c, int64_t row, int64_t column) const {
    const std::vector<AxisPoint> xs =
        Points(x_, column, offsets_.At(c, row, column, 0),
               attributes_.spatial_bins_x, features_.width);
    const std::vector<AxisPoint> ys =
        Points(y_, row, offsets_.At(c, row, column, 1),
               attributes_.spatial_bins_y, features_.height);
    if (xs.empty() || ys.empty()) return 0;
    const int64_t groups = attributes_.group_size;
    const float* plane =
        features_.Plane(image_, (c * groups + row) * groups + column);
    float sum = 0;
    for (const AxisPoint& y : ys) {
      for (const AxisPoint& x : xs) {
        sum += Interpolate(plane, features_.width, y, x);
      }
    }
    return sum / static_cast<float>(xs.size() * ys.size());
  }

  const DeformablePsRoiPoolingAttributes& attributes_;
  const Features features_;
  const Offsets offsets_;
  const int64_t image_;
  Side x_, y_;
};

}  // namespace

absl::Status DeformablePsRoiPoolingKernel(KernelContext& context) {
  return PoolRegions(
      context, 32,
      [&](int64_t region, int64_t image, const float*, float* out) {
        Pool(context, region, image).Write(out);
      });
}

}  // namespace dovetail
