#include "dovetail/backends/cpu/steps/convolution/depthwise_step.h"

#include <algorithm>

#include "dovetail/backends/cpu/kernels/convolution/depthwise.h"
#include "dovetail/backends/cpu/steps/convolution/kernel_step.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kBlock = 8;
// Multiplications that are worth a task of their own.
constexpr int64_t kWorkAtATime = 1 << 14;

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
  KernelUse use;
  use.kernel = "depthwise_f32";
  use.packed_floats = shape.blocks * taps * kBlock;
  use.pack = [channels = problem.groups, taps](const float* from, float* to) {
    PackWeights(channels, taps, from, to);
  };
  use.pieces = shape.row_count();
  use.pieces_at_a_time = kWorkAtATime / (shape.columns.output * taps) + 1;
  use.compute = [shape](const KernelOperands& operands, int64_t first,
                        int64_t count, float*) {
    ConvolveDepthwiseRows(shape,
                          {operands.input, operands.weights, operands.epilogue,
                           operands.output},
                          first, count);
  };
  DOVETAIL_RETURN_IF_ERROR(EmitKernel(problem, *weights, use, builder));
  return true;
}

}  // namespace dovetail::cpu
