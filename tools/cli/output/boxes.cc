#include "dovetail/tools/cli/output/boxes.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/strings/str_join.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cli {
namespace {

using conformance::Detection;

// What a corner is counted in.
absl::StatusOr<PictureSize> Unit(const Tensor& boxes,
                                 const std::optional<PictureSize>& input) {
  if (boxes.shape().back() == 7) return PictureSize{1, 1};
  if (input.has_value()) return *input;
  return InvalidArgument(
      "boxes are in pixels of the model's input, whose size an exported model "
      "that takes pictures of any size does not say: give the model's source");
}

}  // namespace

absl::StatusOr<std::vector<Detection>> BoxesIn(
    const std::vector<Tensor>& outputs, const PictureSize& picture,
    const std::optional<PictureSize>& input, double threshold) {
  std::vector<std::string> shapes;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Tensor* labels = i + 1 < outputs.size() ? &outputs[i + 1] : nullptr;
    auto boxes = conformance::ReadDetections(outputs[i], labels);
    shapes.push_back(outputs[i].shape().ToString());
    if (!boxes.ok()) continue;
    DOVETAIL_ASSIGN_OR_RETURN(const PictureSize unit, Unit(outputs[i], input));
    const double x = static_cast<double>(picture.width) / unit.width;
    const double y = static_cast<double>(picture.height) / unit.height;
    std::erase_if(*boxes, [&](const Detection& box) {
      return !(box.confidence >= threshold);
    });
    for (Detection& box : *boxes) {
      box.x1 *= x, box.x2 *= x;
      box.y1 *= y, box.y2 *= y;
    }
    std::stable_sort(boxes->begin(), boxes->end(),
                     [](const Detection& a, const Detection& b) {
                       return a.confidence > b.confidence;
                     });
    return boxes;
  }
  return InvalidArgument(
      "--boxes: no output holds detections, which are "
      "[1,1,N,7], or [N,5] and labels [N]; the outputs are ",
      absl::StrJoin(shapes, ", "));
}

}  // namespace dovetail::cli
