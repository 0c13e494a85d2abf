// GenerateProposals, and ExperimentalDetectronGenerateProposalsSingleImage for
// one image: what Proposal does, for anchors that are given.
#ifndef DOVETAIL_CORE_OPS_DETECTION_PROPOSALS_GENERATE_PROPOSALS_H_
#define DOVETAIL_CORE_OPS_DETECTION_PROPOSALS_GENERATE_PROPOSALS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

struct SingleImageProposalsAttributes
    : public AttributesOf<SingleImageProposalsAttributes> {
  double min_size = 0;  // pixels of the smallest box, before scaling
  double nms_threshold = 0;
  int64_t post_nms_count = 0;  // boxes in the end
  int64_t pre_nms_count = 0;   // boxes before suppression

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("min_size", min_size);
    visitor.Visit("nms_threshold", nms_threshold);
    visitor.Visit("post_nms_count", post_nms_count);
    visitor.Visit("pre_nms_count", pre_nms_count);
  }
};

struct GenerateProposalsAttributes
    : public AttributesOf<GenerateProposalsAttributes> {
  SingleImageProposalsAttributes base;  // counts are those of each image
  bool normalized = true;  // corners are points; else pixels, both in the box
  double nms_eta = 1;
  ElementType roi_num_type = ElementType::kI64;

  void Visit(AttributeVisitor& visitor) override {
    base.Visit(visitor);
    visitor.Visit("normalized", normalized);
    visitor.Visit("nms_eta", nms_eta);
    visitor.Visit("roi_num_type", roi_num_type);
  }
};

// im_info [N, 3] (height, width, scale) or [N, 4] (scales of y and x), anchors
// [H, W, A, 4], deltas [N, 4 * A, H, W], scores [N, A, H, W] -> boxes [K, 4],
// scores [K], boxes of each image [N]. K depends on the data.
absl::Status InferGenerateProposals(InferContext& context);
// im_info [3], anchors [H * W * A, 4], deltas [4 * A, H, W], scores [A, H, W]
// -> boxes [post_nms_count, 4], scores [post_nms_count], 0 where there are
// less.
absl::Status InferSingleImageProposals(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_DETECTION_PROPOSALS_GENERATE_PROPOSALS_H_
