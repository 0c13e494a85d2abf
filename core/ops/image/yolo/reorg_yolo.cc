#include "dovetail/core/ops/image/yolo/reorg_yolo.h"

#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"

namespace dovetail {
namespace {

// Strides beyond it are of no image, and their square would not fit.
constexpr int64_t kMaxStride = int64_t{1} << 30;

// The extents that `divisor` divides, over it.
absl::StatusOr<Dimension> Divided(const InferContext& context, int axis,
                                  int64_t divisor) {
  const Dimension& extent = context.shape(0)[axis];
  const Dimension result(CeilDivide(extent, divisor).min(),
                         FloorDivide(extent, divisor).max());
  if (result.min() <= result.max()) return result;
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
    output[1] = output[1] * Dimension(stride * stride);
    DOVETAIL_ASSIGN_OR_RETURN(output[2], Divided(context, 2, stride));
    DOVETAIL_ASSIGN_OR_RETURN(output[3], Divided(context, 3, stride));
  }
  context.SetOutput(0, context.type(0), std::move(output));
  return absl::OkStatus();
}

}  // namespace dovetail
