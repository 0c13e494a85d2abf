#include "dovetail/core/reference/detection/suppression/detections.h"

#include <algorithm>
#include <tuple>

#include "dovetail/core/base/status.h"
#include "dovetail/core/reference/detection/suppression/greedy.h"

namespace dovetail {
namespace {

// Where the boxes of an image are. Boxes are [N, B, 4] and scores [N, C, B],
// or, with counts, [C, M, 4] and [C, M].
class Images {
 public:
  explicit Images(const KernelContext& context)
      : boxes_(context.input(0).data<float>()),
        scores_(context.input(1).data<float>()),
        by_class_(context.has_input(2)) {
    const Shape& boxes = context.input(0).shape();
    const Shape& scores = context.input(1).shape();
    extent_ = boxes[1];
    classes_ = by_class_ ? boxes[0] : scores[1];
    count_ = by_class_ ? context.input(2).shape()[0] : boxes[0];
  }

  int64_t count() const { return count_; }
  int64_t classes() const { return classes_; }
  int64_t extent() const { return extent_; }  // B or M
  bool by_class() const { return by_class_; }

  // The scores of a class, of which those of [begin, end) of an image.
  absl::Span<const float> Scores(int64_t image, int64_t label, int64_t begin,
                                 int64_t end) const {
    const int64_t row = by_class_ ? label : image * classes_ + label;
    return absl::MakeConstSpan(scores_ + row * extent_ + begin, end - begin);
  }
  // What the outputs tell a box by: its number in the tensor, or, of boxes by
  // class, as if the classes of a box were side by side.
  int64_t IndexOf(int64_t image, int64_t label, int64_t box) const {
    return by_class_ ? box * classes_ + label : image * extent_ + box;
  }
  Box BoxAt(int64_t image, int64_t label, int64_t box) const {
    const int64_t row = by_class_ ? label : image;
    const float* corners = boxes_ + (row * extent_ + box) * 4;
    return {corners[0], corners[1], corners[2], corners[3]};
  }

 private:
  const float* boxes_;
  const float* scores_;
  bool by_class_;
  int64_t count_, classes_, extent_;
};

// Boxes [first, second) of each image.
absl::StatusOr<std::vector<std::pair<int64_t, int64_t>>> RangesOf(
    const KernelContext& context, const Images& images) {
  std::vector<std::pair<int64_t, int64_t>> ranges(images.count(),
                                                  {0, images.extent()});
  if (!images.by_class()) return ranges;
  int64_t next = 0;
  for (int64_t image = 0; image < images.count(); ++image) {
    const int64_t count = context.input(2).ElementAsInt64(image);
    if (count < 0 || count > images.extent() - next) {
      return context.Error("input 2 says that image ", image, " has ", count,
                           " boxes, want 0 to ", images.extent() - next,
                           ", what the images before have left");
    }
    ranges[image] = {next, next + count};
    next += count;
  }
  return ranges;
}

ClassBoxes CandidatesOf(const Images& images,
                        const MulticlassSelection& selection,
                        const NmsOptions& options, int64_t image, int64_t label,
                        std::pair<int64_t, int64_t> range) {
  const auto threshold = static_cast<float>(selection.score_threshold);
  const absl::Span<const float> all =
      images.Scores(image, label, range.first, range.second);
  std::vector<int64_t> boxes;
  std::vector<float> scores;
  for (size_t i = 0; i < all.size(); ++i) {
    const bool enough = all[i] > threshold ||
                        (options.threshold_included && all[i] == threshold);
    if (!enough) continue;
    boxes.push_back(range.first + static_cast<int64_t>(i));
    scores.push_back(all[i]);
  }
  ClassBoxes candidates;
  for (const int64_t i : BestFirst(scores, selection.nms_top_k)) {
    candidates.push_back({scores[i], image, label,
                          images.IndexOf(image, label, boxes[i]),
                          images.BoxAt(image, label, boxes[i])});
  }
  return candidates;
}

bool ByScore(const Detection& a, const Detection& b) {
  return std::tie(b.score, a.image, a.label, a.index) <
         std::tie(a.score, b.image, b.label, b.index);
}

bool ByLabel(const Detection& a, const Detection& b) {
  return std::tie(a.label, a.image, b.score, a.index) <
         std::tie(b.label, b.image, a.score, b.index);
}

using Detections = std::vector<Detection>;

// The detections of one image, the best first.
Detections DetectIn(const Images& images, const MulticlassSelection& selection,
                    const NmsOptions& options, int64_t image,
                    std::pair<int64_t, int64_t> range, SuppressFn suppress) {
  Detections found;
  for (int64_t label = 0; label < images.classes(); ++label) {
    if (label == selection.background_class) continue;
    const ClassBoxes kept =
        suppress(CandidatesOf(images, selection, options, image, label, range));
    found.insert(found.end(), kept.begin(), kept.end());
  }
  std::sort(found.begin(), found.end(), &ByScore);
  if (selection.keep_top_k >= 0 &&
      static_cast<int64_t>(found.size()) > selection.keep_top_k) {
    found.erase(found.begin() + selection.keep_top_k, found.end());
  }
  return found;
}

absl::Status WriteDetections(KernelContext& context,
                             const MulticlassSelection& selection,
                             const std::vector<Detection>& detections,
                             const std::vector<int64_t>& counts) {
  const auto rows = static_cast<int64_t>(detections.size());
  DOVETAIL_RETURN_IF_ERROR(
      context.AllocateOutput(0, ElementType::kF32, Shape{rows, 6}));
  DOVETAIL_RETURN_IF_ERROR(
      context.AllocateOutput(1, selection.output_type, Shape{rows, 1}));
  float* out = context.output(0).mutable_data<float>();
  for (int64_t i = 0; i < rows; ++i) {
    const Detection& found = detections[i];
    for (const float number :
         {static_cast<float>(found.label), found.score, found.box.x1,
          found.box.y1, found.box.x2, found.box.y2}) {
      *out++ = number;
    }
    context.output(1).SetElement(i, static_cast<double>(found.index));
  }
  for (size_t i = 0; i < counts.size(); ++i) {
    context.output(2).SetElement(static_cast<int64_t>(i),
                                 static_cast<double>(counts[i]));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status SelectDetections(KernelContext& context,
                              const MulticlassSelection& selection,
                              const NmsOptions& options, SuppressFn suppress) {
  const Images images(context);
  DOVETAIL_ASSIGN_OR_RETURN(const auto ranges, RangesOf(context, images));
  const bool by_class = selection.sort_result_type == SortResultType::kClassId;
  Detections all;
  std::vector<int64_t> counts;
  for (int64_t image = 0; image < images.count(); ++image) {
    Detections found =
        DetectIn(images, selection, options, image, ranges[image], suppress);
    if (by_class && options.sorts_images_by_class) {
      std::sort(found.begin(), found.end(), &ByLabel);
    }
    counts.push_back(static_cast<int64_t>(found.size()));
    all.insert(all.end(), found.begin(), found.end());
  }
  if (selection.sort_result_across_batch &&
      selection.sort_result_type != SortResultType::kNone) {
    std::sort(all.begin(), all.end(), by_class ? &ByLabel : &ByScore);
  }
  return WriteDetections(context, selection, all, counts);
}

}  // namespace dovetail
