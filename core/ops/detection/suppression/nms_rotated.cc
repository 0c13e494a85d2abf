#include "dovetail/core/ops/detection/suppression/nms_rotated.h"

#include "dovetail/core/ops/detection/non_max_suppression.h"

namespace dovetail {

absl::Status InferNmsRotated(InferContext& context) {
  return InferSelection(context, /*numbers=*/5,
                        context.attributes<NmsRotatedAttributes>().output_type,
                        /*with_scores=*/true);
}

}  // namespace dovetail
