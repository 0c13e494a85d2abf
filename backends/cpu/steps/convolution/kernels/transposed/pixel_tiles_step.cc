#include "dovetail/backends/cpu/steps/convolution/kernels/transposed/pixel_tiles_step.h"

#include <utility>

#include "dovetail/backends/cpu/kernels/common/wide_vectors.h"
#include "dovetail/backends/cpu/kernels/convolution/transposed/pixel_tiles.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/kernel_step.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

// With more, blocks of outputs are as fast.
constexpr int64_t kFewOutputs = 5;

absl::Status CheckFits(const ConvolutionProblem& problem) {
  DOVETAIL_RETURN_IF_ERROR(CheckMakesTiles(problem));
  if (problem.result[1] > kFewOutputs ||
      problem.source[1] > PixelTilesShape::kMaxInputs) {
    return Unimplemented(problem.source[1], " input channels, ",
                         problem.result[1], " of output");
  }
  if (problem.strides[1] < PixelTilesShape::kMinColumns ||
      problem.strides[1] > PixelTilesShape::kMaxColumns) {
    return Unimplemented("a stride of ", problem.strides[1]);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<KernelOffer> TryPixelTiles(const ConvolutionProblem& problem,
                                          const PlanBuilder& builder) {
  DOVETAIL_RETURN_IF_ERROR(CheckKernelProblem(problem, builder));
  DOVETAIL_RETURN_IF_ERROR(CheckFits(problem));
  if (!HasWideVectors()) return Unimplemented("no AVX2");
  const PixelTilesShape shape = TilesShapeOf<PixelTilesShape>(problem);
  KernelSpec spec;
  spec.kernel = "pixel_tiles_f32";
  spec.source = spec.result = Layout::kPlanar;
  spec.takes_residual = false;
  spec.packed_floats = shape.weights();
  spec.pack = [shape](const float* from, float* to, int) {
    PackPixelTiles(shape, from, to);
  };
  spec.work_items = shape.row_count();
  spec.grain_size = ProductsOfAWake(builder.settings().machine_model()) /
                        (shape.weights() * shape.width) +
                    1;
  spec.compute = [shape](const ConvolutionOperands& operands, int64_t first,
                         int64_t count, float*) {
    ConvolvePixelTiles(shape, operands, first, count);
  };
  return OfferKernel(problem, std::move(spec));
}

}  // namespace dovetail::cpu
