// ExperimentalDetectronROIFeatureExtractor: ROIAlign that takes the features of
// a region from the level of a pyramid that suits its size.
#ifndef DOVETAIL_CORE_OPS_ROI_ROI_FEATURE_EXTRACTOR_H_
#define DOVETAIL_CORE_OPS_ROI_ROI_FEATURE_EXTRACTOR_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

struct RoiFeatureExtractorAttributes
    : public AttributesOf<RoiFeatureExtractorAttributes> {
  int64_t output_size = 0;              // bins along each axis
  int64_t sampling_ratio = 0;           // as that of ROIAlign
  std::vector<int64_t> pyramid_scales;  // pixels an element, by level
  bool aligned = false;                 // element 0 lies at 0.5, not at 0

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("output_size", output_size);
    visitor.Visit("sampling_ratio", sampling_ratio);
    visitor.Visit("pyramid_scales", pyramid_scales);
    visitor.Visit("aligned", aligned);
  }
};

// regions [R, 4] in pixels, then features [1, C, H, W] of each level ->
// [R, C, output_size, output_size], and the regions again.
absl::Status InferRoiFeatureExtractor(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_ROI_ROI_FEATURE_EXTRACTOR_H_
