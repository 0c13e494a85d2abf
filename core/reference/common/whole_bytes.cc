#include "dovetail/core/reference/common/whole_bytes.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/core/tensor/types/packing.h"

namespace dovetail {
namespace {

bool IsPacked(const Tensor& tensor) { return IsSubByte(tensor.type()); }

absl::StatusOr<Tensor> Unpacked(const Tensor& packed) {
  DOVETAIL_ASSIGN_OR_RETURN(
      Tensor bytes,
      Tensor::AllocateUninitialized(ElementType::kU8, packed.shape()));
  uint8_t* const out = bytes.mutable_data<uint8_t>();
  for (int64_t i = 0; i < packed.element_count(); ++i) {
    out[i] = LoadPacked(packed.type(), packed.raw_data(), i);
  }
  return bytes;
}

void Pack(const Tensor& bytes, const Tensor& packed) {
  const uint8_t* const in = bytes.data<uint8_t>();
  for (int64_t i = 0; i < packed.element_count(); ++i) {
    StorePacked(packed.type(), packed.mutable_raw_data(), i, in[i]);
  }
}

}  // namespace

absl::Status WithWholeBytes(KernelContext& context, KernelFn kernel) {
  std::vector<Tensor> inputs(context.inputs().begin(), context.inputs().end());
  if (std::none_of(inputs.begin(), inputs.end(), &IsPacked)) {
    return kernel(context);
  }
  for (Tensor& tensor : inputs) {
    if (!IsPacked(tensor)) continue;
    DOVETAIL_ASSIGN_OR_RETURN(tensor, Unpacked(tensor));
  }
  std::vector<Tensor> outputs;
  for (int i = 0; i < context.output_count(); ++i) {
    outputs.push_back(context.output(i));
    if (!IsPacked(outputs[i])) continue;
    DOVETAIL_ASSIGN_OR_RETURN(
        outputs[i],
        Tensor::AllocateUninitialized(ElementType::kU8, outputs[i].shape()));
  }
  KernelContext bytes(context.node(), inputs, absl::MakeSpan(outputs),
                      context.environment());
  DOVETAIL_RETURN_IF_ERROR(kernel(bytes));
  for (int i = 0; i < context.output_count(); ++i) {
    if (IsPacked(context.output(i))) {
      Pack(outputs[i], context.output(i));
    } else {
      context.SetOutput(i, outputs[i]);
    }
  }
  return absl::OkStatus();
}

}  // namespace dovetail
