#include "dovetail/backends/cpu/steps/convolution/kernels/few_channels_integer_step.h"

#include <algorithm>
#include <memory>

#include "dovetail/backends/cpu/kernels/integer/few_channels/few_channels.h"
#include "dovetail/backends/cpu/onednn/isa.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/integer_step.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

// Fewer outputs leave most of a vector empty.
constexpr int64_t kFewOutputs = 8;
// Bytes of a thread. Windows of large dilation read more than there should be
// copied.
constexpr int64_t kMaxScratch = 1 << 20;

}  // namespace

absl::StatusOr<KernelOffer> TryFewChannelsInteger(
    const ConvolutionProblem& problem, const PlanBuilder& builder) {
  if (!problem.is_integer()) return Unimplemented("no integers");
  if (problem.transposed || problem.source.rank() != 4) {
    return Unimplemented("no window of two axes");
  }
  if (!Includes(UsableIsa(), Isa::kAvx512Vnni)) {
    return Unimplemented("no dot products of 16 lanes");
  }
  if (PlanBuilder::ConstantOf(problem.weights) == nullptr ||
      problem.weights_type != ElementType::kI8) {
    return Unimplemented("weights that are no constant signed bytes");
  }
  const IntegerConvolutionShape shape = IntegerShapeOf(problem);
  if (!FewChannelsIntegerMethod::IsSupported(shape)) {
    return Unimplemented(shape.inputs, " input channels in ", shape.groups,
                         " groups");
  }
  if (shape.outputs < kFewOutputs) {
    return Unimplemented(shape.outputs, " output channels");
  }
  IntegerKernel kernel;
  kernel.name = "few_channels_int8";
  kernel.shape = shape;
  kernel.threads = std::max(1, builder.settings().threads);
  kernel.method = std::make_shared<const FewChannelsIntegerMethod>(
      shape, kernel.threads);
  kernel.source = Layout::kPlanar;
  kernel.result = Layout::kChannelsLast;
  kernel.takes_residual = false;
  if (kernel.method->scratch_bytes() > kMaxScratch) {
    return Unimplemented("copies of ", kernel.method->scratch_bytes(),
                         " bytes");
  }
  KernelOffer offer;
  offer.source = kernel.source;
  offer.emit = [&problem, kernel](PlanBuilder& plan) {
    return EmitIntegerKernel(problem, kernel, plan);
  };
  return offer;
}

}  // namespace dovetail::cpu
