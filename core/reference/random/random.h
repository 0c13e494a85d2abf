// Kernels of RandomUniform and Multinomial. They keep no state: with seeds
// that are not both 0, each inference gives the same numbers.
#ifndef DOVETAIL_CORE_REFERENCE_RANDOM_RANDOM_H_
#define DOVETAIL_CORE_REFERENCE_RANDOM_RANDOM_H_

#include <memory>

#include "absl/status/status.h"
#include "dovetail/core/ops/random/random.h"
#include "dovetail/core/reference/kernel.h"
#include "dovetail/core/reference/random/streams.h"

namespace dovetail {

absl::Status RandomUniformKernel(KernelContext& context);
// A sample is the first class at which the sum of probabilities up to it, over
// the sum of all, reaches a random number.
absl::Status MultinomialKernel(KernelContext& context);

// The stream of an alignment and two seeds; a new one each time for two zeros.
std::unique_ptr<RandomBits> MakeRandomBits(RandomAlignment alignment,
                                           uint64_t global_seed,
                                           uint64_t op_seed);

// A float in [0, 1) of 23 random bits, as TensorFlow makes it.
float UnitFloat(uint32_t bits);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_RANDOM_RANDOM_H_
