#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/strided_view.h"
#include "dovetail/core/ops/image/yolo/reorg_yolo.h"
#include "dovetail/core/reference/common/copy_view.h"
#include "dovetail/core/reference/image/yolo/yolo.h"

namespace dovetail {

absl::Status ReorgYoloKernel(KernelContext& context) {
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  const Shape& data = context.input(0).shape();
  const int64_t stride = context.attributes<ReorgYoloAttributes>().stride;
  const int64_t fewer = data[1] / (stride * stride);
  const int64_t plane = data[2] * data[3];
  for (int64_t n = 0; n < data[0]; ++n) {
    for (int64_t c = 0; c < data[1]; ++c) {
      const int64_t place = c / fewer;
      StridedView from, to;
      from.offset = (n * fewer + c % fewer) * plane * stride * stride +
                    place / stride * data[3] * stride + place % stride;
      from.AddAxis(data[2], stride * data[3] * stride);
      from.AddAxis(data[3], stride);
      to.offset = (n * data[1] + c) * plane;
      to.AddAxis(data[2], data[3]);
      to.AddAxis(data[3], 1);
      DOVETAIL_RETURN_IF_ERROR(
          CopyView(context, context.input(0), from, context.output(0), to));
    }
  }
  return absl::OkStatus();
}

}  // namespace dovetail
