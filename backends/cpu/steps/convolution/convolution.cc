#include "dovetail/backends/cpu/steps/convolution/convolution.h"

#include <memory>
#include <optional>
#include <utility>

#include "absl/types/span.h"
#include "dovetail/backends/cpu/compiler/kernel_list.h"
#include "dovetail/backends/cpu/steps/common/floats_of_integers.h"
#include "dovetail/backends/cpu/steps/common/integer_operands.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/depthwise_step.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/depthwise_tiles_step.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/dot_products_step.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/few_channels_step.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/integer_step.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/pixel_tiles_step.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/transposed_step.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/winograd_step.h"
#include "dovetail/backends/cpu/steps/convolution/onednn/onednn_step.h"
#include "dovetail/backends/cpu/steps/convolution/picture.h"
#include "dovetail/backends/cpu/steps/convolution/problem.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

using Candidate = KernelCandidate<ConvolutionProblem>;

absl::StatusOr<KernelOffer> TryFloatsOfIntegers(
    const ConvolutionProblem& problem, const PlanBuilder& builder);

// In order of preference. Each own kernel says by the problem whether it is
// faster than oneDNN's best; general code of oneDNN is slower than any.
constexpr Candidate kKernels[] = {
    {"winograd_f32", &TryWinograd},
    {"few_channels_f32", &TryFewChannels},
    {"pixel_tiles_f32", &TryPixelTiles},
    {"depthwise_tiles_f32", &TryDepthwiseTiles},
    {"few_channels_int8", &TryFewChannelsInteger},
    {"pointwise_int8", &TryPointwiseInteger},
    {"convolution_int8", &TryIntegerConvolution},
    {"transposed_groups_f32", &TryTransposedGroups},
    {"onednn_bf16", &TryNarrowPrimitive},
    {"onednn", &TryPrimitive},
    {"depthwise_f32", &TryDepthwise},
    {"transposed_f32", &TryTransposed},
    {"floats_of_integers", &TryFloatsOfIntegers},
};
constexpr absl::string_view kReadsPictures = "few_channels_f32";
// The first ones decide by looking at the problem, without a search.
constexpr int kQuickKernels = 7;

std::optional<Layout> LayoutFor(const Node& reader,
                                const PlanBuilder& builder) {
  const auto problem = ConvolutionProblemOf(reader);
  if (!problem.has_value()) return std::nullopt;
  const auto quick = absl::MakeConstSpan(kKernels).first(kQuickKernels);
  const absl::string_view wanted = builder.WantedKernel(reader);
  const auto choice = ChooseKernel(quick, *problem, builder, wanted);
  if (!choice.ok() || !choice->offer.has_value()) return std::nullopt;
  const bool is_certain =
      wanted.empty() ? choice->offer->slower.empty() : choice->name == wanted;
  if (!is_certain) return std::nullopt;
  return choice->offer->source;
}

absl::Status MakeFloats(const ConvolutionProblem& problem,
                        PlanBuilder& builder) {
  return EmitFloatsOfIntegers(*problem.node,
                              {problem.data, problem.data_zero_point}, builder);
}

// What is computed of integers in no other way is computed of the floats that
// they stand for.
absl::StatusOr<KernelOffer> TryFloatsOfIntegers(
    const ConvolutionProblem& problem, const PlanBuilder& builder) {
  if (!problem.is_integer()) return Unimplemented("no integers");
  const auto floats =
      std::make_shared<const ConvolutionProblem>(WithFloats(problem));
  DOVETAIL_ASSIGN_OR_RETURN(
      KernelChoice choice,
      ChooseKernel<ConvolutionProblem>(kKernels, *floats, builder));
  if (!choice.offer.has_value()) return Unimplemented(choice.declined);
  KernelOffer offer;
  offer.source = choice.offer->source;
  offer.emit = [&problem, floats,
                emit = std::move(choice.offer->emit)](PlanBuilder& plan) {
    DOVETAIL_RETURN_IF_ERROR(MakeFloats(problem, plan));
    return emit(plan);
  };
  return offer;
}

}  // namespace

absl::StatusOr<bool> EmitConvolution(const Node& node, PlanBuilder& builder) {
  auto problem = ConvolutionProblemOf(node);
  if (!problem.has_value()) {
    builder.SetDeclined(node, "all: a type or a window that kernels lack");
    return false;
  }
  problem->data_layout = builder.FormatOf(problem->data).layout;
  problem->layout_for = &LayoutFor;
  DOVETAIL_ASSIGN_OR_RETURN(
      const bool taken,
      EmitFirst<ConvolutionProblem>(kKernels, node, *problem, builder));
  // The reference kernel reads floats, which are not there yet (ReadsBytes).
  if (!taken && problem->is_integer()) {
    DOVETAIL_RETURN_IF_ERROR(MakeFloats(*problem, builder));
  }
  return taken;
}

absl::StatusOr<bool> EmitPicture(const Node& node, PlanBuilder& builder) {
  const std::optional<Picture> picture = PictureFrom(node);
  if (!picture || builder.IsDone(*picture->convolution)) return false;
  const Node& convolution = *picture->convolution;
  auto problem = ConvolutionProblemOf(convolution);
  if (!problem.has_value() || problem->result.Count() == 0) return false;
  problem->data_layout = Layout::kChannelsLast;
  problem->layout_for = &LayoutFor;
  DOVETAIL_ASSIGN_OR_RETURN(
      const KernelChoice choice,
      ChooseKernel<ConvolutionProblem>(kKernels, *problem, builder,
                                       builder.WantedKernel(convolution)));
  if (!choice.offer || choice.name != kReadsPictures) return false;
  problem->picture = &*picture;
  builder.SetDone(convolution);
  return EmitFirst<ConvolutionProblem>(kKernels, convolution, *problem,
                                       builder);
}

bool ConvolutionReadsBytes(const Node& node) {
  return IntegerOperandsOf(node) && ConvolutionProblemOf(node).has_value();
}

}  // namespace dovetail::cpu
