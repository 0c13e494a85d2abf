#include "dovetail/core/ops/detection/suppression/multiclass_nms.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "dovetail/core/reference/detection/suppression/detections.h"
#include "dovetail/core/reference/detection/suppression/greedy.h"
#include "dovetail/core/reference/detection/suppression/suppression.h"

namespace dovetail {
namespace {

float BorderOf(const MulticlassSelection& selection) {
  return selection.normalized ? 0.0f : 1.0f;
}

// What Wang et al., "SOLOv2" (2020), section 3.3, lower scores by: for each
// box, the least factor that a better box calls for. A better box that is
// itself covered calls for less.
std::vector<float> DecayFactors(const MatrixNmsAttributes& attributes,
                                const ClassBoxes& boxes) {
  const auto sigma = static_cast<float>(attributes.gaussian_sigma);
  const float border = BorderOf(attributes.selection);
  std::vector<float> factors(boxes.size(), 1.0f), covered(boxes.size(), 0.0f);
  for (size_t i = 1; i < boxes.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const float overlap = BoxOverlap(boxes[i].box, boxes[j].box, border);
      const float other = covered[j];
      const float factor =
          attributes.decay_function == DecayFunction::kGaussian
              ? std::exp((other * other - overlap * overlap) * sigma)
              : (1 - overlap) / (1 - other + 1e-10f);
      factors[i] = std::min(factors[i], factor);
      covered[i] = std::max(covered[i], overlap);
    }
  }
  return factors;
}

}  // namespace

absl::Status MatrixNmsKernel(KernelContext& context) {
  const auto& attributes = context.attributes<MatrixNmsAttributes>();
  const auto threshold = static_cast<float>(attributes.post_threshold);
  return SelectDetections(context, attributes.selection, NmsOptions{},
                          [&](const ClassBoxes& boxes) {
                            const std::vector<float> factors =
                                DecayFactors(attributes, boxes);
                            ClassBoxes kept;
                            for (size_t i = 0; i < boxes.size(); ++i) {
                              Detection lowered = boxes[i];
                              lowered.score *= factors[i];
                              if (lowered.score > threshold)
                                kept.push_back(lowered);
                            }
                            return kept;
                          });
}

absl::Status MulticlassNmsKernel(KernelContext& context) {
  const auto& attributes = context.attributes<MulticlassNmsAttributes>();
  GreedyLimits limits;
  limits.overlap = static_cast<float>(attributes.iou_threshold);
  limits.border = BorderOf(attributes.selection);
  limits.gaps_overlap = true;
  limits.eta = static_cast<float>(attributes.nms_eta);
  NmsOptions options;
  options.threshold_included = true;
  options.sorts_images_by_class = true;
  return SelectDetections(context, attributes.selection, options,
                          [&](const ClassBoxes& candidates) {
                            std::vector<Box> boxes;
                            for (const Detection& candidate : candidates) {
                              boxes.push_back(candidate.box);
                            }
                            ClassBoxes kept;
                            for (const int64_t i : KeepApart(boxes, limits)) {
                              kept.push_back(candidates[i]);
                            }
                            return kept;
                          });
}

}  // namespace dovetail
