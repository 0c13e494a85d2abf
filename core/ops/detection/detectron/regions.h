// ExperimentalDetectronPriorGridGenerator and ExperimentalDetectronTopKROIs:
// anchors for a feature map, and the best of the regions made of them.
#ifndef DOVETAIL_CORE_OPS_DETECTION_DETECTRON_REGIONS_H_
#define DOVETAIL_CORE_OPS_DETECTION_DETECTRON_REGIONS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

struct PriorGridAttributes : public AttributesOf<PriorGridAttributes> {
  bool flatten = true;                // one row a prior, not a grid
  int64_t h = 0, w = 0;               // cells; 0: as the feature map has
  double stride_x = 0, stride_y = 0;  // pixels a cell; 0: image / cells

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("flatten", flatten);
    visitor.Visit("h", h);
    visitor.Visit("w", w);
    visitor.Visit("stride_x", stride_x);
    visitor.Visit("stride_y", stride_y);
  }
};

struct TopKRoisAttributes : public AttributesOf<TopKRoisAttributes> {
  int64_t max_rois = 0;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("max_rois", max_rois);
  }
};

// priors [P, 4], features [1, C, H, W], image [1, C, H', W'] ->
// [H * W * P, 4] or [H, W, P, 4]. Of a grid smaller than the features the cells
// come first, then rows of 0.
absl::Status InferPriorGrid(InferContext& context);
// regions [R, 4], scores [R] -> [max_rois, 4], the best first; 0 where there
// are less.
absl::Status InferTopKRois(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_DETECTION_DETECTRON_REGIONS_H_
