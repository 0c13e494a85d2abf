#include "dovetail/core/reference/detection/detection_output.h"

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "dovetail/core/ops/detection/detection_output.h"
#include "dovetail/core/reference/detection/decode_boxes.h"

namespace dovetail {
namespace {

// The elements of a tensor, converted only where they are no f32.
class Floats {
 public:
  static absl::StatusOr<Floats> Of(const Tensor& tensor) {
    Floats floats;
    floats.tensor_ = tensor;
    if (tensor.type() != ElementType::kF32 || !tensor.is_contiguous()) {
      DOVETAIL_ASSIGN_OR_RETURN(floats.tensor_,
                                ConvertTensor(tensor, ElementType::kF32));
    }
    return floats;
  }

  bool empty() const { return tensor_.element_count() == 0; }
  const float* data() const { return tensor_.data<float>(); }
  float operator[](int64_t i) const { return data()[i]; }

 private:
  Tensor tensor_;
};

// The inputs as floats, and their extents.
struct Predictions {
  int64_t images, priors, classes, locations;  // locations: boxes a prior
  Floats boxes, scores, prior_boxes;
  Floats aux_scores, aux_boxes;  // without elements when not given
  int64_t prior_sets;            // 1, or one an image
  int64_t prior_set_size;        // numbers of one set
};

// A box that may be shown.
struct Candidate {
  float score;
  int64_t label, prior;
};

bool BetterScore(const Candidate& a, const Candidate& b) {
  return a.score > b.score;
}

absl::StatusOr<Predictions> ReadPredictions(const KernelContext& context) {
  const auto& attributes = DetectionAttributesOf(context.node());
  Predictions p;
  const Shape& prior_shape = context.input(2).shape();
  p.images = context.input(0).shape()[0];
  p.prior_sets = prior_shape[0];
  p.prior_set_size = prior_shape[1] * prior_shape[2];
  p.priors = prior_shape[2] / (attributes.normalized ? 4 : 5);
  p.classes = ClassCount(context.node(), context.input(1).shape()[1], p.priors);
  p.locations = attributes.share_location ? 1 : p.classes;
  if (p.prior_sets != 1 && p.prior_sets != p.images) {
    return context.Error("input 2 has priors for ", p.prior_sets,
                         " images, want 1 or ", p.images);
  }
  DOVETAIL_ASSIGN_OR_RETURN(p.boxes, Floats::Of(context.input(0)));
  DOVETAIL_ASSIGN_OR_RETURN(p.scores, Floats::Of(context.input(1)));
  DOVETAIL_ASSIGN_OR_RETURN(p.prior_boxes, Floats::Of(context.input(2)));
  if (context.input_count() == 5) {
    DOVETAIL_ASSIGN_OR_RETURN(p.aux_scores, Floats::Of(context.input(3)));
    DOVETAIL_ASSIGN_OR_RETURN(p.aux_boxes, Floats::Of(context.input(4)));
  }
  return p;
}

// The boxes and scores of one image. Most priors see nothing there: boxes are
// made of those alone that are asked for. For one thread.
class Image {
 public:
  Image(const DetectionOutputAttributes& attributes, const Predictions& p,
        int64_t index)
      : attributes_(attributes),
        p_(p),
        index_(index),
        priors_(p.prior_boxes.data() +
                (p.prior_sets == 1 ? 0 : index) * p.prior_set_size),
        boxes_(p.priors * p.locations),
        known_(p.priors * p.locations, false) {}

  const Box& BoxOf(int64_t label, int64_t prior) {
    const int64_t location = p_.locations == 1 ? 0 : label;
    const int64_t at = prior * p_.locations + location;
    if (!known_[at]) boxes_[at] = Decode(prior, location);
    known_[at] = true;
    return boxes_[at];
  }

