#include "dovetail/core/reference/detection/decode_boxes.h"

#include <algorithm>
#include <cmath>

namespace dovetail {

Prior ReadPrior(const DetectionOutputAttributes& attributes,
                const float* numbers, int64_t count, int64_t index) {
  const int64_t size = attributes.normalized ? 4 : 5;
  const auto width = static_cast<float>(attributes.input_width);
  const auto height = static_cast<float>(attributes.input_height);
  const float* corners = numbers + index * size + (size - 4);
  Prior prior;
  Box& box = prior.box;
  box = {corners[0], corners[1], corners[2], corners[3]};
  if (!attributes.normalized) {
    box = {box.x1 / width, box.y1 / height, box.x2 / width, box.y2 / height};
  }
  if (!attributes.variance_encoded_in_target) {
    std::copy_n(numbers + count * size + index * 4, 4, prior.variance);
  }
  return prior;
}

Box DecodeBox(const DetectionOutputAttributes& attributes, const Prior& prior,
              const float* prediction) {
  const Box& box = prior.box;
  float moved[4];
  for (int i = 0; i < 4; ++i) moved[i] = prior.variance[i] * prediction[i];
  if (attributes.code_type == BoxCode::kCorner) {
    return {box.x1 + moved[0], box.y1 + moved[1], box.x2 + moved[2],
            box.y2 + moved[3]};
  }
  const float width = box.x2 - box.x1, height = box.y2 - box.y1;
  const float x = moved[0] * width + (box.x1 + box.x2) / 2;
  const float y = moved[1] * height + (box.y1 + box.y2) / 2;
  const float half_width = std::exp(moved[2]) * width / 2;
  const float half_height = std::exp(moved[3]) * height / 2;
  return {x - half_width, y - half_height, x + half_width, y + half_height};
}

Box ClipBox(const Box& box) {
  return {std::clamp(box.x1, 0.0f, 1.0f), std::clamp(box.y1, 0.0f, 1.0f),
          std::clamp(box.x2, 0.0f, 1.0f), std::clamp(box.y2, 0.0f, 1.0f)};
}

}  // namespace dovetail
