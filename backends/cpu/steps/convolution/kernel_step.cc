#include "dovetail/backends/cpu/steps/convolution/kernel_step.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/onednn/post_ops.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/parallel_for.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kFloatBytes = sizeof(float);

// Inputs: data, weights, bias, residual and slope, of which the last three may
// be missing.
class KernelStep : public Step {
 public:
  KernelStep(const KernelUse& use, const KernelEpilogue& epilogue, int threads)
      : compute_(use.compute),
        pieces_(use.pieces),
        pieces_at_a_time_(use.pieces_at_a_time),
        scratch_floats_(use.scratch_floats),
        low_(epilogue.low),
        high_(epilogue.high),
        workers_(static_cast<int>(std::min<int64_t>(threads, use.pieces))) {}

  absl::Status Run(const StepRun& run) const override {
    const KernelOperands operands = OperandsOf(run);
    WorkTeam& team = run.environment->team();
    if (scratch_floats_ == 0) {
      ParallelFor(team, pieces_, pieces_at_a_time_,
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
        if (i >= pieces_) break;
        compute_(operands, i, 1, scratch + worker * scratch_floats_);
      }
    });
    return absl::OkStatus();
  }

 private:
  KernelOperands OperandsOf(const StepRun& run) const {
    ConvolutionEpilogue epilogue;
    epilogue.bias = run.input<float>(2);
    epilogue.residual = run.input<float>(3);
    epilogue.slope = run.input<float>(4);
    epilogue.low = low_;
    epilogue.high = high_;
    return {run.input<float>(0), run.input<float>(1), epilogue,
            run.output<float>()};
  }

  const KernelFn compute_;
  const int64_t pieces_, pieces_at_a_time_, scratch_floats_;
  const float low_, high_;
  const int workers_;
};

// Packed once for all plans that are made of the model.
absl::StatusOr<Operand> PackWeights(const Tensor& weights, const KernelUse& use,
                                    PlanBuilder& builder) {
  const auto pack = [pack = use.pack](absl::Span<const Tensor> constants,
                                      void* packed, int) {
    pack(constants[0].data<float>(), static_cast<float*>(packed));
    return absl::OkStatus();
  };
  const std::string form =
      absl::StrCat(use.kernel, ":", static_cast<int>(use.source),
                   static_cast<int>(use.result));
  return builder.GetOrPack({form, weights}, use.packed_floats * kFloatBytes,
                           pack);
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
  const Tensor* weights = PlanBuilder::PackableConstantOf(problem.weights);
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
  const int threads = std::max(1, builder.settings().threads);
  Operand scratch;
  if (use.scratch_floats > 0) {
    scratch = builder.Scratch(threads * use.scratch_floats * kFloatBytes);
  }
  builder.Add(*problem.node, use.kernel,
              std::make_unique<KernelStep>(use, epilogue, threads),
              {data, packed, bias, residual, slope}, {output}, scratch);
  return absl::OkStatus();
}

}  // namespace dovetail::cpu
