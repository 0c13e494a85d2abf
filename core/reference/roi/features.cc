#include "dovetail/core/reference/roi/features.h"

#include <algorithm>
#include <cmath>

namespace dovetail {

Features FeaturesOf(const Tensor& tensor) {
  const Shape& shape = tensor.shape();
  return {tensor.data<float>(), shape[0], shape[1], shape[2], shape[3]};
}

absl::StatusOr<std::vector<int64_t>> ImagesOfRois(const KernelContext& context,
                                                  const Tensor& rois,
                                                  int64_t batch) {
  std::vector<int64_t> images;
  for (int64_t i = 0; i < rois.shape()[0]; ++i) {
    const float index = rois.data<float>()[i * rois.shape()[1]];
    if (index == -1) break;
    if (!(index >= 0 && index < static_cast<float>(batch))) {
      return context.Error("region ", i, " is of image ", index,
                           ", want an index below ", batch,
                           ", or -1 after the last region");
    }
    images.push_back(static_cast<int64_t>(index));
  }
  return images;
}

absl::StatusOr<std::vector<int64_t>> ImagesOfIndices(
    const KernelContext& context, int input, int64_t batch) {
  const std::vector<int64_t> images = ToInt64Vector(context.input(input));
  for (size_t i = 0; i < images.size(); ++i) {
    if (images[i] >= 0 && images[i] < batch) continue;
    return context.Error("input ", input, " says that region ", i,
                         " is of image ", images[i], ", want 0 to ",
                         batch - 1);
  }
  return images;
}

AxisPoint PointAt(float position, int64_t extent) {
  const float last = static_cast<float>(extent - 1);
  position = std::clamp(position, 0.0f, last);
  AxisPoint point;
  point.low = std::min(static_cast<int64_t>(position), extent - 1);
  point.high = std::min(point.low + 1, extent - 1);
  point.high_weight = position - static_cast<float>(point.low);
  point.low_weight = 1 - point.high_weight;
  return point;
}

int64_t ClampToInt(float value, int64_t low, int64_t high) {
  if (!(value > static_cast<float>(low))) return low;
  if (value >= static_cast<float>(high)) return high;
  return static_cast<int64_t>(value);
}

}  // namespace dovetail
