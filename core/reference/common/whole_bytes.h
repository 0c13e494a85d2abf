// Lets kernels that only move elements work on types smaller than a byte.
#ifndef DOVETAIL_CORE_REFERENCE_COMMON_WHOLE_BYTES_H_
#define DOVETAIL_CORE_REFERENCE_COMMON_WHOLE_BYTES_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

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
