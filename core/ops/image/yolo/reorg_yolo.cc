#include "dovetail/core/ops/image/yolo/reorg_yolo.h"

#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"

namespace dovetail {
namespace {

// Strides beyond it are of no image, and their square would not fit.
constexpr int64_t kMaxStride = int64_t{1} << 30;

absl::Status RequireMultiple(const InferContext& context, int axis,
                             int64_t divisor) {
  const Dimension& extent = context.shape(0)[axis];
  if (extent.is_dynamic() || extent.value() % divisor == 0) {
    return absl::OkStatus();
  }
  return context.Error("data has shape ", context.shape(0).ToString(),
                       ", want a multiple of ", divisor, " along axis ", axis);
}

}  // namespace

absl::Status InferReorgYolo(InferContext& context) {
  const int64_t stride = context.attributes<ReorgYoloAttributes>().stride;
  if (stride < 1 || stride > kMaxStride) {
    return context.Error("attribute 'stride' is ", stride, ", want 1 to ",
                         kMaxStride);
  }
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 0, 4));
  PartialShape output = context.shape(0);
  if (!output.rank_known()) {
    output = PartialShape::OfRank(4);
  } else {
    if (output[1].max() < stride * stride) {
      return context.Error("data has shape ", output.ToString(),
                           ", want at least ", stride * stride,
                           " channels (axis 1)");
    }
    DOVETAIL_RETURN_IF_ERROR(RequireMultiple(context, 2, stride));
    DOVETAIL_RETURN_IF_ERROR(RequireMultiple(context, 3, stride));
    output[1] = output[1] * Dimension(stride * stride);
    output[2] = FloorDivide(output[2], stride);
    output[3] = FloorDivide(output[3], stride);
  }
  context.SetOutput(0, context.type(0), std::move(output));
  return absl::OkStatus();
}

}  // namespace dovetail
