#include "dovetail/backends/cpu/steps/convolution/kernels/kernel_step.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/compiler/channel_constants.h"
#include "dovetail/backends/cpu/compiler/compute_type_of.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/kernel_epilogue.h"
#include "dovetail/backends/cpu/steps/convolution/picture.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/parallel_for.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kFloatBytes = sizeof(float);

// Of those that a KernelSpec may take.
ConvolutionEpilogue::Activation ActivationOf(const KernelEpilogue& follows) {
  if (follows.inner_slope) return ConvolutionEpilogue::Activation::kSlope;
  switch (follows.form.activation) {
    case IntegerEpilogue::Activation::kSwish:
      return ConvolutionEpilogue::Activation::kSwish;
    case IntegerEpilogue::Activation::kHSwish:
      return ConvolutionEpilogue::Activation::kHSwish;
    default:
      return ConvolutionEpilogue::Activation::kNone;
  }
}

// Inputs: data, weights, bias, residual and slope, of which the last three may
// be missing.
class KernelStep : public Step {
 public:
  KernelStep(const KernelSpec& spec, const KernelEpilogue& follows, int threads)
      : compute_(spec.compute),
        work_items_(spec.work_items),
        grain_size_(spec.grain_size),
        scratch_floats_(spec.scratch_floats),
        reads_bf16_(spec.source_type == ElementType::kBf16),
        stores_bf16_(spec.result_type == ElementType::kBf16),
        activation_(ActivationOf(follows)),
        beta_(follows.inner_slope.value_or(follows.form.beta)),
        low_(follows.form.low),
        high_(follows.form.high),
        workers_(
            static_cast<int>(std::min<int64_t>(threads, spec.work_items))) {}

  absl::Status Run(const StepRun& run) const override {
    const ConvolutionOperands operands = OperandsOf(run);
    WorkTeam& team = run.environment->team();
    if (scratch_floats_ == 0) {
      ParallelFor(team, work_items_, grain_size_,
                  [&](int64_t begin, int64_t end) {
                    compute_(operands, begin, end - begin, nullptr);
                  });
      return absl::OkStatus();
    }
    float* const scratch = static_cast<float*>(run.scratch);
    std::atomic<int64_t> next = 0;
    team.Run(workers_, [&](int worker) {
      for (;;) {
        const int64_t i = next.fetch_add(1, std::memory_order_relaxed);
        if (i >= work_items_) break;
        compute_(operands, i, 1, scratch + worker * scratch_floats_);
      }
    });
    return absl::OkStatus();
  }

 private:
  ConvolutionOperands OperandsOf(const StepRun& run) const {
    ConvolutionOperands operands;
    operands.weights = run.input<float>(1);
    operands.epilogue.bias = run.input<float>(2);
    operands.epilogue.slope = run.input<float>(4);
    operands.epilogue.activation = activation_;
    operands.epilogue.beta = beta_;
    operands.epilogue.low = low_;
    operands.epilogue.high = high_;
    if (reads_bf16_) {
      operands.narrow_input = run.input<uint16_t>(0);
    } else {
      operands.input = run.input<float>(0);
    }
    if (stores_bf16_) {
      operands.narrow_residual = run.input<uint16_t>(3);
      operands.narrow_output = run.output<uint16_t>();
    } else {
      operands.epilogue.residual = run.input<float>(3);
      operands.output = run.output<float>();
    }
    return operands;
  }

  const KernelFn compute_;
  const int64_t work_items_, grain_size_, scratch_floats_;
  const bool reads_bf16_, stores_bf16_;
  const ConvolutionEpilogue::Activation activation_;
  const float beta_, low_, high_;
  const int workers_;
};

// Packed once for all plans that are made of the model.
absl::StatusOr<Operand> PackWeights(const Tensor& weights,
                                    const KernelSpec& spec,
                                    PlanBuilder& builder) {
  const auto pack = [pack = spec.pack](absl::Span<const Tensor> constants,
                                       void* packed, int part) {
    pack(constants[0].data<float>(), static_cast<float*>(packed), part);
    return absl::OkStatus();
  };
  const std::string form =
      absl::StrCat(spec.kernel, ":", static_cast<int>(spec.source),
                   static_cast<int>(spec.result), ":", spec.packed_floats);
  return builder.GetOrPack({form, weights}, spec.packed_floats * kFloatBytes,
                           pack, spec.packed_parts);
}

