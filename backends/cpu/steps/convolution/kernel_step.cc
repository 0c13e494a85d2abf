#include "dovetail/backends/cpu/steps/convolution/kernel_step.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/onednn/post_ops.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kFloatBytes = sizeof(float);

// Packed once for all plans that are made of the model.
absl::StatusOr<Operand> PackWeights(const Tensor& weights, const KernelUse& use,
                                    PlanBuilder& builder) {
  const auto data = reinterpret_cast<uintptr_t>(weights.raw_data());
  DOVETAIL_ASSIGN_OR_RETURN(
      std::shared_ptr<PackedWeights> packed,
      builder.weights().Get(
          absl::StrCat(use.kernel, ":", use.packed_floats, ":", data),
          use.packed_floats * kFloatBytes));
  if (!packed->is_filled()) {
    builder.DeferOnce(packed.get(), [packed, weights, pack = use.pack] {
      pack(weights.data<float>(), static_cast<float*>(packed->data()));
      packed->set_filled();
      return absl::OkStatus();
    });
  }
  return builder.Hold(packed, packed->data());
}

// The longest chain of followers that an epilogue has.
KernelEpilogue TakeFollowers(const KernelUse& use, PostOpChain& chain) {
  for (;; chain.Truncate(chain.length() - 1)) {
    auto epilogue = KernelEpilogueOf(chain);
    if (!epilogue.has_value() || !epilogue->is_plain()) continue;
    if (epilogue->residual && !use.takes_residual) continue;
    return *std::move(epilogue);
  }
}

}  // namespace

ConvolutionEpilogue KernelStep::EpilogueOf(const StepRun& run) const {
  ConvolutionEpilogue epilogue;
  epilogue.bias = run.input<float>(2);
  epilogue.residual = run.input<float>(3);
  epilogue.slope = run.input<float>(4);
  epilogue.low = low_;
  epilogue.high = high_;
  return epilogue;
}

WindowAxis WindowOf(const ConvolutionProblem& problem, int i) {
  const size_t spatial = problem.strides.size();
  WindowAxis axis;
  axis.input = problem.source[i + 2];
  axis.output = problem.result[i + 2];
  axis.kernel = problem.weights_dims[problem.weights_dims.size() - spatial + i];
  axis.stride = problem.strides[i];
  axis.dilation = problem.dilations[i] + 1;
  axis.pad = problem.pads_begin[i];
  return axis;
}

const Tensor* KernelWeights(const ConvolutionProblem& problem,
                            const PlanBuilder& builder) {
  const Tensor* weights = PlanBuilder::ConstantOf(problem.weights);
  if (problem.is_integer() || weights == nullptr ||
      weights->type() != ElementType::kF32 || !weights->is_contiguous() ||
      builder.settings().compute_type != ElementType::kF32) {
    return nullptr;
  }
  return weights;
}

absl::Status EmitKernel(const ConvolutionProblem& problem,
                        const Tensor& weights, const KernelUse& use,
                        PlanBuilder& builder) {
  PostOpChain::Options options;
  options.takes_residual = use.takes_residual;
  PostOpChain chain(builder, PlanBuilder::OutputOf(*problem.node), options);
  const KernelEpilogue epilogue = TakeFollowers(use, chain);
  const Format result = {ElementType::kF32, use.result};
  DOVETAIL_ASSIGN_OR_RETURN(
      const Operand data,
      builder.Read(problem.data, {ElementType::kF32, use.source}));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand packed,
                            PackWeights(weights, use, builder));
  Operand bias, residual, slope;
  if (chain.bias() != nullptr) {
    DOVETAIL_ASSIGN_OR_RETURN(bias, HoldNumbers(builder, *chain.bias()));
  }
  if (epilogue.residual) {
    DOVETAIL_ASSIGN_OR_RETURN(residual,
                              builder.Read(epilogue.residual, result));
  }
  if (!epilogue.slope.empty()) {
    DOVETAIL_ASSIGN_OR_RETURN(slope, HoldNumbers(builder, epilogue.slope));
  }
  chain.Fuse(builder);
  const Operand output = builder.Write(chain.result(), result);
  if (epilogue.in_place) {
    builder.AllowInPlace(output, residual, /*alone=*/true);
  }
  Operand scratch;
  if (use.scratch_floats > 0) {
    scratch = builder.Scratch(use.scratch_floats * kFloatBytes);
  }
  builder.Add(*problem.node, use.kernel, use.step(epilogue),
              {data, packed, bias, residual, slope}, {output}, scratch);
  return absl::OkStatus();
}

}  // namespace dovetail::cpu
