// In what type convolutions and products of matrices multiply.
#ifndef DOVETAIL_BACKENDS_CPU_COMPUTE_TYPE_H_
#define DOVETAIL_BACKENDS_CPU_COMPUTE_TYPE_H_

#include "dovetail/core/properties/config.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail::cpu {

// Whether this processor has AVX2 and FMA, without which oneDNN as it is built
// here has no kernels.
bool ProcessorHasAvx2();

// Whether this processor multiplies bf16 numbers faster than f32.
bool ProcessorHasBf16();

// What the configuration asks for, as far as the processor has it: f32 or bf16.
// INFERENCE_PRECISION_HINT comes before EXECUTION_MODE_HINT; without either it
// is bf16 where the processor has it.
ElementType ComputeType(const Config& config);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_COMPUTE_TYPE_H_