absl::StatusOr<Operand> ReadData(const ConvolutionProblem& problem,
                                 const KernelSpec& spec, PlanBuilder& builder) {
  if (problem.picture == nullptr) {
    return builder.Read(problem.data, {spec.source_type, spec.source});
  }
  builder.Fuse(problem.picture->makers);
  return builder.ReadPlain(problem.picture->bytes);
}

absl::Status Emit(const ConvolutionProblem& problem, const KernelSpec& spec,
                  PlanBuilder& builder) {
  const Tensor& weights = *PlanBuilder::PackableConstantOf(problem.weights);
  const KernelEpilogue follows =
      FindKernelEpilogue(PlanBuilder::OutputOf(*problem.node),
                         {.residual = spec.takes_residual,
                          .inner_activation = spec.takes_activation},
                         builder);
  const Format result = {spec.result_type, spec.result};
  DOVETAIL_ASSIGN_OR_RETURN(const Operand data,
                            ReadData(problem, spec, builder));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand packed,
                            PackWeights(weights, spec, builder));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand bias,
                            AddChannelConstants(builder, follows.bias));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand slope,
                            AddChannelConstants(builder, follows.slope));
  Operand residual;
  if (follows.residual) {
    DOVETAIL_ASSIGN_OR_RETURN(residual, builder.Read(follows.residual, result));
  }
  builder.Fuse(follows.epilogue.nodes());
  const Operand output = builder.Write(follows.epilogue.result(), result);
  if (follows.residual) {
    builder.AllowInPlace(output, residual, /*alone=*/true);
  }
  const int threads = std::max(1, builder.settings().threads);
  Operand scratch;
  if (spec.scratch_floats > 0) {
    scratch = builder.Scratch(threads * spec.scratch_floats * kFloatBytes);
  }
  builder.Add(*problem.node, spec.kernel,
              std::make_unique<KernelStep>(spec, follows, threads),
              {data, packed, bias, residual, slope}, {output}, scratch);
  return absl::OkStatus();
}

// Whether windows along the axis are side by side, and all of them count.
bool AreApart(const ConvolutionProblem& problem, int i) {
  return problem.weights_dims[i + 2] == problem.strides[i] &&
         problem.dilations[i] == 0 && problem.pads_begin[i] == 0 &&
         problem.result[i + 2] == problem.source[i + 2] * problem.strides[i];
}

}  // namespace

Layout LayoutByLanes(const ConvolutionProblem& problem, int64_t lanes) {
  const Layout blocked = lanes == 16 ? Layout::kBlocked16 : Layout::kBlocked8;
  if (problem.data_layout == blocked ||
      problem.data_layout == Layout::kChannelsLast) {
    return problem.data_layout;
  }
  return lanes == 16 ? Layout::kChannelsLast : blocked;
}

int64_t ProductsOfAWake(const MachineModel& machine) {
  return static_cast<int64_t>(machine.wake_ns * machine.f32()) + 1;
}

absl::Status CheckKernelOperands(const ConvolutionProblem& problem) {
  if (problem.is_integer()) return Unimplemented("integers");
  const Tensor* weights = PlanBuilder::PackableConstantOf(problem.weights);
  if (weights == nullptr || weights->type() != ElementType::kF32 ||
      !weights->is_contiguous()) {
    return Unimplemented("weights that are no constant of f32");
  }
  return absl::OkStatus();
}

absl::Status CheckKernelProblem(const ConvolutionProblem& problem,
                                const PlanBuilder& builder) {
  const ElementType type = FasterTypeOf(*problem.node, builder.settings());
  if (!problem.is_integer() && type != ElementType::kF32) {
    return Unimplemented(ElementTypeName(type), " is asked for");
  }
  return CheckKernelOperands(problem);
}

absl::Status CheckMakesTiles(const ConvolutionProblem& problem) {
  if (!problem.transposed || problem.groups != 1 ||
      problem.source.rank() != 4) {
    return Unimplemented("no dense transposed window of two axes");
  }
  if (!AreApart(problem, 0) || !AreApart(problem, 1)) {
    return Unimplemented("windows that overlap or leave gaps");
  }
  return absl::OkStatus();
}

KernelOffer OfferKernel(const ConvolutionProblem& problem, KernelSpec spec) {
  KernelOffer offer;
  offer.source = spec.source;
  offer.emit = [&problem, spec = std::move(spec)](PlanBuilder& builder) {
    return Emit(problem, spec, builder);
  };
  return offer;
}

}  // namespace dovetail::cpu
