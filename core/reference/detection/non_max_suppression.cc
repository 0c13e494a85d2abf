#include "dovetail/core/reference/detection/non_max_suppression.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/detection/non_max_suppression.h"
#include "dovetail/core/reference/detection/boxes.h"
#include "dovetail/core/reference/detection/suppression/selection.h"

namespace dovetail {
namespace {

std::vector<Box> ReadBoxes(const std::vector<float>& numbers,
                           BoxEncoding encoding) {
  std::vector<Box> boxes(numbers.size() / 4);
  for (size_t i = 0; i < boxes.size(); ++i) {
    const float* n = numbers.data() + i * 4;
    if (encoding == BoxEncoding::kCenter) {
      boxes[i] = {n[0] - n[2] / 2, n[1] - n[3] / 2, n[0] + n[2] / 2,
                  n[1] + n[3] / 2};
    } else {
      boxes[i] = {std::min(n[1], n[3]), std::min(n[0], n[2]),
                  std::max(n[1], n[3]), std::max(n[0], n[2])};
    }
  }
  return boxes;
}

}  // namespace

absl::Status NonMaxSuppressionKernel(KernelContext& context) {
  return NonMaxSuppression(context, &MakeBoxCover);
}

absl::Status NonMaxSuppression(KernelContext& context,
                               MakeBoxCoverFn make_cover) {
  const auto& attributes = context.attributes<NonMaxSuppressionAttributes>();
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<float> numbers,
                            ToFloats(context.input(0)));
  const std::vector<Box> boxes = ReadBoxes(numbers, attributes.box_encoding);
  const bool finite =
      std::all_of(boxes.begin(), boxes.end(), [](const Box& box) {
        return std::isfinite(box.x1) && std::isfinite(box.y1) &&
               std::isfinite(box.x2) && std::isfinite(box.y2);
      });
  return SelectBoxes(
      context, attributes.sort_result_descending, attributes.output_type,
      [&](int64_t a, int64_t b) { return BoxOverlap(boxes[a], boxes[b]); },
      finite ? absl::MakeConstSpan(boxes) : absl::Span<const Box>(),
      make_cover);
}

}  // namespace dovetail
