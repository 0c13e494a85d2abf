#include "dovetail/core/reference/common/floats.h"

#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/reference/dispatch.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {
namespace {

bool IsOtherFloat(ElementType type) {
  return IsFloat(type) && type != ElementType::kF32;
}

// Puts what the kernel computed where output `i` is expected.
absl::Status PutOutput(KernelContext& context, int i, ElementType own,
                       Tensor result) {
  if (!context.output(i).has_data()) {
    const bool is_float = result.type() == ElementType::kF32;
    DOVETAIL_RETURN_IF_ERROR(context.AllocateOutput(
        i, is_float ? own : result.type(), result.shape()));
  }
  const Tensor& output = context.output(i);
  if (result.type() != output.type()) {
    DOVETAIL_ASSIGN_OR_RETURN(result, ConvertTensor(result, output.type()));
  }
  return output.CopyFrom(result);
}

}  // namespace

absl::Status WithFloats(KernelContext& context, int like, KernelFn kernel) {
  if (!IsFloat(context.input(like).type())) {
    return NoKernelFor(context, context.input(like).type());
  }
  bool all_f32 = true;
  std::vector<Tensor> inputs(context.inputs().begin(), context.inputs().end());
  for (Tensor& tensor : inputs) {
    if (!IsOtherFloat(tensor.type())) continue;
    all_f32 = false;
    DOVETAIL_ASSIGN_OR_RETURN(tensor,
                              ConvertTensor(tensor, ElementType::kF32));
  }
  if (all_f32) return kernel(context);

  std::vector<Tensor> outputs;
  for (int i = 0; i < context.output_count(); ++i) {
    outputs.push_back(context.output(i));
    if (!IsOtherFloat(outputs[i].type())) continue;
    DOVETAIL_ASSIGN_OR_RETURN(
        outputs[i], Tensor::AllocateUninitialized(ElementType::kF32,
                                                  outputs[i].shape()));
  }
  // Memory that is planned for an output is of the output's own type.
  KernelEnvironment environment = context.environment();
  environment.allocate = nullptr;
  KernelContext floats(context.node(), inputs, absl::MakeSpan(outputs),
                       environment);
  DOVETAIL_RETURN_IF_ERROR(kernel(floats));
  for (int i = 0; i < context.output_count(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(PutOutput(context, i, context.input(like).type(),
                                       std::move(outputs[i])));
  }
  return absl::OkStatus();
}

}  // namespace dovetail
