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

bool HasSign(ElementType type) { return IsInteger(type) && IsSigned(type); }

void PackInto(const Tensor& bytes, const Tensor& packed) {
  Pack(packed.type(), bytes.span<uint8_t>(), packed.mutable_raw_data(), 0);
}

}  // namespace

ElementType ByteTypeOf(ElementType type) {
  return HasSign(type) ? ElementType::kI8 : ElementType::kU8;
}

absl::StatusOr<Tensor> UnpackBits(const Tensor& packed) {
  if (!IsPacked(packed)) return packed;
  DOVETAIL_ASSIGN_OR_RETURN(
      Tensor bytes, Tensor::AllocateUninitialized(ByteTypeOf(packed.type()),
                                                  packed.shape()));
  const absl::Span<uint8_t> elements = bytes.mutable_span<uint8_t>();
  Unpack(packed.type(), packed.raw_data(), 0, elements);
  if (!HasSign(packed.type())) return bytes;
  for (uint8_t& element : elements) {
    element = static_cast<uint8_t>(PackedBitsToInt(packed.type(), element));
  }
  return bytes;
}

absl::StatusOr<Tensor> PackBits(const Tensor& bytes, ElementType type) {
  if (!IsSubByte(type)) return bytes;
  DOVETAIL_ASSIGN_OR_RETURN(Tensor packed,
                            Tensor::Allocate(type, bytes.shape()));
  PackInto(bytes, packed);
  return packed;
}

absl::Status WithWholeBytes(KernelContext& context, KernelFn kernel) {
  std::vector<Tensor> inputs(context.inputs().begin(), context.inputs().end());
  if (std::none_of(inputs.begin(), inputs.end(), &IsPacked)) {
    return kernel(context);
  }
  for (Tensor& tensor : inputs) {
    DOVETAIL_ASSIGN_OR_RETURN(tensor, UnpackBits(tensor));
  }
  std::vector<Tensor> outputs;
  for (int i = 0; i < context.output_count(); ++i) {
    outputs.push_back(context.output(i));
    if (!IsPacked(outputs[i])) continue;
    DOVETAIL_ASSIGN_OR_RETURN(
        outputs[i],
        Tensor::AllocateUninitialized(ByteTypeOf(outputs[i].type()),
                                      outputs[i].shape()));
  }
  KernelContext bytes(context.node(), inputs, absl::MakeSpan(outputs),
                      context.environment());
  DOVETAIL_RETURN_IF_ERROR(kernel(bytes));
  for (int i = 0; i < context.output_count(); ++i) {
    if (IsPacked(context.output(i))) {
      PackInto(outputs[i], context.output(i));
    } else {
      context.SetOutput(i, outputs[i]);
    }
  }
  return absl::OkStatus();
}

}  // namespace dovetail
