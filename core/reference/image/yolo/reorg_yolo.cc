#include "dovetail/core/ops/common/strided_view.h"
#include "dovetail/core/ops/image/yolo/reorg_yolo.h"
#include "dovetail/core/reference/common/copy_view.h"
#include "dovetail/core/reference/image/yolo/yolo.h"

namespace dovetail {

absl::Status ReorgYoloKernel(KernelContext& context) {
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  const Shape& data = context.input(0).shape();
  const int64_t stride = context.attributes<ReorgYoloAttributes>().stride;
  const StridedView packed =
      PackedView({data[0], data[1] / (stride * stride), data[2], stride,
                  data[3], stride});
  constexpr int kOrder[] = {0, 3, 5, 1, 2, 4};
  const StridedView from = Permuted(packed, kOrder);
  return CopyView(context, context.input(0), from, context.output(0),
                  PackedView(from.shape));
}

}  // namespace dovetail
