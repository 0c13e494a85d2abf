// Kernels of RandomUniform and Multinomial. They keep no state: with seeds
// that are not both 0, each inference gives the same numbers.
#ifndef DOVETAIL_CORE_REFERENCE_RANDOM_RANDOM_H_
#define DOVETAIL_CORE_REFERENCE_RANDOM_RANDOM_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Status RandomUniformKernel(KernelContext& context);
// A sample is the first class at which the sum of probabilities up to it, over
// the sum of all, reaches a random number.
absl::Status MultinomialKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_RANDOM_RANDOM_H_
