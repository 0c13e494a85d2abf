// Lets kernels that only move elements work on types smaller than a byte.
#ifndef DOVETAIL_CORE_REFERENCE_COMMON_WHOLE_BYTES_H_
#define DOVETAIL_CORE_REFERENCE_COMMON_WHOLE_BYTES_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/reference/kernel.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

// A packed tensor with its elements' bits one in a byte; itself when it is of
// no sub-byte type.
absl::StatusOr<Tensor> UnpackBits(const Tensor& packed);

// The reverse: a tensor of `type` from the u8 that UnpackBits gives for it;
// `bytes` itself when that is no sub-byte type.
absl::StatusOr<Tensor> PackBits(const Tensor& bytes, ElementType type);

// Runs `kernel` on a context in which every tensor of a sub-byte type holds
// its elements' bits in u8 instead. Costs nothing when there is none. Outputs
// of such a type have to be allocated already.
absl::Status WithWholeBytes(KernelContext& context, KernelFn kernel);

// A kernel for the table: kKernel by WithWholeBytes.
template <KernelFn kKernel>
absl::Status OnWholeBytes(KernelContext& context) {
  return WithWholeBytes(context, kKernel);
}

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_COMMON_WHOLE_BYTES_H_
