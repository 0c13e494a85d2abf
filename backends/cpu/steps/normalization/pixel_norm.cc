#include "dovetail/backends/cpu/steps/normalization/pixel_norm.h"

#include <optional>
#include <vector>

#include "dovetail/backends/cpu/compiler/channel_constants.h"
#include "dovetail/backends/cpu/steps/normalization/channels_last_step.h"
#include "dovetail/backends/cpu/steps/normalization/pixel_epilogue.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {

absl::Status EmitPixelNorm(const Node& node, const PixelNorm& norm,
                           PlanBuilder& builder) {
  const Value data = node.input(0);
  const Shape shape = PlanBuilder::ShapeOf(data);
  const PixelShape pixels = PixelsOf(shape, norm.layout, norm.groups);
  const bool may_be_narrow = MayBeNarrow(pixels);
  PixelTypes types;
  if (may_be_narrow && builder.FormatOf(data).type == ElementType::kBf16) {
    types.input = ElementType::kBf16;
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Operand input,
                            builder.Read(data, {types.input, norm.layout}));
  const FoundPixelEpilogue follows = FindPixelEpilogue(norm.result, builder);
  std::vector<Operand> inputs = {input, norm.scale, norm.shift};
  std::optional<PixelEpilogue> epilogue;
  if (follows.epilogue.size() > 0) {
    DOVETAIL_ASSIGN_OR_RETURN(inputs.emplace_back(),
                              AddChannelConstants(builder, follows.numbers));
    builder.Fuse(follows.epilogue.nodes());
    epilogue = follows.form;
  }
  const Value result = follows.epilogue.result();
  types.output = follows.form.output_type;
  if (types.output == ElementType::kF32 && may_be_narrow) {
    types.output = builder.StoredTypeOf(result);
  }
  const Operand output = builder.Write(result, {types.output, norm.layout});
  if (types.input == ElementType::kF32 && types.output == ElementType::kF32) {
    builder.AllowInPlace(output, input);
  }
  builder.Add(
      node, norm.name,
      MakeChannelsLastStep(shape[0], pixels, norm.options, types, epilogue),
      inputs, {output},
      builder.Scratch(ChannelsLastScratchBytes(shape[0], pixels)));
  return absl::OkStatus();
}

}  // namespace dovetail::cpu
