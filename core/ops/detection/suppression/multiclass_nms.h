// MatrixNms and MulticlassNms: the detections of all classes of an image, where
// boxes that overlap a better one of their class are dropped, or lose score.
#ifndef DOVETAIL_CORE_OPS_DETECTION_SUPPRESSION_MULTICLASS_NMS_H_
#define DOVETAIL_CORE_OPS_DETECTION_SUPPRESSION_MULTICLASS_NMS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

enum class SortResultType {
  kClassId,  // by class, the best of a class first
  kScore,    // the best first
  kNone,     // in no order that is told
};
absl::Span<const EnumName> EnumNames(SortResultType);

// What both operations have.
struct MulticlassSelection {
  SortResultType sort_result_type = SortResultType::kNone;
  bool sort_result_across_batch = false;  // not each image on its own
  ElementType output_type = ElementType::kI64;
  int64_t nms_top_k = -1;   // boxes a class before suppression; -1: all
  int64_t keep_top_k = -1;  // boxes an image in the end; -1: all
  double score_threshold = 0;
  int64_t background_class = -1;  // which is left out; -1: none
  bool normalized =
      true;  // corners are fractions; else pixels, both in the box

  // The names in common. Not an attribute struct of its own.
  void Visit(AttributeVisitor& visitor);
};

enum class DecayFunction { kGaussian, kLinear };
absl::Span<const EnumName> EnumNames(DecayFunction);

struct MatrixNmsAttributes : public AttributesOf<MatrixNmsAttributes> {
  MulticlassSelection selection;
  DecayFunction decay_function = DecayFunction::kLinear;
  double gaussian_sigma = 2;
  double post_threshold = 0;  // of scores after the decay

  void Visit(AttributeVisitor& visitor) override {
    selection.Visit(visitor);
    visitor.Visit("decay_function", decay_function);
    visitor.Visit("gaussian_sigma", gaussian_sigma);
    visitor.Visit("post_threshold", post_threshold);
  }
};

struct MulticlassNmsAttributes : public AttributesOf<MulticlassNmsAttributes> {
  MulticlassSelection selection;
  double iou_threshold = 0;  // overlap beyond which a box is dropped
  double nms_eta = 1;  // what the threshold, if above 0.5, shrinks by each time

  void Visit(AttributeVisitor& visitor) override {
    selection.Visit(visitor);
    visitor.Visit("iou_threshold", iou_threshold);
    visitor.Visit("nms_eta", nms_eta);
  }
};

// boxes [N, B, 4] (x1, y1, x2, y2), scores [N, C, B] -> detections [K, 6]
// (class, score, box), indices of boxes [K, 1], detections of each image [N]. K
// depends on the data.
absl::Status InferMatrixNms(InferContext& context);
// The same; in version 9 also boxes of each class [C, M, 4], scores [C, M] and
// how many of the M boxes each image has, one image after the other, [N].
absl::Status InferMulticlassNms(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_DETECTION_SUPPRESSION_MULTICLASS_NMS_H_
