// Proposal: regions that may show an object, from a region proposal network's
// scores and the moves of its anchors.
#ifndef DOVETAIL_CORE_OPS_DETECTION_PROPOSALS_PROPOSAL_H_
#define DOVETAIL_CORE_OPS_DETECTION_PROPOSALS_PROPOSAL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// Whose conventions anchors follow.
enum class ProposalFramework { kCaffe, kTensorFlow };
absl::Span<const EnumName> EnumNames(ProposalFramework);

struct ProposalAttributes : public AttributesOf<ProposalAttributes> {
  int64_t base_size = 0;      // side of the anchor that ratio and scale change
  int64_t pre_nms_topn = 0;   // boxes an image before suppression
  int64_t post_nms_topn = 0;  // boxes an image in the end
  double nms_thresh = 0;
  int64_t feat_stride = 1;  // pixels between cells of the feature map
  int64_t min_size = 1;     // pixels of the smallest box, before scaling
  std::vector<double> ratio, scale;  // an anchor for each pair
  bool clip_before_nms = true;
  bool clip_after_nms = false;
  bool normalize = false;  // give fractions of the image
  double box_size_scale = 1, box_coordinate_scale = 1;  // what deltas are over
  ProposalFramework framework = ProposalFramework::kCaffe;

  void Visit(AttributeVisitor& visitor) override;
};

// class_probs [N, 2 * A, H, W] (background, then object), bbox_deltas
// [N, 4 * A, H, W], image_shape [3] (height, width, scale) or [4] (and the
// scale of x) -> boxes [N * post_nms_topn, 5] (image, x1, y1, x2, y2), in
// version 4 also scores [N * post_nms_topn]. The first row that is not used, if
// any, has image -1.
absl::Status InferProposal(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_DETECTION_PROPOSALS_PROPOSAL_H_
