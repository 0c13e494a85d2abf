// Kernels that compute in f32 whatever float type their tensors have: for
// operations whose work is not in reading and writing elements.
#ifndef DOVETAIL_CORE_REFERENCE_COMMON_FLOATS_H_
#define DOVETAIL_CORE_REFERENCE_COMMON_FLOATS_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// Runs `kernel` on a context in which every input and output of a float type is
// f32 instead. An f32 output that the kernel allocates becomes one of the type
// of input `like`, which has to be a float. Costs nothing when all are f32.
absl::Status WithFloats(KernelContext& context, int like, KernelFn kernel);

// A kernel for the table: kKernel by WithFloats.
template <KernelFn kKernel, int kLike = 0>
absl::Status OnFloats(KernelContext& context) {
  return WithFloats(context, kLike, kKernel);
}

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_COMMON_FLOATS_H_
