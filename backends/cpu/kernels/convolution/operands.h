// The tensors that one run of a convolution's kernel reads and writes.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_OPERANDS_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_OPERANDS_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/convolution/epilogue.h"

namespace dovetail::cpu {

// In the layouts that the kernel's header says; weights as its packing has left
// them.
struct ConvolutionOperands {
  const float* input = nullptr;
  const float* weights = nullptr;
  ConvolutionEpilogue epilogue;
  float* output = nullptr;
  // In place of `input`, and of `output` and the epilogue's residual, where a
  // kernel reads or stores bf16.
  const uint16_t* narrow_input = nullptr;
  const uint16_t* narrow_residual = nullptr;
  uint16_t* narrow_output = nullptr;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_OPERANDS_H_
