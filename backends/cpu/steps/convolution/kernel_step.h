// Convolutions by this backend's own kernels: what their steps have in common.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNEL_STEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNEL_STEP_H_

#include <cstdint>
#include <functional>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/backends/cpu/kernels/convolution/epilogue.h"
#include "dovetail/backends/cpu/kernels/convolution/window_axis.h"
#include "dovetail/backends/cpu/steps/convolution/kernel_epilogue.h"
#include "dovetail/backends/cpu/steps/convolution/problem.h"

namespace dovetail::cpu {

// What a kernel reads and writes in one run.
struct KernelOperands {
  const float* input;
  const float* weights;  // packed
  ConvolutionEpilogue epilogue;
  float* output;
};

// Computes `count` pieces of a convolution from number `first` on. Called by
// several threads at a time, with scratch memory of each one's own.
using KernelFn =
    std::function<void(const KernelOperands& operands, int64_t first,
                       int64_t count, float* scratch)>;

// How a kernel is to be called for a problem.
struct KernelUse {
  absl::string_view kernel;  // its name in profiles
  Layout source = Layout::kBlocked8, result = Layout::kBlocked8;
  // Floats of packed weights, and what writes them, from those of the model.
  int64_t packed_floats = 0;
  std::function<void(const float* weights, float* packed)> pack;
  // Whether it can add a tensor to what it computes.
  bool takes_residual = true;
  // All there are, such as rows, and how many are worth handing to a thread:
  // one, where a kernel needs scratch memory.
  int64_t pieces = 0, pieces_at_a_time = 1;
  // Floats of scratch memory, of each thread.
  int64_t scratch_floats = 0;
  KernelFn compute;
};

// The windows along the spatial axis `i`.
WindowAxis WindowOf(const ConvolutionProblem& problem, int i);

// The weights in the model's order, where the problem is one that kernels of
// f32 can have: f32, of constant weights. Null: it is not.
const Tensor* KernelWeights(const ConvolutionProblem& problem,
                            const PlanBuilder& builder);

// Adds the step, with as many of the nodes after the problem's as the kernels'
// epilogues have. `weights` are KernelWeights.
absl::Status EmitKernel(const ConvolutionProblem& problem,
                        const Tensor& weights, const KernelUse& use,
                        PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNEL_STEP_H_
