#include "dovetail/core/reference/roi/pool_regions.h"

#include <algorithm>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/roi/features.h"

namespace dovetail {

absl::Status PoolRegions(KernelContext& context, int64_t cost,
                         PoolRegion pool) {
  const Tensor& rois = context.input(1);
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::vector<int64_t> images,
      ImagesOfRois(context, rois, context.input(0).shape()[0]));
  const absl::Span<float> output = context.output(0).mutable_span<float>();
  std::fill(output.begin(), output.end(), 0.0f);
  if (output.empty()) return absl::OkStatus();
  const int64_t size = context.output(0).element_count() / rois.shape()[0];
  ParallelLoop(context, static_cast<int64_t>(images.size()), size * cost,
               [&](int64_t begin, int64_t end) {
                 for (int64_t i = begin; i < end; ++i) {
                   pool(i, images[i], rois.data<float>() + i * 5,
                        output.data() + i * size);
                 }
               });
  return absl::OkStatus();
}

}  // namespace dovetail
