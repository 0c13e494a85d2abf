// ROIAlign, after He et al., "Mask R-CNN" (2017), section 3.
#include "dovetail/core/ops/roi/roi_align.h"

#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/roi/roi.h"
#include "dovetail/core/reference/roi/samples.h"

namespace dovetail {
absl::Status RoiAlignKernel(KernelContext& context) {
  const RoiAlignAttributes attributes = RoiAlignAttributesOf(context.node());
  const int64_t pooled_h = attributes.base.pooled_h;
  const int64_t pooled_w = attributes.base.pooled_w;
  const Features features = FeaturesOf(context.input(0));
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<int64_t> images,
                            ImagesOfIndices(context, 2, features.batch));
  const float* rois = context.input(1).data<float>();
  float* out = context.output(0).mutable_data<float>();
  const int64_t size = pooled_h * pooled_w;
  const auto run = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const float* roi = rois + i * 4;
      const AxisBins columns = RoiAlignBins(attributes, roi[0], roi[2],
                                           pooled_w, features.width);
      const AxisBins rows = RoiAlignBins(attributes, roi[1], roi[3], pooled_h,
                                        features.height);
      for (int64_t c = 0; c < features.channels; ++c) {
        PoolSamples(features.Plane(images[i], c), features.width, rows,
                    columns, attributes.base.mode,
                    out + (i * features.channels + c) * size);
      }
    }
  };
  ParallelLoop(context, static_cast<int64_t>(images.size()),
               features.channels * size * 32, run);
  return absl::OkStatus();
}

}  // namespace dovetail
