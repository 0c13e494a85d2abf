#include "dovetail/backends/cpu/steps/convolution/kernels/integer_step.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/compiler/channel_constants.h"
#include "dovetail/backends/cpu/kernels/integer/integer_convolution.h"
#include "dovetail/backends/cpu/kernels/integer/work_split.h"
#include "dovetail/backends/cpu/onednn/isa.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/kernel_epilogue.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/kernel_step.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

constexpr int kMaxWorkers = 64;

// Inputs: data, weights, scale, bias, slope, scale and shift of the output, or
// the epilogue as the kernel packed it, and the residual.
class IntegerConvolutionStep : public Step {
 public:
  // Of `epilogue`, pointers are none yet.
  IntegerConvolutionStep(std::shared_ptr<const IntegerMethod> kernel,
                         const IntegerEpilogue& epilogue, int threads)
      : kernel_(std::move(kernel)),
        epilogue_(epilogue),
        shares_(SharesOf(kernel_->work_item_count(),
                         std::min(threads, kMaxWorkers))),
        workers_(static_cast<int>(shares_.size())) {}

  absl::Status Run(const StepRun& run) const override {
    IntegerConvolutionOperands operands;
    operands.input = run.input<void>(0);
    operands.weights = run.input<void>(1);
    operands.epilogue = epilogue_;
    operands.epilogue.scale = run.input<float>(2);
    operands.epilogue.bias = run.input<float>(3);
    operands.epilogue.slope = run.input<float>(4);
    operands.epilogue.output_scale = run.input<float>(5);
    operands.epilogue.output_shift = run.input<float>(6);
    operands.packed_epilogue = run.input<void>(7);
    operands.residual = run.input<void>(8);
    operands.output = run.output<void>();
    const int64_t size = kernel_->scratch_bytes();
    std::array<std::atomic<size_t>, kMaxWorkers> next{};
    run.environment->team().Run(workers_, [&](int worker) {
      char* const scratch = static_cast<char*>(run.scratch) + worker * size;
      for (int i = 0; i < workers_; ++i) {
        const int share = (worker + i) % workers_;
        const std::vector<int64_t>& bounds = shares_[share];
        for (;;) {
          const size_t part =
              next[share].fetch_add(1, std::memory_order_relaxed);
          if (part + 1 >= bounds.size()) break;
          kernel_->Run(operands, bounds[part], bounds[part + 1] - bounds[part],
                       scratch);
        }
      }
    });
    return absl::OkStatus();
  }

 private:
  const std::shared_ptr<const IntegerMethod> kernel_;
  const IntegerEpilogue epilogue_;
  // Of each worker, the bounds of its parts: it begins with those, so that what
  // a layer reads is often in the cache of the processor that wrote it.
  const std::vector<std::vector<int64_t>> shares_;
  const int workers_;
};

// One where waking the others takes longer than what they would do: each output
// channel is computed with the others of its block.
int ThreadsFor(const IntegerConvolutionShape& shape,
               const PlanBuilder& builder) {
  constexpr int64_t kFewProducts = 1 << 17;
  // Those of a channel by itself take about so much longer.
  const int64_t cost = shape.groups > 1 ? 4 : 1;
  const int64_t channels = (shape.outputs + 7) / 8 * 8;
  int64_t products = shape.batch * channels * shape.inputs / shape.groups;
  for (const WindowAxis& axis : {shape.planes, shape.rows, shape.columns}) {
    products *= axis.output * axis.kernel;
  }
  return products * cost < kFewProducts
             ? 1
             : std::max(1, builder.settings().threads);
}

std::string FormOf(const IntegerMethod& kernel,
                   const IntegerConvolutionShape& shape) {
  std::string form =
      absl::StrCat("integer:", kernel.weights_form(), ":", shape.groups);
  for (const WindowAxis& axis : {shape.planes, shape.rows, shape.columns}) {
    absl::StrAppend(&form, ":", axis.stride, ",", axis.dilation);
  }
  if (shape.zero_point != 0) absl::StrAppend(&form, ":", shape.zero_point);
  return form;
}

// Packed weights hold what zero points add to sums.
absl::StatusOr<Operand> PackWeights(const ConvolutionProblem& problem,
                                    const IntegerKernel& kernel,
                                    PlanBuilder& builder) {
  std::vector<Tensor> constants = {*PlanBuilder::ConstantOf(problem.weights)};
  if (!problem.channel_zero_points.empty()) {
    const Node& subtract = *problem.node->input(0).node;
    constants.push_back(*PlanBuilder::ConstantOf(subtract.input(1)));
  }
  const auto pack = [method = kernel.method](absl::Span<const Tensor> constants,
                                             void* packed, int) {
    method->PackWeights(constants[0].data<int8_t>(), packed);
    return absl::OkStatus();
  };
  return builder.GetOrPack(
      {FormOf(*kernel.method, kernel.shape), std::move(constants)},
      kernel.method->weights_bytes(), pack);
}

// The numbers that its operations leave out are 1 or 0.
KernelEpilogue WithAllNumbers(KernelEpilogue follows, int64_t channels) {
  if (follows.scale.empty()) follows.scale.assign(channels, 1.0f);
  if (follows.bias.empty()) follows.bias.assign(channels, 0.0f);
  return follows;
}

