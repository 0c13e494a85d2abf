// Convolutions of integers by this backend's own kernels.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_INTEGER_STEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_INTEGER_STEP_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/cpu/compiler/kernel_list.h"
#include "dovetail/backends/cpu/kernels/integer/integer_method.h"
#include "dovetail/backends/cpu/steps/convolution/problem.h"

namespace dovetail::cpu {

// What a method needs for a problem.
struct IntegerKernel {
  absl::string_view name;  // in profiles
  IntegerConvolutionShape shape;
  std::shared_ptr<const IntegerMethod> method;
  int threads = 1;
  Layout source = Layout::kBlocked8, result = Layout::kBlocked8;
  // Whether it can add a tensor to what it computes.
  bool takes_residual = true;
  // Whether it can round activations to a grid.
  bool rounds_activations = false;
};

// Adds a step for the problem, with as many of the nodes after it as an
// IntegerEpilogue has.
absl::Status EmitIntegerKernel(const ConvolutionProblem& problem,
                               const IntegerKernel& kernel,
                               PlanBuilder& builder);

// By IntegerConvolution: processors without dot products of bytes.
absl::StatusOr<KernelOffer> TryIntegerConvolution(
    const ConvolutionProblem& problem, const PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_INTEGER_STEP_H_
