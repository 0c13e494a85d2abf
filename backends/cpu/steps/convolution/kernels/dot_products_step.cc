#include "dovetail/backends/cpu/steps/convolution/kernels/dot_products_step.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "absl/strings/string_view.h"
#include "dovetail/backends/cpu/kernels/integer/dot_products/depthwise_dots.h"
#include "dovetail/backends/cpu/kernels/integer/dot_products/few_channels.h"
#include "dovetail/backends/cpu/kernels/integer/dot_products/pointwise.h"
#include "dovetail/backends/cpu/onednn/isa.h"
#include "dovetail/backends/cpu/steps/convolution/integer_choice.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/integer_step.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/kernel_epilogue.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

// Fewer outputs leave most of a vector empty.
constexpr int64_t kFewOutputs = 8;
// Bytes of a thread. Windows of large dilation read more than there should be
// copied.
constexpr int64_t kMaxScratch = 1 << 20;
// With more channels, products take longer than what becomes of their sums, and
// oneDNN's are faster: with any number of channels a text detector took 37 ms of
// one thread, with few 31, and 34 without (Xeon with AVX-512 and VNNI).
constexpr int64_t kFewInputs = 32;
// With a sigmoid or a swish behind them it is the other way, for oneDNN divides:
// expansions of MBConv to 512 channels took 0.089 and 0.027 ms, here 0.071 and 0.021
// (the same processor). Weights of more inputs would leave the L1 cache while
// pixels go by.
constexpr int64_t kManyInputs = 512;

bool HasActivation(const ConvolutionProblem& problem,
                   const PlanBuilder& builder) {
  constexpr KernelEpilogueSupport kSupport = {
      .residual = true, .integers = true, .activations = true};
  return FindKernelEpilogue(PlanBuilder::OutputOf(*problem.node), kSupport,
                            builder)
             .form.activation != IntegerEpilogue::Activation::kNone;
}

absl::Status CheckOperands(const ConvolutionProblem& problem) {
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
  if (problem.result[1] < kFewOutputs) {
    return Unimplemented(problem.result[1], " output channels");
  }
  return absl::OkStatus();
}

IntegerKernel KernelOf(absl::string_view name,
                       const ConvolutionProblem& problem,
                       const PlanBuilder& builder) {
  IntegerKernel kernel;
  kernel.name = name;
  kernel.shape = IntegerShapeOf(problem);
  kernel.threads = std::max(1, builder.settings().threads);
  kernel.result = Layout::kChannelsLast;
  kernel.rounds_activations = true;
  return kernel;
}

std::optional<ByteQuantization> QuantizationOf(const QuantizedPicture* picture) {
  if (picture == nullptr) return std::nullopt;
  ByteQuantization quantization;
  std::copy(picture->scale.begin(), picture->scale.end(), quantization.scale);
  std::copy(picture->shift.begin(), picture->shift.end(), quantization.shift);
  quantization.low = picture->low;
  quantization.high = picture->high;
  return quantization;
}

KernelOffer Offer(const ConvolutionProblem& problem,
                  const IntegerKernel& kernel) {
  KernelOffer offer;
  offer.source = kernel.source;
  offer.emit = [&problem, kernel](PlanBuilder& plan) {
    return EmitIntegerKernel(problem, kernel, plan);
  };
  return offer;
}

}  // namespace

absl::StatusOr<KernelOffer> TryFewChannelsInteger(
    const ConvolutionProblem& problem, const PlanBuilder& builder) {
  DOVETAIL_RETURN_IF_ERROR(CheckOperands(problem));
  IntegerKernel kernel = KernelOf("few_channels_int8", problem, builder);
  if (!FewChannelsIntegerMethod::IsSupported(kernel.shape)) {
    return Unimplemented(kernel.shape.inputs, " input channels in ",
                         kernel.shape.groups, " groups");
  }
  kernel.method = std::make_shared<const FewChannelsIntegerMethod>(
      kernel.shape, kernel.threads, QuantizationOf(problem.quantized_picture));
  kernel.source = Layout::kPlanar;
  kernel.takes_residual = false;
  if (kernel.method->scratch_bytes() > kMaxScratch) {
    return Unimplemented("copies of ", kernel.method->scratch_bytes(),
                         " bytes");
  }
  return Offer(problem, kernel);
}

absl::StatusOr<KernelOffer> TryDepthwiseInteger(
    const ConvolutionProblem& problem, const PlanBuilder& builder) {
  DOVETAIL_RETURN_IF_ERROR(CheckOperands(problem));
  IntegerKernel kernel = KernelOf("depthwise_int8", problem, builder);
  if (!DepthwiseDotsMethod::IsSupported(kernel.shape)) {
    return Unimplemented(
        "no depthwise window of up to 8 rows on unsigned bytes");
  }
  const KernelEpilogue follows =
      FindKernelEpilogue(PlanBuilder::OutputOf(*problem.node),
                         {.residual = true, .integers = true}, builder);
  // Others add it, but take no zero points of channels.
  if (follows.residual && problem.channel_zero_points.empty()) {
    return Unimplemented("a residual");
  }
  kernel.method = std::make_shared<const DepthwiseDotsMethod>(kernel.shape);
  kernel.source = Layout::kChannelsLast;
  kernel.takes_residual = false;
  return Offer(problem, kernel);
}

absl::StatusOr<KernelOffer> TryPointwiseInteger(
    const ConvolutionProblem& problem, const PlanBuilder& builder) {
  DOVETAIL_RETURN_IF_ERROR(CheckOperands(problem));
  IntegerKernel kernel = KernelOf("pointwise_int8", problem, builder);
  if (!PointwiseIntegerMethod::IsSupported(kernel.shape)) {
    return Unimplemented("no window of one pixel on unsigned bytes in fours");
  }
  const int64_t with_activation =
      Includes(UsableIsa(), Isa::kAvx512Amx) ? kManyInputsOfTiles : kManyInputs;
  if (kernel.shape.inputs >
      (HasActivation(problem, builder) ? with_activation : kFewInputs)) {
    return Unimplemented(kernel.shape.inputs, " input channels");
  }
  kernel.method = std::make_shared<const PointwiseIntegerMethod>(
      kernel.shape, kernel.threads);
  kernel.source = Layout::kChannelsLast;
  return Offer(problem, kernel);
}

}  // namespace dovetail::cpu
