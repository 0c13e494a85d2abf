#include "dovetail/backends/cpu/steps/convolution/depthwise_step.h"

#include <algorithm>
#include <memory>

#include "dovetail/backends/cpu/kernels/convolution/depthwise.h"
#include "dovetail/backends/cpu/steps/convolution/kernel_step.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/parallel_for.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kBlock = 8;
// Multiplications that are worth a task of their own.
constexpr int64_t kWorkAtATime = 1 << 14;

class DepthwiseStep : public KernelStep {
 public:
  DepthwiseStep(const DepthwiseShape& shape, const KernelEpilogue& epilogue)
      : KernelStep(epilogue), shape_(shape) {}

  absl::Status Run(const StepRun& run) const override {
    DepthwiseOperands operands;
    operands.input = run.input<float>(0);
    operands.weights = run.input<float>(1);
    operands.epilogue = EpilogueOf(run);
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
};

DepthwiseShape ShapeOf(const ConvolutionProblem& problem) {
  DepthwiseShape shape;
  shape.batch = problem.source[0];
  shape.blocks = (problem.groups + kBlock - 1) / kBlock;
  shape.rows = WindowOf(problem, 0);
  shape.columns = WindowOf(problem, 1);
  return shape;
}

// From [channels, taps] to [C / 8, taps, 8].
void PackWeights(int64_t channels, int64_t taps, const float* from, float* to) {
  const int64_t last = channels / kBlock * taps * kBlock;
  if (channels % kBlock != 0) std::fill_n(to + last, taps * kBlock, 0.0f);
  for (int64_t c = 0; c < channels; ++c) {
    for (int64_t tap = 0; tap < taps; ++tap) {
      to[(c / kBlock * taps + tap) * kBlock + c % kBlock] = *from++;
    }
  }
}

}  // namespace

absl::StatusOr<bool> EmitDepthwise(const ConvolutionProblem& problem,
                                   PlanBuilder& builder) {
  const Tensor* weights = KernelWeights(problem, builder);
  if (weights == nullptr || problem.transposed || !problem.is_depthwise() ||
      problem.source.rank() != 4 || !HasDepthwise()) {
    return false;
  }
  const DepthwiseShape shape = ShapeOf(problem);
  const int64_t taps = shape.rows.kernel * shape.columns.kernel;
  const auto step = [&](const KernelEpilogue& epilogue) {
    return std::make_unique<DepthwiseStep>(shape, epilogue);
  };
  KernelUse use = {.kernel = "depthwise_f32", .step = step};
  use.packed_floats = shape.blocks * taps * kBlock;
  use.pack = [channels = problem.groups, taps](const float* from, float* to) {
    PackWeights(channels, taps, from, to);
  };
  DOVETAIL_RETURN_IF_ERROR(EmitKernel(problem, *weights, use, builder));
  return true;
}

}  // namespace dovetail::cpu
