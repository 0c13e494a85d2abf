#include "dovetail/core/reference/detection/boxes.h"

#include <algorithm>

#include "dovetail/core/base/status.h"

namespace dovetail {

float BoxArea(const Box& box, float border) {
  // Written so that NaN has no area.
  if (!(box.x2 >= box.x1) || !(box.y2 >= box.y1)) return 0;
  return (box.x2 - box.x1 + border) * (box.y2 - box.y1 + border);
}

float BoxOverlap(const Box& a, const Box& b, float border) {
  const float area_a = BoxArea(a, border), area_b = BoxArea(b, border);
  if (area_a <= 0 || area_b <= 0) return 0;
  const Box common = {std::max(a.x1, b.x1), std::max(a.y1, b.y1),
                      std::min(a.x2, b.x2), std::min(a.y2, b.y2)};
  const float area = BoxArea(common, border);
  return area <= 0 ? 0 : area / (area_a + area_b - area);
}

float BorderedOverlap(const Box& a, const Box& b, float border) {
  const float area_a = BoxArea(a, border), area_b = BoxArea(b, border);
  if (area_a <= 0 || area_b <= 0) return 0;
  const float width = std::min(a.x2, b.x2) - std::max(a.x1, b.x1) + border;
  const float height = std::min(a.y2, b.y2) - std::max(a.y1, b.y1) + border;
  const float area = std::max(width, 0.0f) * std::max(height, 0.0f);
  return area <= 0 ? 0 : area / (area_a + area_b - area);
}

Box ClampBox(const Box& box, float x, float y) {
  const auto cut = [](float value, float most) {
    return std::max(std::min(value, most), 0.0f);
  };
  return {cut(box.x1, x), cut(box.y1, y), cut(box.x2, x), cut(box.y2, y)};
}

absl::StatusOr<std::vector<float>> ToFloats(const Tensor& tensor) {
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor floats,
                            ConvertTensor(tensor, ElementType::kF32));
  const absl::Span<const float> span = floats.span<float>();
  return std::vector<float>(span.begin(), span.end());
}

}  // namespace dovetail
