#include "dovetail/backends/cpu/steps/convolution/kernels/depthwise_step.h"

#include <algorithm>
#include <utility>

#include "dovetail/backends/cpu/kernels/common/channel_block.h"
#include "dovetail/backends/cpu/kernels/common/wide_vectors.h"
#include "dovetail/backends/cpu/kernels/convolution/depthwise/depthwise.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/kernel_step.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

// Each channel by itself takes about so much longer, for what is read.
constexpr int64_t kSlower = 4;

DepthwiseShape ShapeOf(const ConvolutionProblem& problem) {
  DepthwiseShape shape;
  shape.batch = problem.source[0];
  shape.blocks = ChannelBlocks(problem.groups);
  shape.rows = WindowOf(problem, 0);
  shape.columns = WindowOf(problem, 1);
  return shape;
}

// From [channels, taps] to [C / 8, taps, 8].
void PackWeights(int64_t channels, int64_t taps, const float* from, float* to) {
  const int64_t last = channels / kChannelBlock * taps * kChannelBlock;
  if (channels % kChannelBlock != 0)
    std::fill_n(to + last, taps * kChannelBlock, 0.0f);
  for (int64_t c = 0; c < channels; ++c) {
    for (int64_t tap = 0; tap < taps; ++tap) {
      to[(c / kChannelBlock * taps + tap) * kChannelBlock + c % kChannelBlock] =
          *from++;
    }
  }
}

}  // namespace

absl::StatusOr<KernelOffer> TryDepthwise(const ConvolutionProblem& problem,
                                         const PlanBuilder& builder) {
  DOVETAIL_RETURN_IF_ERROR(CheckKernelProblem(problem, builder));
  if (problem.transposed || !problem.is_depthwise() ||
      problem.source.rank() != 4) {
    return Unimplemented("no channels by themselves, of two axes");
  }
  if (!HasWideVectors()) return Unimplemented("no AVX2");
  const DepthwiseShape shape = ShapeOf(problem);
  const int64_t taps = shape.rows.kernel * shape.columns.kernel;
  KernelSpec spec;
  spec.kernel = "depthwise_f32";
  spec.packed_floats = shape.blocks * taps * kChannelBlock;
  spec.pack = [channels = problem.groups, taps](const float* from, float* to,
                                                int) {
    PackWeights(channels, taps, from, to);
  };
  spec.work_items = shape.row_count();
  spec.grain_size = ProductsOfAWake(builder.settings().machine_model()) /
                        kSlower / (shape.columns.output * taps) +
                    1;
  spec.compute = [shape](const ConvolutionOperands& operands, int64_t first,
                         int64_t count, float*) {
    ConvolveDepthwiseRows(shape, operands, first, count);
  };
  return OfferKernel(problem, std::move(spec));
}

}  // namespace dovetail::cpu
