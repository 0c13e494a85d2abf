#include "dovetail/core/reference/common/widen.h"

#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

ElementType WideType(ElementType type) {
  switch (type) {
    case ElementType::kF16:
    case ElementType::kBf16: return ElementType::kF32;
    case ElementType::kI8:
    case ElementType::kI16:
    case ElementType::kI32:
    case ElementType::kU8:
    case ElementType::kU16:
    case ElementType::kU32: return ElementType::kI64;
    default: return type;
  }
}

absl::Status WithWideTypes(
    KernelContext& context, int input,
    absl::FunctionRef<absl::Status(KernelContext& wide)> kernel) {
  const ElementType narrow = context.input(input).type();
  const ElementType wide = WideType(narrow);
  if (wide == narrow) return kernel(context);

  std::vector<Tensor> inputs(context.inputs().begin(), context.inputs().end());
  for (Tensor& tensor : inputs) {
    if (tensor.type() != narrow) continue;
    DOVETAIL_ASSIGN_OR_RETURN(tensor, ConvertTensor(tensor, wide));
  }
  std::vector<Tensor> outputs;
  for (int i = 0; i < context.output_count(); ++i) {
    outputs.push_back(context.output(i));
    if (outputs[i].type() != narrow) continue;
    DOVETAIL_ASSIGN_OR_RETURN(
        outputs[i], Tensor::AllocateUninitialized(wide, outputs[i].shape()));
  }
  KernelContext wide_context(context.node(), inputs, absl::MakeSpan(outputs),
                             context.environment());
  DOVETAIL_RETURN_IF_ERROR(kernel(wide_context));
  for (int i = 0; i < context.output_count(); ++i) {
    if (context.output(i).type() != narrow) continue;
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor result,
                              ConvertTensor(outputs[i], narrow));
    DOVETAIL_RETURN_IF_ERROR(context.output(i).CopyFrom(result));
  }
  return absl::OkStatus();
}

}  // namespace dovetail
