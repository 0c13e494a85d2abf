// Convolutions by this backend's own kernels: what their steps have in common.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_KERNEL_STEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_KERNEL_STEP_H_

#include <cstdint>
#include <functional>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/cpu/compiler/kernel_list.h"
#include "dovetail/backends/cpu/isa/machine_model.h"
#include "dovetail/backends/cpu/kernels/convolution/operands.h"
#include "dovetail/backends/cpu/kernels/convolution/window_axis.h"
#include "dovetail/backends/cpu/steps/convolution/problem.h"

namespace dovetail::cpu {

// Computes `count` work items of a convolution from number `first` on. Called
// by several threads at a time, with scratch memory of each one's own.
using KernelFn =
    std::function<void(const ConvolutionOperands& operands, int64_t first,
                       int64_t count, float* scratch)>;

// What a kernel needs for a problem, and how it is called.
struct KernelSpec {
  absl::string_view kernel;  // its name in profiles
  Layout source = Layout::kBlocked8, result = Layout::kBlocked8;
  // f32, or bf16 where the kernel reads or stores it.
  ElementType source_type = ElementType::kF32, result_type = ElementType::kF32;
  // Floats of packed weights, and what writes one of their parts, from all of
  // the model's: several threads call it.
  int64_t packed_floats = 0;
  int packed_parts = 1;
  std::function<void(const float* weights, float* packed, int part)> pack;
  // Whether it can add a tensor to what it computes.
  bool takes_residual = true;
  // Whether it has the epilogue's activations.
  bool takes_activation = false;
  // All there are, such as rows, and how many are worth handing to a thread:
  // one, where a kernel needs scratch memory.
  int64_t work_items = 0, grain_size = 1;
  // Floats of scratch memory, of each thread.
  int64_t scratch_floats = 0;
  KernelFn compute;
};

// The layout of a kernel that reads and writes blocks of `lanes` channels, or
// channels last: as the data lies, or else as oneDNN's kernels beside it have
// it.
Layout LayoutByLanes(const ConvolutionProblem& problem, int64_t lanes);

// Products that take as long as waking a helper for them.
int64_t ProductsOfAWake(const MachineModel& machine);

// Whether the problem has the operands of kernels of f32: values of f32, by
// constant weights. kUnimplemented says why not.
absl::Status CheckKernelOperands(const ConvolutionProblem& problem);

// The same, and that no other type is to be computed in.
absl::Status CheckKernelProblem(const ConvolutionProblem& problem,
                                const PlanBuilder& builder);

// Whether it is a dense transposed convolution of two axes that makes a tile of
// each pixel, next to those of its neighbours: windows neither overlap nor
// leave gaps. kUnimplemented says why not.
absl::Status CheckMakesTiles(const ConvolutionProblem& problem);

// Such a problem as kernels see it: PixelTilesShape or TransposedTilesShape.
template <typename TilesShape>
TilesShape TilesShapeOf(const ConvolutionProblem& problem) {
  TilesShape shape;
  shape.batch = problem.source[0];
  shape.inputs = problem.source[1];
  shape.outputs = problem.result[1];
  shape.height = problem.source[2];
  shape.width = problem.source[3];
  shape.rows = problem.strides[0];
  shape.columns = problem.strides[1];
  return shape;
}

// To add a step for a problem of CheckKernelProblem, with as many of the nodes
// after the problem's as the kernels' epilogues have.
KernelOffer OfferKernel(const ConvolutionProblem& problem, KernelSpec spec);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_KERNEL_STEP_H_
