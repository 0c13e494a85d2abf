#include "dovetail/backends/cpu/steps/convolution/kernels/transposed/transposed_tiles_step.h"

#include <utility>

#include "dovetail/backends/cpu/kernels/common/wide_vectors.h"
#include "dovetail/backends/cpu/kernels/convolution/transposed/transposed_tiles.h"
#include "dovetail/backends/cpu/onednn/isa.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/kernel_step.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

absl::Status CheckFits(const ConvolutionProblem& problem) {
  DOVETAIL_RETURN_IF_ERROR(CheckMakesTiles(problem));
  if (problem.data_layout != Layout::kBlocked8) {
    return Unimplemented("data that are not in blocks of 8");
  }
  if (!HasWideVectors()) return Unimplemented("no AVX2");
  if (HasAvx512()) return Unimplemented("vectors of 8, with AVX-512");
  // Most of a block would be padding.
  constexpr int64_t kFewOutputs = TransposedTilesShape::kLanes / 2;
  if (problem.result[1] <= kFewOutputs) {
    return Unimplemented(problem.result[1], " output channels");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<KernelOffer> TryTransposedTiles(
    const ConvolutionProblem& problem, const PlanBuilder& builder) {
  DOVETAIL_RETURN_IF_ERROR(CheckKernelProblem(problem, builder));
  DOVETAIL_RETURN_IF_ERROR(CheckFits(problem));
  const TransposedTilesShape shape =
      TilesShapeOf<TransposedTilesShape>(problem);
  KernelSpec spec;
  spec.kernel = "transposed_tiles_f32";
  spec.packed_floats = shape.packed_weights();
  spec.pack = [shape](const float* from, float* to, int) {
    PackTransposedTiles(shape, from, to);
  };
  spec.work_items = shape.items();
  const int64_t products =
      shape.width * shape.packed_weights() / shape.groups();
  spec.grain_size =
      ProductsOfAWake(builder.settings().machine_model()) / (products + 1) + 1;
  spec.compute = [shape](const ConvolutionOperands& operands, int64_t first,
                         int64_t count, float*) {
    ConvolveTransposedTiles(shape, operands, first, count);
  };
  return OfferKernel(problem, std::move(spec));
}

}  // namespace dovetail::cpu
