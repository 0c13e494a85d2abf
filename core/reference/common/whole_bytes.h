// Lets kernels that only move elements work on types smaller than a byte.
#ifndef DOVETAIL_CORE_REFERENCE_COMMON_WHOLE_BYTES_H_
#define DOVETAIL_CORE_REFERENCE_COMMON_WHOLE_BYTES_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/reference/kernel.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

// What UnpackBits makes of a sub-byte type: i8 for i2 and i4, u8 for others.
ElementType ByteTypeOf(ElementType type);

// A packed tensor with each element in a byte: an integer as its number, so
// that it may be an index, others by their bits. Itself when it is of no
// sub-byte type.
absl::StatusOr<Tensor> UnpackBits(const Tensor& packed);

// The reverse: a tensor of `type` from the bytes that UnpackBits gives for it;
// `bytes` itself when that is no sub-byte type.
absl::StatusOr<Tensor> PackBits(const Tensor& bytes, ElementType type);

// Runs `kernel` on a context in which every tensor of a sub-byte type holds
// its elements in whole bytes instead. Costs nothing when there is none. Outputs
// of such a type have to be allocated already.
absl::Status WithWholeBytes(KernelContext& context, KernelFn kernel);

// A kernel for the table: kKernel by WithWholeBytes.
template <KernelFn kKernel>
absl::Status OnWholeBytes(KernelContext& context) {
  return WithWholeBytes(context, kKernel);
}

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_COMMON_WHOLE_BYTES_H_
