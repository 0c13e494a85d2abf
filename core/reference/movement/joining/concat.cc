#include "dovetail/core/reference/movement/joining/concat.h"

#include <cstdint>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/strided_view.h"
#include "dovetail/core/ops/movement/joining/concat.h"
#include "dovetail/core/reference/common/copy_view.h"

namespace dovetail {

absl::Status ConcatKernel(KernelContext& context) {
  const Tensor& output = context.output(0);
  DOVETAIL_ASSIGN_OR_RETURN(
      const int axis,
      NormalizeAxis(context.attributes<ConcatAttributes>().axis,
                    output.rank()));
  const StridedView whole = PackedView(output.shape());
  int64_t start = 0;
  for (const Tensor& input : context.inputs()) {
    const int64_t extent = input.shape()[axis];
    DOVETAIL_RETURN_IF_ERROR(
        CopyView(context, input, PackedView(input.shape()), output,
                 Narrowed(whole, axis, start, extent)));
    start += extent;
  }
  return absl::OkStatus();
}

}  // namespace dovetail
