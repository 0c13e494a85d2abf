#include "dovetail/core/reference/movement/reshaping/reshape.h"

#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"

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

absl::Status SqueezeKernel(KernelContext& context) {
  const PartialShape& inferred = context.node().port().shape;
  const Tensor& output = context.output(0);
  if (output.has_data() && !inferred.Contains(output.shape())) {
    return context.Error("input 0 of shape ",
                         context.input(0).shape().ToString(), " becomes ",
                         output.shape().ToString(),
                         ", where the model has ", inferred.ToString(),
                         ": a squeezed extent is not 1");
  }
  return ReshapeKernel(context);
}

}  // namespace dovetail