  float Score(int64_t label, int64_t prior) const {
    // A first stage that sees nothing there leaves only the background.
    if (!p_.aux_scores.empty() &&
        p_.aux_scores[(index_ * p_.priors + prior) * 2 + 1] <
            attributes_.objectness_score) {
      return label == attributes_.background_label_id ? 1.0f : 0.0f;
    }
    return p_.scores[(index_ * p_.priors + prior) * p_.classes + label];
  }

 private:
  Box Decode(int64_t i, int64_t l) const {
    Prior prior = ReadPrior(attributes_, priors_, p_.priors, i);
    const int64_t at =
        (index_ * p_.priors * p_.locations + i * p_.locations + l) * 4;
    // Two stages: the second moves what the first has made of the prior, which
    // is a fraction of the image by then. OpenVINO 2026 divides it by the
    // image's size once more where priors are not normalized.
    if (!p_.aux_boxes.empty()) {
      prior.box = DecodeBox(attributes_, prior, p_.aux_boxes.data() + at);
      if (attributes_.clip_before_nms) prior.box = ClipBox(prior.box);
    }
    const Box box = DecodeBox(attributes_, prior, p_.boxes.data() + at);
    return attributes_.clip_before_nms ? ClipBox(box) : box;
  }

  const DetectionOutputAttributes& attributes_;
  const Predictions& p_;
  const int64_t index_;
  const float* const priors_;
  std::vector<Box> boxes_;
  std::vector<bool> known_;
};

// Leaves the best `count` where they are; of equal ones, the first. There are
// more. To sort all takes several times as long.
void DropWorse(std::vector<Candidate>& candidates, int64_t count) {
  if (count == 0) return candidates.clear();
  std::vector<float> scores;
  for (const Candidate& candidate : candidates) {
    scores.push_back(candidate.score);
  }
  const auto last = scores.begin() + count - 1;
  std::nth_element(scores.begin(), last, scores.end(), std::greater<float>());
  const float least = *last;
  // How many of that score: all before `last` are as good, or better.
  auto equal = std::count(scores.begin(), scores.begin() + count, least);
  auto to = candidates.begin();
  for (const Candidate& candidate : candidates) {
    if (candidate.score < least) continue;
    if (candidate.score == least && equal-- <= 0) continue;
    *to++ = candidate;
  }
  candidates.erase(to, candidates.end());
}

// Best first, equal ones in the order in which they are.
void KeepBest(std::vector<Candidate>& candidates, int64_t count) {
  if (count >= 0 && count < static_cast<int64_t>(candidates.size())) {
    DropWorse(candidates, count);
  }
  std::stable_sort(candidates.begin(), candidates.end(), &BetterScore);
}

// Those of `candidates`, best first, that no better one of the same label
// overlaps, appended to `kept`.
void Suppress(Image& image, float threshold, MakeBoxCoverFn make_cover,
              const std::vector<Candidate>& candidates,
              std::vector<std::vector<Candidate>>& kept) {
  std::map<int64_t, std::unique_ptr<BoxCover>> covers;
  for (const Candidate& candidate : candidates) {
    const Box& box = image.BoxOf(candidate.label, candidate.prior);
    std::unique_ptr<BoxCover>& cover = covers[candidate.label];
    if (cover == nullptr) cover = make_cover();
    std::vector<Candidate>& same = kept[candidate.label];
    // Below 0 boxes are covered by those that they do not touch, too.
    const bool covered =
        threshold < 0 ? !same.empty() : cover->Covers(box, threshold);
    if (covered) continue;
    cover->Add(box);
    same.push_back(candidate);
  }
}

// Every class on its own, as Caffe does it.
void SelectPerClass(const DetectionOutputAttributes& attributes,
                    const Predictions& p, Image& image,
                    MakeBoxCoverFn make_cover,
                    std::vector<std::vector<Candidate>>& kept) {
  for (int64_t label = 0; label < p.classes; ++label) {
    if (label == attributes.background_label_id) continue;
    std::vector<Candidate> candidates;
    for (int64_t i = 0; i < p.priors; ++i) {
      const float score = image.Score(label, i);
      if (score > attributes.confidence_threshold) {
        candidates.push_back({score, label, i});
      }
    }
    KeepBest(candidates, attributes.top_k);
    Suppress(image, static_cast<float>(attributes.nms_threshold), make_cover,
             candidates, kept);
  }
}

// The best class of each prior, as MXNet does it; class 0 is the background.
void SelectBestClass(const DetectionOutputAttributes& attributes,
                     const Predictions& p, Image& image,
                     MakeBoxCoverFn make_cover,
                     std::vector<std::vector<Candidate>>& kept) {
  std::vector<Candidate> candidates;
  for (int64_t i = 0; i < p.priors; ++i) {
    Candidate best = {-1, 0, i};
    for (int64_t label = 1; label < p.classes; ++label) {
      const float score = image.Score(label, i);
      if (score > best.score) best = {score, label, i};
    }
    if (best.label > 0 && best.score >= attributes.confidence_threshold) {
      candidates.push_back(best);
    }
  }
  KeepBest(candidates, attributes.top_k);
  Suppress(image, static_cast<float>(attributes.nms_threshold), make_cover,
           candidates, kept);
}

// The best detections of an image over all classes, by class again.
void LimitDetections(int64_t limit, std::vector<std::vector<Candidate>>& kept) {
  std::vector<Candidate> all;
  for (const auto& same : kept) all.insert(all.end(), same.begin(), same.end());
  if (limit < 0 || static_cast<int64_t>(all.size()) <= limit) return;
  KeepBest(all, limit);
  for (auto& same : kept) same.clear();
  for (const Candidate& candidate : all) {
    kept[candidate.label].push_back(candidate);
  }
}

// Rows of the output, as many as fit.
class RowWriter {
 public:
  explicit RowWriter(const Tensor& output) : output_(output) {
    for (int64_t i = 0; i < output.element_count(); ++i) {
      output.SetElement(i, 0);
    }
  }

