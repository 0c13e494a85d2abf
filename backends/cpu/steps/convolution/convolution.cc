#include "dovetail/backends/cpu/steps/convolution/convolution.h"

#include <memory>
#include <optional>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/backends/cpu/compiler/kernel_list.h"
#include "dovetail/backends/cpu/steps/common/floats_of_integers.h"
#include "dovetail/backends/cpu/steps/common/integer_operands.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/depthwise_step.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/depthwise_tiles_step.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/dot_products_step.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/few_channels_step.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/gathered_step.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/integer_step.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/transposed/pixel_tiles_step.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/transposed/transposed_step.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/transposed/transposed_tiles_step.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/winograd_step.h"
#include "dovetail/backends/cpu/steps/convolution/onednn/onednn_step.h"
#include "dovetail/backends/cpu/steps/convolution/picture.h"
#include "dovetail/backends/cpu/steps/convolution/problem.h"
#include "dovetail/backends/cpu/steps/convolution/quantized_picture.h"
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
    {"winograd_bf16", &TryNarrowWinograd},
    {"few_channels_f32", &TryFewChannels},
    {"gathered_f32", &TryGathered},
    {"pixel_tiles_f32", &TryPixelTiles},
    {"transposed_tiles_f32", &TryTransposedTiles},
    {"depthwise_tiles_f32", &TryDepthwiseTiles},
    {"few_channels_int8", &TryFewChannelsInteger},
    {"depthwise_int8", &TryDepthwiseInteger},
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
constexpr absl::string_view kReadsQuantizedPictures = "few_channels_int8";
// The first ones decide by looking at the problem, without a search.
constexpr int kQuickKernels = 11;

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
  if (!problem.channel_zero_points.empty()) {
    return Unimplemented("a zero point for each channel");
  }
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

// A convolution whose data are made by the node that is emitted now, if the
// kernel that is chosen is `reader`, which reads what they are made of: `set`
// says that.
absl::StatusOr<bool> EmitReading(
    const Node& convolution, Layout layout, absl::string_view reader,
    PlanBuilder& builder, absl::FunctionRef<void(ConvolutionProblem&)> set) {
  if (builder.IsDone(convolution)) return false;
  auto problem = ConvolutionProblemOf(convolution);
  if (!problem.has_value() || problem->result.Count() == 0) return false;
  problem->data_layout = layout;
  problem->layout_for = &LayoutFor;
  DOVETAIL_ASSIGN_OR_RETURN(
      const KernelChoice choice,
      ChooseKernel<ConvolutionProblem>(kKernels, *problem, builder,
                                       builder.WantedKernel(convolution)));
  if (!choice.offer || choice.name != reader) return false;
  set(*problem);
  builder.SetDone(convolution);
  return EmitFirst<ConvolutionProblem>(kKernels, convolution, *problem,
                                       builder);
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
  if (!picture) return false;
  return EmitReading(*picture->convolution, Layout::kChannelsLast,
                     kReadsPictures, builder,
                     [&](ConvolutionProblem& p) { p.picture = &*picture; });
}

absl::StatusOr<bool> EmitQuantizedPicture(const Node& node,
                                          PlanBuilder& builder) {
  const auto picture = QuantizedPictureFrom(node, builder);
  if (!picture) return false;
  return EmitReading(
      *picture->convolution, Layout::kPlanar, kReadsQuantizedPictures, builder,
      [&](ConvolutionProblem& p) { p.quantized_picture = &*picture; });
}

bool ConvolutionReadsBytes(const Node& node) {
  const auto problem = ConvolutionProblemOf(node);
  return problem.has_value() && problem->is_integer();
}

}  // namespace dovetail::cpu
