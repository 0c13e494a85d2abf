#include "dovetail/core/ops/normalization/lrn.h"

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/normalization/axes.h"

namespace dovetail {

absl::Status InferLrn(InferContext& context) {
  const int64_t size = context.attributes<LrnAttributes>().size;
  if (size < 1) {
    return context.Error("attribute 'size' is ", size, ", want at least 1");
  }
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 1, 1));
  return InferAlongAxes(context);
}

}  // namespace dovetail
