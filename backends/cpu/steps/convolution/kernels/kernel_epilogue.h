// Epilogues as this backend's own kernels of convolutions compute them.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_KERNEL_EPILOGUE_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_KERNEL_EPILOGUE_H_

#include <optional>

#include "dovetail/backends/common/fusion/epilogue.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/backends/cpu/kernels/integer/integer_epilogue.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::cpu {

// What kernels have besides a bias, slopes and limits (which leave 0 as it is,
// for channels that only fill a block).
struct KernelEpilogueSupport {
  bool residual = true;
  // Scales, roundings to a grid, residuals and results of bytes.
  bool integers = false;
  // IntegerEpilogue::Activation; and roundings to a grid behind it.
  bool activations = false, rounded_activations = false;
  // Swish and HSwish; and slopes and Relu before a residual.
  bool inner_activation = false;
};

// The first operations of an epilogue that fit the order in which kernels
// compute: scale, bias, grid, inner activation, residual or else an activation,
// its grid, slope, limits, quantization.
struct KernelEpilogue {
  Epilogue epilogue;  // those operations
  // Empty: there is none.
  ChannelVector scale, bias, slope, output_scale, output_shift;
  // What negative numbers are multiplied with before the residual: 0 of Relu.
  std::optional<float> inner_slope;
  Value residual;
  // All else; its pointers are null.
  IntegerEpilogue form;
};

// Of what follows `anchor`.
KernelEpilogue FindKernelEpilogue(Value anchor,
                                  const KernelEpilogueSupport& support,
                                  const PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_KERNEL_EPILOGUE_H_
