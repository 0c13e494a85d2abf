// A step that multiplies matrices by the backend's own kernels.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_GEMM_STEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_GEMM_STEP_H_

#include <cstdint>
#include <memory>

#include "dovetail/backends/common/steps/step.h"
#include "dovetail/backends/cpu/steps/linear/gemm_options.h"

namespace dovetail::cpu {

// Bytes of scratch memory.
int64_t GemmScratchBytes(const GemmStepOptions& options);

// Inputs: a, b, operands of the epilogue, bias, before, all f32 (but a when it
// is_rounded, and b when it is compressed or in panels). Output: the products.
std::unique_ptr<Step> MakeGemmStep(GemmStepOptions options);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_GEMM_STEP_H_
