// Proposal, after Ren et al., "Faster R-CNN" (2015), section 3.1.
#include "dovetail/core/ops/detection/proposals/proposal.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "dovetail/core/reference/detection/boxes.h"
#include "dovetail/core/reference/detection/proposals/move_box.h"
#include "dovetail/core/reference/detection/proposals/proposals.h"
#include "dovetail/core/reference/detection/suppression/greedy.h"

namespace dovetail {
namespace {

// Whether corners are pixels that a box includes: Caffe's convention.
float BorderOf(const ProposalAttributes& attributes) {
  return attributes.framework == ProposalFramework::kCaffe ? 1.0f : 0.0f;
}

// The anchors of the first cell: the base square in other ratios and scales.
// TensorFlow centres them on 0 and does not round their sides.
std::vector<Box> AnchorsOf(const ProposalAttributes& attributes) {
  const bool caffe = attributes.framework == ProposalFramework::kCaffe;
  const float border = BorderOf(attributes);
  const auto side = static_cast<float>(attributes.base_size);
  const float centre = 0.5f * (side - border) - (caffe ? 0 : 0.5f * side);
  std::vector<Box> anchors;
  for (const double ratio_number : attributes.ratio) {
    const auto ratio = static_cast<float>(ratio_number);
    float width = std::sqrt(side * side / ratio);
    if (caffe) width = std::round(width);
    const float height = caffe ? std::round(width * ratio) : width * ratio;
    for (const double scale_number : attributes.scale) {
      const auto scale = static_cast<float>(scale_number);
      const float half_width = 0.5f * (width * scale - border);
      const float half_height = 0.5f * (height * scale - border);
      anchors.push_back({centre - half_width, centre - half_height,
                         centre + half_width, centre + half_height});
    }
  }
  return anchors;
}

// Sizes of the image, and of the smallest box.
struct Image {
  float height, width, min_height, min_width;
};

Image ImageOf(const KernelContext& context) {
  const auto& attributes = context.attributes<ProposalAttributes>();
  const absl::Span<const float> numbers = context.input(2).span<float>();
  const auto size = static_cast<float>(attributes.min_size);
  // From TensorFlow, x goes down the image and y to the right.
  const bool swapped = attributes.framework == ProposalFramework::kTensorFlow;
  return {numbers[swapped ? 1 : 0], numbers[swapped ? 0 : 1], size * numbers[2],
          size * numbers[numbers.size() == 4 ? 3 : 2]};
}

// All boxes of one image and their scores.
class Candidates {
 public:
  Candidates(const KernelContext& context, const Image& image, int64_t item)
      : attributes_(context.attributes<ProposalAttributes>()),
        image_(image),
        border_(BorderOf(attributes_)) {
    const std::vector<Box> anchors = AnchorsOf(attributes_);
    const auto count = static_cast<int64_t>(anchors.size());
    const Shape& shape = context.input(0).shape();
    const int64_t height = shape[2], width = shape[3];
    plane_ = height * width;
    scores_in_ =
        context.input(0).data<float>() + (item * 2 + 1) * count * plane_;
    deltas_ = context.input(1).data<float>() + item * 4 * count * plane_;
    for (int64_t cell = 0; cell < plane_; ++cell) {
      for (int64_t a = 0; a < count; ++a) {
        AddBox(anchors[a], a, cell, cell / width, cell % width);
      }
    }
  }

  const std::vector<Box>& boxes() const { return boxes_; }
  const std::vector<float>& scores() const { return scores_; }

 private:
  Box Clip(const Box& box) const {
    return ClampBox(box, image_.width - border_, image_.height - border_);
  }

