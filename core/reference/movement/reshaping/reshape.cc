#include "dovetail/core/reference/movement/reshaping/reshape.h"

#include <utility>

#include "dovetail/core/base/status.h"

namespace dovetail {

absl::Status ReshapeKernel(KernelContext& context) {
  if (!context.output(0).has_data()) {
    return context.Error("the new shape is not valid for input 0 of shape ",
                         context.input(0).shape().ToString());
  }
  DOVETAIL_ASSIGN_OR_RETURN(
      Tensor view, context.input(0).Reshape(context.output(0).shape()));
  context.SetOutput(0, std::move(view));
  return absl::OkStatus();
}

}  // namespace dovetail
