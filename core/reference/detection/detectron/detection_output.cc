#include "dovetail/core/ops/detection/detectron/detection_output.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "dovetail/core/reference/detection/boxes.h"
#include "dovetail/core/reference/detection/detectron/detectron.h"
#include "dovetail/core/reference/detection/proposals/move_box.h"
#include "dovetail/core/reference/detection/suppression/greedy.h"

namespace dovetail {
namespace {

// Corners are pixels that a box includes.
constexpr float kBorder = 1;

// The detections so far, one element of each list for each.
struct Found {
  std::vector<Box> boxes;
  std::vector<int64_t> labels;
  std::vector<float> scores;
};

// The box of a region for a class, cut at the first row and column only, not
// where the image ends: input 3 does not matter. The deltas are those
// of all classes even where class_agnostic_box_regression says that one would
// do: OpenVINO reads them so.
Box BoxOf(const KernelContext& context, int64_t roi, int64_t label) {
  const auto& attributes =
      context.attributes<DetectronDetectionOutputAttributes>();
  const float* corners = context.input(0).data<float>() + roi * 4;
  const float* deltas = context.input(1).data<float>() +
                        (roi * attributes.num_classes + label) * 4;
  const auto delta = [&](int i) {
    return deltas[i] / static_cast<float>(attributes.deltas_weights[i]);
  };
  const auto most = static_cast<float>(attributes.max_delta_log_wh);
  Box box = MoveBox(
      {corners[0], corners[1], corners[2], corners[3]},
      {delta(0), delta(1), std::min(delta(2), most), std::min(delta(3), most)},
      kBorder);
  box.x2 -= kBorder;
  box.y2 -= kBorder;
  constexpr float kAny = std::numeric_limits<float>::infinity();
  return ClampBox(box, kAny, kAny);
}

// What is not right of and below its first corner is no region: networks fill
// up their lists of regions with such.
bool IsRegion(const KernelContext& context, int64_t roi) {
  const float* corners = context.input(0).data<float>() + roi * 4;
  return corners[2] > corners[0] && corners[3] > corners[1];
}

// Adds the detections of one class.
void FindOfClass(const KernelContext& context, int64_t label, Found& found) {
  const auto& attributes =
      context.attributes<DetectronDetectionOutputAttributes>();
  const auto threshold = static_cast<float>(attributes.score_threshold);
  const float* all = context.input(2).data<float>();
  std::vector<int64_t> rois;
  std::vector<float> scores;
  for (int64_t i = 0; i < context.input(0).shape()[0]; ++i) {
    const float score = all[i * attributes.num_classes + label];
    if (!(score > threshold) || !IsRegion(context, i)) continue;
    rois.push_back(i);
    scores.push_back(score);
  }
  const std::vector<int64_t> best = BestFirst(scores, -1);
  std::vector<Box> boxes;
  for (const int64_t i : best) boxes.push_back(BoxOf(context, rois[i], label));
  GreedyLimits limits;
  limits.overlap = static_cast<float>(attributes.nms_threshold);
  limits.border = kBorder;
  limits.most = attributes.post_nms_count;
  for (const int64_t i : KeepApart(boxes, limits)) {
    found.boxes.push_back(boxes[i]);
    found.labels.push_back(label);
    found.scores.push_back(scores[best[i]]);
  }
}

// The detections to give out: the best first when there are too many, otherwise
// one class after the other.
std::vector<int64_t> Order(const std::vector<float>& scores, int64_t most) {
  if (most >= 0 && most < static_cast<int64_t>(scores.size())) {
    return BestFirst(scores, most);
  }
  std::vector<int64_t> order(scores.size());
  std::iota(order.begin(), order.end(), int64_t{0});
  return order;
}

}  // namespace

absl::Status DetectronDetectionOutputKernel(KernelContext& context) {
  const auto& attributes =
      context.attributes<DetectronDetectionOutputAttributes>();
  Found found;
  for (int64_t label = 1; label < attributes.num_classes; ++label) {
    FindOfClass(context, label, found);
  }
  const absl::Span<float> boxes = context.output(0).mutable_span<float>();
  const absl::Span<int32_t> labels = context.output(1).mutable_span<int32_t>();
  const absl::Span<float> scores = context.output(2).mutable_span<float>();
  std::fill(boxes.begin(), boxes.end(), 0.0f);
  std::fill(labels.begin(), labels.end(), 0);
  std::fill(scores.begin(), scores.end(), 0.0f);
  int64_t row = 0;
  for (const int64_t i :
       Order(found.scores, attributes.max_detections_per_image)) {
    const Box& box = found.boxes[i];
    const float corners[] = {box.x1, box.y1, box.x2, box.y2};
    std::copy_n(corners, 4, boxes.data() + row * 4);
    labels[row] = static_cast<int32_t>(found.labels[i]);
    scores[row] = found.scores[i];
    ++row;
  }
  return absl::OkStatus();
}

}  // namespace dovetail
