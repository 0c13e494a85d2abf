// Convolutions by this backend's own kernels: what their steps have in common.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNEL_STEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNEL_STEP_H_

#include <cstdint>
#include <functional>
#include <memory>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/backends/cpu/kernels/convolution/epilogue.h"
#include "dovetail/backends/cpu/kernels/convolution/window_axis.h"
#include "dovetail/backends/cpu/steps/convolution/kernel_epilogue.h"
#include "dovetail/backends/cpu/steps/convolution/problem.h"

namespace dovetail::cpu {

// A step with the inputs data, weights, bias, residual and slope, of which the
// last three may be missing, and one output.
class KernelStep : public Step {
 protected:
  explicit KernelStep(const KernelEpilogue& epilogue)
      : low_(epilogue.low), high_(epilogue.high) {}

  ConvolutionEpilogue EpilogueOf(const StepRun& run) const;

 private:
  const float low_, high_;
};

// How a kernel is to be called for a problem.
struct KernelUse {
  absl::string_view kernel;  // its name in profiles
  Layout source = Layout::kBlocked8, result = Layout::kBlocked8;
  // Floats of packed weights, and what writes them, from those of the model.
  int64_t packed_floats = 0;
  std::function<void(const float* weights, float* packed)> pack;
  // Whether it can add a tensor to what it computes.
  bool takes_residual = true;
  // Floats of scratch memory.
  int64_t scratch_floats = 0;
  absl::FunctionRef<std::unique_ptr<KernelStep>(const KernelEpilogue&)> step;
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
