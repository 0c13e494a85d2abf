#include "dovetail/core/ops/normalization/softmax.h"

#include <algorithm>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/axes.h"
#include "dovetail/core/ops/common/checks.h"

namespace dovetail {

absl::Status InferSoftmax1(InferContext& context) {
  const int64_t axis = context.attributes<SoftmaxAttributes>().axis;
  if (axis < 0) {
    return context.Error("attribute 'axis' is ", axis,
                         ", want at least 0; version 8 of the operation counts "
                         "negative axes from the end");
  }
  return InferSoftmax(context);
}

absl::Status InferSoftmax(InferContext& context) {
  const PartialShape& data = context.shape(0);
  if (data.rank_known()) {
    DOVETAIL_RETURN_IF_ERROR(
        CheckedAxis(context, context.attributes<SoftmaxAttributes>().axis,
                    std::max(data.rank(), 1))
            .status());
  }
  context.SetOutput(0, context.type(0), data);
  return absl::OkStatus();
}

}  // namespace dovetail