  void Add(int64_t image, int64_t label, float score, const Box& box) {
    if (!HasRoom()) return;
    const double row[] = {static_cast<double>(image),
                          static_cast<double>(label),
                          score,
                          box.x1,
                          box.y1,
                          box.x2,
                          box.y2};
    for (const double number : row) output_.SetElement(next_++, number);
  }

  void End() {
    if (HasRoom()) output_.SetElement(next_, -1);
  }

 private:
  bool HasRoom() const { return next_ + 7 <= output_.element_count(); }
  const Tensor& output_;
  int64_t next_ = 0;
};

// The detections of one image.
void Detect(const DetectionOutputAttributes& attributes, const Predictions& p,
            int64_t index, MakeBoxCoverFn make_cover, RowWriter& writer) {
  Image image(attributes, p, index);
  std::vector<std::vector<Candidate>> kept(p.classes);
  if (attributes.decrease_label_id) {
    SelectBestClass(attributes, p, image, make_cover, kept);
  } else {
    SelectPerClass(attributes, p, image, make_cover, kept);
  }
  LimitDetections(attributes.keep_top_k[0], kept);
  for (const std::vector<Candidate>& same : kept) {
    for (const Candidate& found : same) {
      const Box& box = image.BoxOf(found.label, found.prior);
      writer.Add(index, found.label - (attributes.decrease_label_id ? 1 : 0),
                 found.score, attributes.clip_after_nms ? ClipBox(box) : box);
    }
  }
}

}  // namespace

absl::Status DetectionOutputKernel(KernelContext& context) {
  return DetectionOutput(context, &MakeBoxCover);
}

absl::Status DetectionOutput(KernelContext& context,
                             MakeBoxCoverFn make_cover) {
  const auto& attributes = DetectionAttributesOf(context.node());
  DOVETAIL_ASSIGN_OR_RETURN(const Predictions p, ReadPredictions(context));
  RowWriter writer(context.output(0));
  for (int64_t i = 0; i < p.images; ++i) {
    Detect(attributes, p, i, make_cover, writer);
  }
  writer.End();
  return absl::OkStatus();
}

}  // namespace dovetail
