#include "dovetail/backends/cpu/steps/convolution/kernels/few_channels_step.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "dovetail/backends/cpu/kernels/convolution/few_channels.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/kernel_step.h"
#include "dovetail/backends/cpu/steps/convolution/picture.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

FewChannelsShape ShapeOf(const ConvolutionProblem& problem) {
  FewChannelsShape shape;
  shape.batch = problem.source[0];
  shape.inputs = problem.source[1];
  shape.outputs = problem.result[1];
  shape.rows = WindowOf(problem, 0);
  shape.columns = WindowOf(problem, 1);
  return shape;
}

// Up to so many channels, a block of 8 is mostly padding.
constexpr int64_t kFew = 5;
// The same of what becomes blocks.
constexpr int64_t kFewOfImages = 3;
// What oneDNN generates for AVX2 reads images as they are, and is as fast for
// larger ones, in blocks. For AVX-512 it reads channels last, copied before.
constexpr int64_t kSmallWork = 2 << 20;
// Floats of a thread. Windows of large dilation read more than there should be
// copied.
constexpr int64_t kMaxScratch = 1 << 20;

// Whether, after a few operations element by element, the one reader of the
// result wants it planar.
bool IsReadPlanar(const ConvolutionProblem& problem,
                  const PlanBuilder& builder) {
  constexpr int kFewOperations = 3;
  if (problem.layout_for == nullptr) return false;
  const Node* last = problem.node;
  for (int i = 0; i <= kFewOperations; ++i) {
    const std::vector<Use>& uses = last->port().uses;
    if (last->output_count() != 1 || uses.size() != 1) return false;
    last = uses[0].node;
    if (last->Is("Add") || last->Is("Relu") || last->Is("PRelu") ||
        last->Is("Clamp")) {
      continue;
    }
    return problem.layout_for(*last, builder) == Layout::kPlanar;
  }
  return false;
}

// Side by side, channels lie as oneDNN's kernels behind it read them.
FewChannelsShape::Result ResultOf(const ConvolutionProblem& problem,
                                  const PlanBuilder& builder) {
  if (problem.result[1] <= kFew || IsReadPlanar(problem, builder)) {
    return FewChannelsShape::Result::kPlanar;
  }
  return FewChannelsConvolution::Lanes() == 16
             ? FewChannelsShape::Result::kChannelsLast
             : FewChannelsShape::Result::kBlocked;
}

absl::Status CheckFaster(const FewChannelsShape& shape) {
  if (FewChannelsConvolution::Lanes() == 0) return Unimplemented("no AVX2");
  const bool is_planar = shape.result == FewChannelsShape::Result::kPlanar;
  const int64_t most = is_planar ? kFew : kFewOfImages;
  if (shape.inputs > most)
    return Unimplemented(shape.inputs, " input channels");
  if (is_planar && shape.columns.stride != 1) {
    return Unimplemented("planar results with a stride of ",
                         shape.columns.stride);
  }
  const int64_t work = shape.batch * shape.outputs * shape.taps() *
                       shape.rows.output * shape.columns.output;
  if (!is_planar && FewChannelsConvolution::Lanes() == 8 && work > kSmallWork) {
    return Unimplemented(work, " products");
  }
  return absl::OkStatus();
}

void SetSource(const ConvolutionProblem& problem, FewChannelsShape& shape) {
  if (problem.picture != nullptr) {
    shape.source = FewChannelsShape::Source::kBytes;
    shape.added = problem.picture->added;
    shape.factors = problem.picture->factors;
  } else if (problem.data_layout == Layout::kChannelsLast) {
    shape.source = FewChannelsShape::Source::kChannelsLast;
  }
}

Layout LayoutOf(FewChannelsShape::Result result) {
  switch (result) {
    case FewChannelsShape::Result::kPlanar:
      return Layout::kPlanar;
    case FewChannelsShape::Result::kChannelsLast:
      return Layout::kChannelsLast;
    case FewChannelsShape::Result::kBlocked:
      break;
  }
  return FewChannelsConvolution::Lanes() == 16 ? Layout::kBlocked16
                                               : Layout::kBlocked8;
}

KernelSpec SpecOf(
    const std::shared_ptr<const FewChannelsConvolution>& convolution) {
  KernelSpec spec;
  spec.kernel = "few_channels_f32";
  spec.source = convolution->shape().source == FewChannelsShape::Source::kPlanar
                    ? Layout::kPlanar
                    : Layout::kChannelsLast;
  spec.result = LayoutOf(convolution->shape().result);
  spec.packed_floats = convolution->weights_floats();
  spec.pack = [convolution](const float* from, float* to, int) {
    convolution->PackWeights(from, to);
  };
  spec.work_items = convolution->work_item_count();
  spec.scratch_floats = convolution->scratch_floats();
  spec.compute = [convolution](const ConvolutionOperands& operands,
                               int64_t first, int64_t count, float* scratch) {
    convolution->Run(operands, first, count, scratch);
  };
  return spec;
}

}  // namespace

absl::StatusOr<KernelOffer> TryFewChannels(const ConvolutionProblem& problem,
                                           const PlanBuilder& builder) {
  DOVETAIL_RETURN_IF_ERROR(CheckKernelProblem(problem, builder));
  if (problem.transposed || problem.groups != 1 || problem.source.rank() > 4) {
    return Unimplemented("no dense window of one or two axes");
  }
  if (problem.source[1] > kFew) {  // and so nobody need ask the reader
    return Unimplemented(problem.source[1], " input channels");
  }
  FewChannelsShape shape = ShapeOf(problem);
  shape.result = ResultOf(problem, builder);
  SetSource(problem, shape);
  DOVETAIL_RETURN_IF_ERROR(CheckFaster(shape));
  const int threads = std::max(1, builder.settings().threads);
  const auto convolution = std::make_shared<const FewChannelsConvolution>(
      shape, threads, ProductsOfAWake(builder.settings().machine_model()));
  if (convolution->scratch_floats() > kMaxScratch) {
    return Unimplemented("copies of ", convolution->scratch_floats(),
                         " elements");
  }
  return OfferKernel(problem, SpecOf(convolution));
}

}  // namespace dovetail::cpu
