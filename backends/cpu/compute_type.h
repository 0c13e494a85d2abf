// In what type convolutions and matrix multiplications multiply.
#ifndef DOVETAIL_BACKENDS_CPU_COMPUTE_TYPE_H_
#define DOVETAIL_BACKENDS_CPU_COMPUTE_TYPE_H_

#include "dovetail/core/properties/config.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail::cpu {

// What the configuration asks for, as far as the instructions are there: f32 or
// bf16. INFERENCE_PRECISION_HINT comes before EXECUTION_MODE_HINT; without
// either it is bf16 where there are instructions for it. f16 is computed in
// f32: sums would overflow in it.
ElementType ComputeType(const Config& config);

// The configuration with INFERENCE_PRECISION_HINT as it is in force: what a
// compiled model answers.
Config ConfigInForce(const Config& config);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_COMPUTE_TYPE_H_