  void AddBox(const Box& anchor, int64_t a, int64_t cell, int64_t row,
              int64_t column) {
    const auto stride = static_cast<float>(attributes_.feat_stride);
    const bool tensorflow =
        attributes_.framework == ProposalFramework::kTensorFlow;
    const float x = static_cast<float>(tensorflow ? row : column) * stride;
    const float y = static_cast<float>(tensorflow ? column : row) * stride;
    Box box = {anchor.x1 + x, anchor.y1 + y, anchor.x2 + x, anchor.y2 + y};
    if (tensorflow) box = Clip(box);
    box = MoveBox(box, MoveAt(a, cell), border_);
    if (attributes_.clip_before_nms) box = Clip(box);
    const bool large = box.x2 - box.x1 + border_ >= image_.min_width &&
                       box.y2 - box.y1 + border_ >= image_.min_height;
    boxes_.push_back(box);
    scores_.push_back(large ? scores_in_[a * plane_ + cell] : 0.0f);
  }

  BoxMove MoveAt(int64_t a, int64_t cell) const {
    const auto delta = [&](int64_t i) {
      return deltas_[(a * 4 + i) * plane_ + cell];
    };
    const auto place = static_cast<float>(attributes_.box_coordinate_scale);
    const auto size = static_cast<float>(attributes_.box_size_scale);
    return {delta(0) / place, delta(1) / place, delta(2) / size,
            delta(3) / size};
  }

  const ProposalAttributes& attributes_;
  const Image image_;
  const float border_;
  int64_t plane_;
  const float* scores_in_;
  const float* deltas_;
  std::vector<Box> boxes_;
  std::vector<float> scores_;
};

// The corners as they are given out.
Box Finished(const ProposalAttributes& attributes, const Image& image,
             Box box) {
  if (attributes.clip_after_nms) {
    box = ClampBox(box, image.width, image.height);
  }
  if (attributes.normalize) {
    box = {box.x1 / image.width, box.y1 / image.height, box.x2 / image.width,
           box.y2 / image.height};
  }
  return box;
}

// Rows of one image; `scores` may be null.
void Propose(const KernelContext& context, const Image& image, int64_t item,
             float* rows, float* scores) {
  const auto& attributes = context.attributes<ProposalAttributes>();
  const Candidates candidates(context, image, item);
  const std::vector<int64_t> best =
      BestFirst(candidates.scores(), attributes.pre_nms_topn);
  std::vector<Box> boxes;
  for (const int64_t i : best) boxes.push_back(candidates.boxes()[i]);
  GreedyLimits limits;
  limits.overlap = static_cast<float>(attributes.nms_thresh);
  limits.border = BorderOf(attributes);
  limits.most = attributes.post_nms_topn;
  const std::vector<int64_t> kept = KeepApart(boxes, limits);
  for (const int64_t i : kept) {
    const Box box = Finished(attributes, image, boxes[i]);
    for (const float number :
         {static_cast<float>(item), box.x1, box.y1, box.x2, box.y2}) {
      *rows++ = number;
    }
    if (scores != nullptr) *scores++ = candidates.scores()[best[i]];
  }
  if (static_cast<int64_t>(kept.size()) < attributes.post_nms_topn) *rows = -1;
}

}  // namespace

absl::Status ProposalKernel(KernelContext& context) {
  const auto& attributes = context.attributes<ProposalAttributes>();
  const Image image = ImageOf(context);
  if (!(image.height > 0) || !(image.width > 0)) {
    return context.Error("input 2 is an image of ", image.height, "x",
                         image.width, " pixels");
  }
  for (int i = 0; i < context.output_count(); ++i) {
    const absl::Span<float> output = context.output(i).mutable_span<float>();
    std::fill(output.begin(), output.end(), 0.0f);
  }
  const int64_t count = attributes.post_nms_topn;
  for (int64_t item = 0; item < context.input(0).shape()[0]; ++item) {
    float* rows = context.output(0).mutable_data<float>() + item * count * 5;
    float* scores =
        context.output_count() < 2
            ? nullptr
            : context.output(1).mutable_data<float>() + item * count;
    Propose(context, image, item, rows, scores);
  }
  return absl::OkStatus();
}

}  // namespace dovetail
