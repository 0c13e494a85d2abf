#include "dovetail/core/reference/detection/boxes.h"

#include <algorithm>

#include "dovetail/core/base/status.h"

namespace dovetail {

float BoxArea(const Box& box) {
  // Written so that NaN has no area.
  if (!(box.x2 > box.x1) || !(box.y2 > box.y1)) return 0;
  return (box.x2 - box.x1) * (box.y2 - box.y1);
}

float BoxOverlap(const Box& a, const Box& b) {
  const float area_a = BoxArea(a), area_b = BoxArea(b);
  if (area_a <= 0 || area_b <= 0) return 0;
  const Box common = {std::max(a.x1, b.x1), std::max(a.y1, b.y1),
                      std::min(a.x2, b.x2), std::min(a.y2, b.y2)};
  const float area = BoxArea(common);
  return area <= 0 ? 0 : area / (area_a + area_b - area);
}

absl::StatusOr<std::vector<float>> ToFloats(const Tensor& tensor) {
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor floats,
                            ConvertTensor(tensor, ElementType::kF32));
  const absl::Span<const float> span = floats.span<float>();
  return std::vector<float>(span.begin(), span.end());
}

}  // namespace dovetail
