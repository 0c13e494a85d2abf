#include "dovetail/core/reference/detection/suppression/selection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/reference/detection/boxes.h"

namespace dovetail {
namespace {

struct Limits {
  int64_t boxes_per_class = 0;
  float overlap = 0, score = 0, sigma = 0;
};

struct Selected {
  float score;
  int64_t batch, label, box;
  // How many of the selected boxes its score has been lowered for already.
  size_t seen = 0;
};

// The best comes out of the queue first; of equal ones the first box.
struct Worse {
  bool operator()(const Selected& a, const Selected& b) const {
    return a.score < b.score || (a.score == b.score && a.box > b.box);
  }
};

using Queue = std::priority_queue<Selected, std::vector<Selected>, Worse>;

Limits LimitsOf(const KernelContext& context) {
  const auto number = [&](int i) {
    return context.has_input(i)
               ? static_cast<float>(context.input(i).ElementAsDouble(0))
               : 0.0f;
  };
  Limits limits;
  if (context.has_input(2)) {
    limits.boxes_per_class = context.input(2).ElementAsInt64(0);
  }
  limits.overlap = number(3);
  limits.score = number(4);
  limits.sigma = number(5);
  return limits;
}

// Lowers the score of `next` for the selected boxes that it has not seen yet:
// with a sigma by exp(-overlap^2 / (2 sigma)) each, whatever the threshold
// (soft suppression), without one to nothing when a box covers it. Boxes of the
// image begin at number `first`.
void LowerScore(const Limits& limits, OverlapFn overlap_of, int64_t first,
                const std::vector<Selected>& selected, Selected& next) {
  for (size_t i = selected.size(); i-- > next.seen;) {
    const float overlap =
        overlap_of(first + next.box, first + selected[i].box);
    if (limits.sigma > 0) {
      next.score *= std::exp(-overlap * overlap / (2 * limits.sigma));
    } else if (overlap > limits.overlap) {
      // Exactly the threshold is not too much, as the specification and ONNX
      // say; OpenVINO's plugin for CPUs drops such a box, too. No threshold of
      // scores is low enough for a box that is covered.
      next.score = -std::numeric_limits<float>::infinity();
    }
    if (next.score <= limits.score) break;
  }
  next.seen = selected.size();
}

// The boxes of one class that stay, the best first.
std::vector<Selected> SelectOfClass(const Limits& limits, OverlapFn overlap,
                                    int64_t first, Queue queue) {
  std::vector<Selected> selected;
  while (!queue.empty() &&
         static_cast<int64_t>(selected.size()) < limits.boxes_per_class) {
    Selected next = queue.top();
    queue.pop();
    const float score = next.score;
    LowerScore(limits, overlap, first, selected, next);
    if (next.score == score) {
      selected.push_back(next);
    } else if (next.score > limits.score) {
      queue.push(next);
    }
  }
  return selected;
}

// The same without soft suppression, for a limit of overlap of 0 or more.
std::vector<Selected> SelectApart(const Limits& limits,
                                  absl::Span<const Box> boxes,
                                  MakeBoxCoverFn make_cover, Queue queue) {
  std::vector<Selected> selected;
  const std::unique_ptr<BoxCover> cover = make_cover();
  while (!queue.empty() &&
         static_cast<int64_t>(selected.size()) < limits.boxes_per_class) {
    const Selected next = queue.top();
    queue.pop();
    const Box& box = boxes[next.box];
    if (cover->Covers(box, limits.overlap)) continue;
    cover->Add(box);
    selected.push_back(next);
  }
  return selected;
}

absl::StatusOr<std::vector<Selected>> SelectAll(const KernelContext& context,
                                                bool sort, OverlapFn overlap,
                                                absl::Span<const Box> boxes,
                                                MakeBoxCoverFn make_cover) {
  const Shape& shape = context.input(1).shape();
  const int64_t batches = shape[0], classes = shape[1], count = shape[2];
  const Limits limits = LimitsOf(context);
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<float> scores,
                            ToFloats(context.input(1)));
  const bool apart = !boxes.empty() && limits.sigma <= 0 &&
                     limits.overlap >= 0;
  std::vector<Selected> all;
  for (int64_t b = 0; b < batches; ++b) {
    for (int64_t c = 0; c < classes; ++c) {
      Queue queue;
      for (int64_t i = 0; i < count; ++i) {
        const float score = scores[(b * classes + c) * count + i];
        if (score > limits.score) queue.push({score, b, c, i});
      }
      const std::vector<Selected> selected =
          apart ? SelectApart(limits, boxes.subspan(b * count, count),
                              make_cover, std::move(queue))
                : SelectOfClass(limits, overlap, b * count, std::move(queue));
      all.insert(all.end(), selected.begin(), selected.end());
    }
  }
  if (sort) {
    std::stable_sort(all.begin(), all.end(),
                     [](const Selected& x, const Selected& y) {
                       return std::tie(y.score, x.batch, x.label, x.box) <
                              std::tie(x.score, y.batch, y.label, y.box);
                     });
  }
  return all;
}

absl::Status WriteScores(KernelContext& context, ElementType output_type,
                         const std::vector<Selected>& selected) {
  const auto count = static_cast<int64_t>(selected.size());
  DOVETAIL_RETURN_IF_ERROR(
      context.AllocateOutput(1, ElementType::kF32, Shape{count, 3}));
  DOVETAIL_RETURN_IF_ERROR(context.AllocateOutput(2, output_type, Shape{1}));
  float* rows = context.output(1).mutable_data<float>();
  for (const Selected& box : selected) {
    *rows++ = static_cast<float>(box.batch);
    *rows++ = static_cast<float>(box.label);
    *rows++ = box.score;
  }
  context.output(2).SetElement(0, static_cast<double>(count));
  return absl::OkStatus();
}

}  // namespace

absl::Status SelectBoxes(KernelContext& context, bool sort,
                         ElementType output_type, OverlapFn overlap,
                         absl::Span<const Box> boxes,
                         MakeBoxCoverFn make_cover) {
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::vector<Selected> selected,
      SelectAll(context, sort, overlap, boxes, make_cover));
  const auto count = static_cast<int64_t>(selected.size());
  DOVETAIL_RETURN_IF_ERROR(
      context.AllocateOutput(0, output_type, Shape{count, 3}));
  for (int64_t i = 0; i < count; ++i) {
    const Tensor& indices = context.output(0);
    indices.SetElement(i * 3, static_cast<double>(selected[i].batch));
    indices.SetElement(i * 3 + 1, static_cast<double>(selected[i].label));
    indices.SetElement(i * 3 + 2, static_cast<double>(selected[i].box));
  }
  if (context.output_count() == 1) return absl::OkStatus();
  return WriteScores(context, output_type, selected);
}

}  // namespace dovetail
