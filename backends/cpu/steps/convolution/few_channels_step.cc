#include "dovetail/backends/cpu/steps/convolution/few_channels_step.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "dovetail/backends/cpu/kernels/convolution/few_channels.h"
#include "dovetail/backends/cpu/onednn/isa.h"
#include "dovetail/backends/cpu/steps/convolution/kernel_step.h"
#include "dovetail/backends/cpu/steps/convolution/pixel_tiles_step.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

FewChannelsShape ShapeOf(const ConvolutionProblem& problem) {
  const int spatial = problem.source.rank() - 2;
  FewChannelsShape shape;
  shape.batch = problem.source[0];
  shape.inputs = problem.source[1];
  shape.outputs = problem.result[1];
  if (spatial == 2) shape.rows = WindowOf(problem, 0);
  shape.columns = WindowOf(problem, spatial - 1);
  return shape;
}

// Up to so many channels, a block of 8 is mostly padding.
constexpr int64_t kFew = 5;
// What oneDNN generates for larger images is as fast, in blocks.
constexpr int64_t kSmallWork = 2 << 20;
// Floats of a thread. Windows of large dilation read more than there should be
// copied.
constexpr int64_t kMaxScratch = 1 << 20;

// Whether, after a few operations element by element, the one reader of the
// result wants it planar.
bool IsReadPlanar(const Node& node, const PlanBuilder& builder) {
  constexpr int kFewOperations = 3;
  const Node* last = &node;
  for (int i = 0; i <= kFewOperations; ++i) {
    const std::vector<Use>& uses = last->port().uses;
    if (last->output_count() != 1 || uses.size() != 1) return false;
    last = uses[0].node;
    if (last->Is("ConvolutionBackpropData")) {
      const auto problem = ConvolutionProblemOf(*last);
      return problem.has_value() && IsForPixelTiles(*problem, builder);
    }
    if (!last->Is("Add") && !last->Is("Relu") && !last->Is("PRelu") &&
        !last->Is("Clamp")) {
      return false;
    }
  }
  return false;
}

bool IsFaster(const FewChannelsShape& shape) {
  // With vectors of 16 oneDNN is twice as fast.
  if (!FewChannelsConvolution::IsThere() || HasAvx512()) return false;
  if (!shape.is_blocked) {
    return shape.inputs <= kFew && shape.columns.stride == 1;
  }
  const int64_t work = shape.batch * shape.outputs * shape.taps() *
                       shape.rows.output * shape.columns.output;
  return shape.inputs <= 3 && work <= kSmallWork;
}

}  // namespace

absl::StatusOr<bool> EmitFewChannels(const ConvolutionProblem& problem,
                                     PlanBuilder& builder) {
  const Tensor* weights = KernelWeights(problem, builder);
  if (weights == nullptr || problem.transposed || problem.groups != 1 ||
      problem.source.rank() > 4) {
    return false;
  }
  FewChannelsShape shape = ShapeOf(problem);
  shape.is_blocked =
      shape.outputs > kFew && !IsReadPlanar(*problem.node, builder);
  if (!IsFaster(shape)) return false;
  const int threads = std::max(1, builder.settings().threads);
  const auto convolution =
      std::make_shared<const FewChannelsConvolution>(shape, threads);
  if (convolution->scratch_floats() > kMaxScratch) return false;
  KernelUse use;
  use.kernel = "few_channels_f32";
  use.source = Layout::kPlanar;
  use.result = shape.is_blocked ? Layout::kBlocked8 : Layout::kPlanar;
  use.packed_floats = convolution->weights_floats();
  use.pack = [convolution](const float* from, float* to) {
    convolution->PackWeights(from, to);
  };
  use.pieces = convolution->piece_count();
  use.scratch_floats = convolution->scratch_floats();
  use.compute = [convolution](const KernelOperands& operands, int64_t first,
                              int64_t count, float* scratch) {
    convolution->Run({operands.input, operands.weights, operands.epilogue,
                      operands.output},
                     first, count, scratch);
  };
  DOVETAIL_RETURN_IF_ERROR(EmitKernel(problem, *weights, use, builder));
  return true;
}

}  // namespace dovetail::cpu
