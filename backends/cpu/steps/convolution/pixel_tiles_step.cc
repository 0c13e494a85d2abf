#include "dovetail/backends/cpu/steps/convolution/pixel_tiles_step.h"

#include <algorithm>

#include "dovetail/backends/cpu/kernels/convolution/pixel_tiles.h"
#include "dovetail/backends/cpu/onednn/isa.h"
#include "dovetail/backends/cpu/steps/convolution/kernel_step.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

// With more, blocks of outputs are as fast.
constexpr int64_t kFewOutputs = 5;
// Products that are worth handing to another thread.
constexpr int64_t kWorkAtATime = 64 << 10;

PixelTilesShape ShapeOf(const ConvolutionProblem& problem) {
  PixelTilesShape shape;
  shape.batch = problem.source[0];
  shape.inputs = problem.source[1];
  shape.outputs = problem.result[1];
  shape.height = problem.source[2];
  shape.width = problem.source[3];
  shape.rows = problem.strides[0];
  shape.columns = problem.strides[1];
  return shape;
}

// Whether windows along the axis are side by side, and all of them count.
bool AreApart(const ConvolutionProblem& problem, int i) {
  return problem.weights_dims[i + 2] == problem.strides[i] &&
         problem.dilations[i] == 0 && problem.pads_begin[i] == 0 &&
         problem.result[i + 2] == problem.source[i + 2] * problem.strides[i];
}

}  // namespace

bool IsForPixelTiles(const ConvolutionProblem& problem,
                     const PlanBuilder& builder) {
  if (KernelWeights(problem, builder) == nullptr || !problem.transposed ||
      problem.groups != 1 || problem.source.rank() != 4) {
    return false;
  }
  // With vectors of 16 oneDNN is twice as fast.
  return HasPixelTiles() && !HasAvx512() && AreApart(problem, 0) &&
         AreApart(problem, 1) && problem.result[1] <= kFewOutputs &&
         problem.source[1] <= PixelTilesShape::kMaxInputs &&
         problem.strides[1] >= PixelTilesShape::kMinColumns &&
         problem.strides[1] <= PixelTilesShape::kMaxColumns;
}

absl::StatusOr<bool> EmitPixelTiles(const ConvolutionProblem& problem,
                                    PlanBuilder& builder) {
  if (!IsForPixelTiles(problem, builder)) return false;
  const PixelTilesShape shape = ShapeOf(problem);
  KernelUse use;
  use.kernel = "pixel_tiles_f32";
  use.source = use.result = Layout::kPlanar;
  use.takes_residual = false;
  use.packed_floats = shape.weights();
  use.pack = [shape](const float* from, float* to) {
    PackPixelTiles(shape, from, to);
  };
  use.pieces = shape.row_count();
  use.pieces_at_a_time = kWorkAtATime / (shape.weights() * shape.width) + 1;
  use.compute = [shape](const KernelOperands& operands, int64_t first,
                        int64_t count, float*) {
    ConvolvePixelTiles(shape,
                       {operands.input, operands.weights, operands.epilogue,
                        operands.output},
                       first, count);
  };
  DOVETAIL_RETURN_IF_ERROR(
      EmitKernel(problem, *KernelWeights(problem, builder), use, builder));
  return true;
}

}  // namespace dovetail::cpu
