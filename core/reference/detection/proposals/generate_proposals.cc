#include "dovetail/core/ops/detection/proposals/generate_proposals.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/reference/detection/boxes.h"
#include "dovetail/core/reference/detection/proposals/move_box.h"
#include "dovetail/core/reference/detection/proposals/proposals.h"
#include "dovetail/core/reference/detection/suppression/greedy.h"

namespace dovetail {
namespace {

// One image's part of the inputs.
struct ImageInputs {
  absl::Span<const float> info;  // height, width, one or two scales
  const float* anchors;          // [H * W, A, 4]
  const float* deltas;           // [A, 4, H * W]
  const float* scores;           // [A, H * W]
  int64_t anchor_count, plane;
};

struct Habits {
  float border = 0;  // see BoxArea
  float eta = 1;
  // A box must be so large.
  float min_width = 0, min_height = 0;
  // Whether a smaller one is dropped from the best before suppression;
  // otherwise its score is 0 from the beginning.
  bool drop_small = false;
};

struct Proposals {
  std::vector<Box> boxes;  // the best first
  std::vector<float> scores;
};

// Sizes may not grow by more than this: a box of 16 pixels to one of 1000.
const float kMaxGrowth = std::log(1000.0f / 16);

// The box that anchor `a` of a cell becomes, inside of the image.
Box BoxAt(const ImageInputs& in, const Habits& habits, int64_t a,
          int64_t cell) {
  const float* corners = in.anchors + (cell * in.anchor_count + a) * 4;
  const auto delta = [&](int64_t i) {
    return in.deltas[(a * 4 + i) * in.plane + cell];
  };
  Box box = MoveBox({corners[0], corners[1], corners[2], corners[3]},
                    {delta(0), delta(1), std::min(delta(2), kMaxGrowth),
                     std::min(delta(3), kMaxGrowth)},
                    habits.border);
  box.x2 -= habits.border;
  box.y2 -= habits.border;
  return ClampBox(box, in.info[1] - habits.border, in.info[0] - habits.border);
}

bool IsLarge(const Box& box, const Habits& habits) {
  return box.x2 - box.x1 + habits.border >= habits.min_width &&
         box.y2 - box.y1 + habits.border >= habits.min_height;
}

Proposals Propose(const SingleImageProposalsAttributes& attributes,
                  const ImageInputs& in, const Habits& habits) {
  std::vector<Box> boxes;
  std::vector<float> scores;
  std::vector<bool> is_large;
  for (int64_t cell = 0; cell < in.plane; ++cell) {
    for (int64_t a = 0; a < in.anchor_count; ++a) {
      boxes.push_back(BoxAt(in, habits, a, cell));
      is_large.push_back(IsLarge(boxes.back(), habits));
      const bool counts = is_large.back() || habits.drop_small;
      scores.push_back(counts ? in.scores[a * in.plane + cell] : 0.0f);
    }
  }
  std::vector<int64_t> best = BestFirst(scores, attributes.pre_nms_count);
  if (habits.drop_small) {
    std::erase_if(best, [&](int64_t i) { return !is_large[i]; });
  }
  std::vector<Box> ordered;
  for (const int64_t i : best) ordered.push_back(boxes[i]);
  GreedyLimits limits;
  limits.overlap = static_cast<float>(attributes.nms_threshold);
  limits.border = habits.border;
  limits.most = attributes.post_nms_count;
  limits.eta = habits.eta;
  Proposals proposals;
  for (const int64_t i : KeepApart(ordered, limits)) {
    proposals.boxes.push_back(ordered[i]);
    proposals.scores.push_back(scores[best[i]]);
  }
  return proposals;
}

void Write(const Proposals& proposals, float* boxes, float* scores) {
  for (const Box& box : proposals.boxes) {
    for (const float corner : {box.x1, box.y1, box.x2, box.y2}) {
      *boxes++ = corner;
    }
  }
  std::copy(proposals.scores.begin(), proposals.scores.end(), scores);
}

}  // namespace

absl::Status GenerateProposalsKernel(KernelContext& context) {
  const auto& attributes = context.attributes<GenerateProposalsAttributes>();
  const Shape& shape = context.input(3).shape();
  const int64_t images = shape[0], size = shape.Count(1, 4);
  const int64_t info = context.input(0).shape()[1];
  Habits habits;
  habits.border = attributes.normalized ? 0.0f : 1.0f;
  habits.eta = static_cast<float>(attributes.nms_eta);
  habits.drop_small = true;
  const auto min_size = static_cast<float>(attributes.base.min_size);
  Proposals all;
  for (int64_t i = 0; i < images; ++i) {
    const ImageInputs in = {
        context.input(0).span<float>().subspan(i * info, info),
        context.input(1).data<float>(),
        context.input(2).data<float>() + i * size * 4,
        context.input(3).data<float>() + i * size,
        shape[1],
        shape[2] * shape[3]};
    habits.min_height = min_size * in.info[2];
    habits.min_width = min_size * in.info[info - 1];
    const Proposals own = Propose(attributes.base, in, habits);
    all.boxes.insert(all.boxes.end(), own.boxes.begin(), own.boxes.end());
    all.scores.insert(all.scores.end(), own.scores.begin(), own.scores.end());
    context.output(2).SetElement(i, static_cast<double>(own.boxes.size()));
  }
  const auto count = static_cast<int64_t>(all.boxes.size());
  DOVETAIL_RETURN_IF_ERROR(
      context.AllocateOutput(0, ElementType::kF32, Shape{count, 4}));
  DOVETAIL_RETURN_IF_ERROR(
      context.AllocateOutput(1, ElementType::kF32, Shape{count}));
  Write(all, context.output(0).mutable_data<float>(),
        context.output(1).mutable_data<float>());
  return absl::OkStatus();
}

absl::Status SingleImageProposalsKernel(KernelContext& context) {
  const auto& attributes = context.attributes<SingleImageProposalsAttributes>();
  const Shape& shape = context.input(3).shape();
  const ImageInputs in = {context.input(0).span<float>(),
                          context.input(1).data<float>(),
                          context.input(2).data<float>(),
                          context.input(3).data<float>(),
                          shape[0],
                          shape[1] * shape[2]};
  Habits habits;
  habits.border = 1;
  // The scale in input 0 has no part in this, other than in GenerateProposals.
  habits.min_width = static_cast<float>(attributes.min_size);
  habits.min_height = habits.min_width;
  for (const int i : {0, 1}) {
    const absl::Span<float> output = context.output(i).mutable_span<float>();
    std::fill(output.begin(), output.end(), 0.0f);
  }
  Write(Propose(attributes, in, habits),
        context.output(0).mutable_data<float>(),
        context.output(1).mutable_data<float>());
  return absl::OkStatus();
}

}  // namespace dovetail
