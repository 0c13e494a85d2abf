#include "dovetail/backends/cpu/steps/convolution/kernels/transposed/transposed_step.h"

#include <utility>

#include "dovetail/backends/cpu/kernels/common/channel_block.h"
#include "dovetail/backends/cpu/kernels/common/wide_vectors.h"
#include "dovetail/backends/cpu/kernels/convolution/transposed/transposed.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/kernel_step.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

// Multiplications that are worth a task of their own.
constexpr int64_t kWorkAtATime = 1 << 14;

TransposedShape ShapeOf(const ConvolutionProblem& problem) {
  TransposedShape shape;
  shape.batch = problem.source[0];
  shape.groups = problem.groups;
  shape.inputs = problem.source[1] / problem.groups;
  shape.outputs = problem.result[1] / problem.groups;
  shape.rows = WindowOf(problem, 0);
  shape.columns = WindowOf(problem, 1);
  return shape;
}

}  // namespace

absl::StatusOr<KernelOffer> TryTransposed(const ConvolutionProblem& problem,
                                          const PlanBuilder&) {
  DOVETAIL_RETURN_IF_ERROR(CheckKernelOperands(problem));
  if (!problem.transposed) return Unimplemented("not transposed");
  if (problem.source.rank() > 4) return Unimplemented("three axes");
  if (!HasWideVectors()) return Unimplemented("no AVX2");
  const TransposedShape shape = ShapeOf(problem);
  const int64_t work = shape.columns.output * shape.taps() * shape.width() /
                       (shape.rows.stride * shape.columns.stride);
  KernelSpec spec;
  spec.kernel = "transposed_f32";
  spec.packed_floats = PackedTransposedWeights(shape);
  spec.pack = [shape](const float* from, float* to, int) {
    PackTransposedWeights(shape, from, to);
  };
  spec.work_items = shape.row_count();
  spec.grain_size = kWorkAtATime / (work + 1) + 1;
  spec.compute = [shape](const ConvolutionOperands& operands, int64_t first,
                         int64_t count, float*) {
    ConvolveTransposedRows(shape, operands, first, count);
  };
  return OfferKernel(problem, std::move(spec));
}

absl::StatusOr<KernelOffer> TryTransposedGroups(
    const ConvolutionProblem& problem, const PlanBuilder& builder) {
  if (!problem.transposed || problem.groups == 1) {
    return Unimplemented("not transposed, in groups");
  }
  const int64_t outputs = problem.result[1] / problem.groups;
  if (outputs > kChannelBlock) {
    return Unimplemented(outputs, " channels in a group");
  }
  return TryTransposed(problem, builder);
}

}  // namespace dovetail::cpu
