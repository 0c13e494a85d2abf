// In what numbers the CPU computes.
#ifndef DOVETAIL_BACKENDS_CPU_COMPUTE_TYPE_H_
#define DOVETAIL_BACKENDS_CPU_COMPUTE_TYPE_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "dovetail/core/properties/config.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail::cpu {

// What the configuration asks for, as far as the instructions are there: f32 or
// bf16. INFERENCE_PRECISION_HINT comes before EXECUTION_MODE_HINT; without
// either it is bf16 where there are instructions for it. f16 is computed in
// f32: sums would overflow in it.
ElementType ComputeType(const Config& config);

// Whether activations may be rounded to integers to be multiplied with weights
// that are integers: not where f32 or accuracy was asked for, as what integers
// give differs by roundings that fall the other way.
bool MayRoundActivations(const Config& config);

// The default of DYNAMIC_QUANTIZATION_GROUP_SIZE.
inline constexpr int64_t kQuantizationGroup = 32;

// The group size that the configuration asks for, as far as the instructions
// are there, or 0. What is set comes before hints; without, it is 0 where
// INFERENCE_PRECISION_HINT is f32 or EXECUTION_MODE_HINT is ACCURACY. A whole
// row is a size that no row has.
int64_t QuantizationGroup(const Config& config);

// A property, YES or NO: whether denormal numbers, those nearer to zero than
// 2^-126, count as zeros.
inline constexpr absl::string_view kDenormalsOptimization =
    "CPU_DENORMALS_OPTIMIZATION";

// A property, YES or NO: whether compiling times kernels (tune_kernels.h).
inline constexpr absl::string_view kTune = "CPU_TUNE";

// The configuration with INFERENCE_PRECISION_HINT,
// DYNAMIC_QUANTIZATION_GROUP_SIZE and CPU_DENORMALS_OPTIMIZATION as they are in
// force: what a compiled model answers. EXECUTION_MODE_HINT ACCURACY computes denormal numbers.
Config ConfigInForce(const Config& config);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_COMPUTE_TYPE_H_