absl::StatusOr<Operand> PackEpilogue(const KernelEpilogue& follows,
                                     const IntegerMethod& method,
                                     PlanBuilder& builder) {
  const auto numbers = [](const ChannelVector& channels) {
    return channels.empty() ? nullptr : channels.data();
  };
  IntegerEpilogue epilogue = follows.form;
  epilogue.scale = numbers(follows.scale);
  epilogue.bias = numbers(follows.bias);
  epilogue.slope = numbers(follows.slope);
  epilogue.output_scale = numbers(follows.output_scale);
  epilogue.output_shift = numbers(follows.output_shift);
  DOVETAIL_ASSIGN_OR_RETURN(
      const Tensor packed,
      Tensor::Allocate(ElementType::kU8, {method.epilogue_bytes()}));
  method.PackEpilogue(epilogue, packed.mutable_data<uint8_t>());
  return builder.AddConstant(packed);
}

// Appends scale, bias, slope, scale and shift of the output, the packed
// epilogue, and the residual.
absl::Status ReadEpilogue(const KernelEpilogue& follows,
                          const IntegerKernel& kernel, PlanBuilder& builder,
                          std::vector<Operand>& inputs) {
  const bool is_packed = kernel.method->epilogue_bytes() > 0;
  for (const ChannelVector* constant :
       {&follows.scale, &follows.bias, &follows.slope, &follows.output_scale,
        &follows.output_shift}) {
    Operand held;
    if (!is_packed) {
      DOVETAIL_ASSIGN_OR_RETURN(held, AddChannelConstants(builder, *constant));
    }
    inputs.push_back(held);
  }
  Operand packed, residual;
  if (is_packed) {
    DOVETAIL_ASSIGN_OR_RETURN(packed,
                              PackEpilogue(follows, *kernel.method, builder));
  }
  inputs.push_back(packed);
  if (follows.residual) {
    DOVETAIL_ASSIGN_OR_RETURN(
        residual, builder.Read(follows.residual, {follows.form.residual_type,
                                                  kernel.result}));
  }
  inputs.push_back(residual);
  return absl::OkStatus();
}

absl::StatusOr<Operand> ReadData(const ConvolutionProblem& problem,
                                 const IntegerKernel& kernel,
                                 PlanBuilder& builder) {
  const QuantizedPicture* const picture = problem.quantized_picture;
  if (picture == nullptr) {
    return builder.Read(problem.data, {problem.data_type, kernel.source});
  }
  builder.Fuse(picture->makers);
  return builder.Read(picture->floats, {ElementType::kF32, kernel.source});
}

absl::Status EmitBlocked(const ConvolutionProblem& problem,
                         PlanBuilder& builder) {
  const Tensor& weights = *PlanBuilder::ConstantOf(problem.weights);
  IntegerKernel kernel;
  kernel.name = "convolution_int8";
  kernel.shape = IntegerShapeOf(problem);
  kernel.threads = ThreadsFor(kernel.shape, builder);
  kernel.method = std::make_shared<const IntegerConvolution>(
      kernel.shape, weights.data<int8_t>(), kernel.threads);
  return EmitIntegerKernel(problem, kernel, builder);
}

}  // namespace

absl::Status EmitIntegerKernel(const ConvolutionProblem& problem,
                               const IntegerKernel& kernel,
                               PlanBuilder& builder) {
  const KernelEpilogue follows = WithAllNumbers(
      FindKernelEpilogue(PlanBuilder::OutputOf(*problem.node),
                         {.residual = kernel.takes_residual,
                          .integers = true,
                          .activations = true,
                          .rounded_activations = kernel.rounds_activations},
                         builder),
      kernel.shape.outputs);
  const IntegerEpilogue& form = follows.form;
  std::vector<Operand> inputs(2);
  DOVETAIL_ASSIGN_OR_RETURN(inputs[0], ReadData(problem, kernel, builder));
  DOVETAIL_ASSIGN_OR_RETURN(inputs[1], PackWeights(problem, kernel, builder));
  DOVETAIL_RETURN_IF_ERROR(ReadEpilogue(follows, kernel, builder, inputs));
  builder.Fuse(follows.epilogue.nodes());
  const Operand output = builder.Write(follows.epilogue.result(),
                                       {form.output_type, kernel.result});
  if (follows.residual && form.residual_type == ElementType::kF32 &&
      form.output_type == ElementType::kF32) {
    builder.AllowInPlace(output, inputs.back(), /*alone=*/true);
  }
  const Operand scratch =
      builder.Scratch(kernel.threads * kernel.method->scratch_bytes());
  builder.Add(*problem.node, kernel.name,
              std::make_unique<IntegerConvolutionStep>(kernel.method, form,
                                                       kernel.threads),
              inputs, {output}, scratch);
  return absl::OkStatus();
}

absl::StatusOr<KernelOffer> TryIntegerConvolution(
    const ConvolutionProblem& problem, const PlanBuilder&) {
  if (!problem.is_integer()) return Unimplemented("no integers");
  if (HasDotProducts()) return Unimplemented("dot products of bytes");
  if (problem.transposed ||
      !IntegerConvolution::IsSupported(IntegerShapeOf(problem))) {
    return Unimplemented(
        "no window that is dense, or of two axes and depthwise or of groups of "
        "whole blocks, with sums within 32 bits");
  }
  KernelOffer offer;
  offer.source = Layout::kBlocked8;
  offer.emit = [&problem](PlanBuilder& plan) {
    return EmitBlocked(problem, plan);
  };
  return offer;
}

}  // namespace dovetail::cpu
