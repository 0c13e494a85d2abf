#include "dovetail/core/ops/convolution/deformable_convolution.h"

#include <optional>

#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/convolution/kernel_shape.h"

namespace dovetail {
namespace {

using BaseAttributes = DeformableConvolutionAttributes;

absl::Status CheckGroups(const InferContext& context,
                         const BaseAttributes& attributes) {
  if (attributes.group < 1 || attributes.group > kMaxWindowNumber) {
    return context.Error("attribute 'group' is ", attributes.group,
                         ", want 1 to ", kMaxWindowNumber);
  }
  const int64_t deformable = attributes.deformable_group;
  if (deformable < 1 || deformable > kMaxWindowNumber) {
    return context.Error("attribute 'deformable_group' is ", deformable,
                         ", want 1 to ", kMaxWindowNumber);
  }
  return absl::OkStatus();
}

// An extent that has to be a multiple of a number of groups.
absl::Status CheckDivides(const InferContext& context, int input, int axis,
                          int64_t groups, absl::string_view attribute) {
  const PartialShape& shape = context.shape(input);
  if (!shape.rank_known() || shape[axis].is_dynamic() ||
      shape[axis].value() % groups == 0) {
    return absl::OkStatus();
  }
  return context.Error("input ", input, " has shape ", shape.ToString(),
                       ", want extent ", axis, " to be a multiple of '",
                       attribute, "' = ", groups);
}

// Offsets or mask: [N, deformable_group * h * w * `numbers`, Ho, Wo]. What they
// tell of the output [N, O, Ho, Wo] goes into it.
absl::Status ReadOffsets(const InferContext& context, int input,
                         const ConvolutionShapes& shapes, int64_t numbers,
                         PartialShape& output) {
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, input, 4));
  const PartialShape& shape = context.shape(input);
  if (!shape.rank_known()) return absl::OkStatus();
  const int64_t groups =
      DeformableAttributesOf(context.node()).deformable_group;
  const PartialShape want = {
      output[0],
      shapes.kernel[0] * shapes.kernel[1] * Dimension(groups) *
          Dimension(numbers),
      output[2], output[3]};
  if (!shape.Compatible(want)) {
    return context.Error("input ", input, " has shape ", shape.ToString(),
                         ", want ", want.ToString());
  }
  const PartialShape both = *Intersect(shape, want);
  for (int axis : {0, 2, 3}) output[axis] = both[axis];
  return absl::OkStatus();
}

absl::Status CheckTypesAndRanks(const InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(
      RequireSameType(context, 0, context.input_count() - 1).status());
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 0, 4));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 1, 4));
  return RequireRank(context, 2, 4);
}

}  // namespace

const BaseAttributes& DeformableAttributesOf(const Node& node) {
  if (const auto* newer = node.As<DeformableConvolution8Attributes>()) {
    return newer->base;
  }
  return *node.As<BaseAttributes>();
}

absl::Status InferDeformableConvolution(InferContext& context) {
  const BaseAttributes& attributes = DeformableAttributesOf(context.node());
  const SlidingWindow& window = attributes.window;
  DOVETAIL_RETURN_IF_ERROR(CheckTypesAndRanks(context));
  DOVETAIL_RETURN_IF_ERROR(CheckGroups(context, attributes));
  DOVETAIL_RETURN_IF_ERROR(
      CheckWindow(context, window, 2, /*pads_not_negative=*/false));
  DOVETAIL_RETURN_IF_ERROR(CheckDivides(
      context, 0, 1, attributes.deformable_group, "deformable_group"));
  DOVETAIL_RETURN_IF_ERROR(
      CheckDivides(context, 2, 0, attributes.group, "group"));
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::optional<ConvolutionShapes> shapes,
      ReadConvolutionShapes(context, window, KernelLayout::kOutIn,
                            /*kernel_input=*/2, attributes.group));
  PartialShape output = PartialShape::OfRank(4);
  if (shapes.has_value()) {
    DOVETAIL_ASSIGN_OR_RETURN(output, ConvolvedShape(context, window, *shapes));
    DOVETAIL_RETURN_IF_ERROR(ReadOffsets(context, 1, *shapes, 2, output));
    if (context.has_input(3)) {
      DOVETAIL_RETURN_IF_ERROR(ReadOffsets(context, 3, *shapes, 1, output));
    }
  }
  context.SetOutput(0, context.type(0), std::move(output));
  return absl::OkStatus();
}

}  // namespace dovetail
