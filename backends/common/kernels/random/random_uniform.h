// RandomUniform, on all threads where its stream allows that.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_RANDOM_RANDOM_UNIFORM_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_RANDOM_RANDOM_UNIFORM_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// The same numbers as the reference kernel's, which computes what is not f32 of
// TensorFlow's stream.
absl::Status HostRandomUniform(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_RANDOM_RANDOM_UNIFORM_H_
