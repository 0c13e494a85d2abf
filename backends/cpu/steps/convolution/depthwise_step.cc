#include "dovetail/backends/cpu/steps/convolution/depthwise_step.h"

#include <memory>
#include <utility>

#include "dovetail/backends/cpu/kernels/convolution/depthwise.h"
#include "dovetail/backends/cpu/onednn/post_ops.h"
#include "dovetail/backends/cpu/steps/convolution/kernel_epilogue.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/parallel_for.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kBlock = 8;
// Multiplications that are worth a task of their own.
constexpr int64_t kWorkAtATime = 1 << 14;

// Inputs: data, weights, bias, residual.
class DepthwiseStep : public Step {
 public:
  DepthwiseStep(const DepthwiseShape& shape, const KernelEpilogue& epilogue)
      : shape_(shape), low_(epilogue.low), high_(epilogue.high) {}

  absl::Status Run(const StepRun& run) const override {
    DepthwiseOperands operands;
    operands.input = run.input<float>(0);
    operands.weights = run.input<float>(1);
    operands.bias = run.input<float>(2);
    operands.residual = run.input<float>(3);
    operands.low = low_;
    operands.high = high_;
    operands.output = run.output<float>();
    const int64_t work =
        shape_.columns.output * shape_.columns.kernel * shape_.rows.kernel;
    ParallelFor(run.environment->team(), shape_.row_count(),
                kWorkAtATime / work + 1, [&](int64_t begin, int64_t end) {
                  ConvolveDepthwiseRows(shape_, operands, begin, end - begin);
                });
    return absl::OkStatus();
  }

 private:
  const DepthwiseShape shape_;
  const float low_, high_;
};

WindowAxis AxisOf(const ConvolutionProblem& problem, int i) {
  WindowAxis axis;
  axis.input = problem.source[i + 2];
  axis.output = problem.result[i + 2];
  axis.kernel = problem.weights_dims[i + 3];
  axis.stride = problem.strides[i];
  axis.dilation = problem.dilations[i] + 1;
  axis.pad = problem.pads_begin[i];
  return axis;
}

// From [C, 1, 1, taps …] to [C / 8, taps …, 8].
absl::StatusOr<Operand> PackWeights(const DepthwiseShape& shape,
                                    const Tensor& weights,
                                    PlanBuilder& builder) {
  const int64_t taps = shape.rows.kernel * shape.columns.kernel;
  DOVETAIL_ASSIGN_OR_RETURN(
      const Tensor packed,
      Tensor::Allocate(ElementType::kF32, {shape.blocks * taps * kBlock}));
  const float* from = weights.data<float>();
  float* const to = packed.mutable_data<float>();
  for (int64_t c = 0; c < weights.shape()[0]; ++c) {
    for (int64_t tap = 0; tap < taps; ++tap) {
      to[(c / kBlock * taps + tap) * kBlock + c % kBlock] = *from++;
    }
  }
  return builder.Hold(packed);
}

absl::Status Emit(const ConvolutionProblem& problem, const PostOpChain& chain,
                  const KernelEpilogue& epilogue, const Tensor& weights,
                  PlanBuilder& builder) {
  DepthwiseShape shape;
  shape.batch = problem.source[0];
  shape.blocks = (problem.groups + kBlock - 1) / kBlock;
  shape.rows = AxisOf(problem, 0);
  shape.columns = AxisOf(problem, 1);
  const Format format = {ElementType::kF32, Layout::kBlocked8};
  DOVETAIL_ASSIGN_OR_RETURN(const Operand data,
                            builder.Read(problem.data, format));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand packed,
                            PackWeights(shape, weights, builder));
  Operand bias, residual;
  if (chain.bias() != nullptr) {
    DOVETAIL_ASSIGN_OR_RETURN(bias, HoldNumbers(builder, *chain.bias()));
  }
  if (epilogue.residual) {
    DOVETAIL_ASSIGN_OR_RETURN(residual,
                              builder.Read(epilogue.residual, format));
  }
  chain.Fuse(builder);
  const Operand output = builder.Write(chain.result(), format);
  if (epilogue.in_place) {
    builder.AllowInPlace(output, residual, /*alone=*/true);
  }
  builder.Add(*problem.node, "depthwise_f32",
              std::make_unique<DepthwiseStep>(shape, epilogue),
              {data, packed, bias, residual}, {output});
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<bool> EmitDepthwise(const ConvolutionProblem& problem,
                                   PlanBuilder& builder) {
  const Tensor* weights = PlanBuilder::ConstantOf(problem.weights);
  if (problem.is_integer() || problem.transposed || !problem.is_depthwise() ||
      problem.source.rank() != 4 || weights == nullptr ||
      weights->type() != ElementType::kF32 || !weights->is_contiguous() ||
      builder.settings().compute_type != ElementType::kF32 || !HasDepthwise()) {
    return false;
  }
  PostOpChain::Options options;
  options.takes_residual = true;
  PostOpChain chain(builder, PlanBuilder::OutputOf(*problem.node), options);
  for (;; chain.Truncate(chain.length() - 1)) {
    const auto epilogue = KernelEpilogueOf(chain);
    if (!epilogue.has_value() || !epilogue->is_plain()) continue;
    DOVETAIL_RETURN_IF_ERROR(
        Emit(problem, chain, *epilogue, *weights, builder));
    return true;
  }
}

}  // namespace dovetail::cpu
