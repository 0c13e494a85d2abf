#include "dovetail/core/ops/detection/suppression/nms_rotated.h"

#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/reference/detection/boxes.h"
#include "dovetail/core/reference/detection/suppression/rotated_box.h"
#include "dovetail/core/reference/detection/suppression/selection.h"
#include "dovetail/core/reference/detection/suppression/suppression.h"

namespace dovetail {

absl::Status NmsRotatedKernel(KernelContext& context) {
  const auto& attributes = context.attributes<NmsRotatedAttributes>();
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<float> numbers,
                            ToFloats(context.input(0)));
  std::vector<RotatedBox> boxes;
  for (size_t i = 0; i + 5 <= numbers.size(); i += 5) {
    const float* n = numbers.data() + i;
    boxes.push_back(
        {n[0], n[1], n[2], n[3], attributes.clockwise ? n[4] : -n[4]});
  }
  return SelectBoxes(
      context, attributes.sort_result_descending, attributes.output_type,
      [&](int64_t a, int64_t b) { return RotatedOverlap(boxes[a], boxes[b]); });
}

}  // namespace dovetail
