// Convolutions of bytes by this backend's own kernels of dot products.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_DOT_PRODUCTS_STEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_DOT_PRODUCTS_STEP_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/kernel_list.h"
#include "dovetail/backends/cpu/steps/convolution/problem.h"

namespace dovetail::cpu {

// Of few channels, such as pictures, by FewChannelsIntegerMethod, from planar
// data to channels last.
absl::StatusOr<KernelOffer> TryFewChannelsInteger(
    const ConvolutionProblem& problem, const PlanBuilder& builder);

// Depthwise, by DepthwiseDotsMethod, channels last.
absl::StatusOr<KernelOffer> TryDepthwiseInteger(
    const ConvolutionProblem& problem, const PlanBuilder& builder);

// With windows of one pixel, by PointwiseIntegerMethod, channels last.
absl::StatusOr<KernelOffer> TryPointwiseInteger(
    const ConvolutionProblem& problem, const PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_DOT_PRODUCTS_STEP_H_
