#include "dovetail/core/reference/movement/joining/split.h"

#include <cstdint>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/strided_view.h"
#include "dovetail/core/reference/common/copy_view.h"

namespace dovetail {

// The extents of the parts are those of the outputs, which inference has made.
absl::Status SplitKernel(KernelContext& context) {
  const Tensor& data = context.input(0);
  DOVETAIL_ASSIGN_OR_RETURN(
      const int axis,
      NormalizeAxis(context.input(1).ElementAsInt64(0), data.rank()));
  const StridedView whole = PackedView(data.shape());
  int64_t start = 0;
  for (int i = 0; i < context.output_count(); ++i) {
    if (!context.output(i).has_data()) {
      return context.Error("the extent of output ", i, " is not known");
    }
    const int64_t extent = context.output(i).shape()[axis];
    DOVETAIL_RETURN_IF_ERROR(CopyToOutput(
        context, data, Narrowed(whole, axis, start, extent), i));
    start += extent;
  }
  return absl::OkStatus();
}

}  // namespace dovetail
