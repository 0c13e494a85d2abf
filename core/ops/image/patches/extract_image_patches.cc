#include "dovetail/core/ops/image/patches/extract_image_patches.h"

#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"

namespace dovetail {
namespace {

absl::Status CheckPair(const InferContext& context, absl::string_view name,
                       const std::vector<int64_t>& values) {
  if (values.size() != 2) {
    return context.Error("attribute '", name, "' has ", values.size(),
                         " values, want one for the height and one for the "
                         "width");
  }
  for (int64_t value : values) {
    if (value < 1 || value > kMaxWindowNumber) {
      return context.Error("attribute '", name, "' has the value ", value,
                           ", want 1 to ", kMaxWindowNumber);
    }
  }
  return absl::OkStatus();
}

absl::Status CheckAttributes(const InferContext& context,
                             const ExtractImagePatchesAttributes& attributes) {
  const SlidingWindow& window = attributes.window;
  DOVETAIL_RETURN_IF_ERROR(CheckPair(context, "sizes", attributes.sizes));
  DOVETAIL_RETURN_IF_ERROR(CheckPair(context, "strides", window.strides));
  DOVETAIL_RETURN_IF_ERROR(CheckPair(context, "rates", window.dilations));
  if (window.auto_pad == AutoPad::kExplicit) {
    return context.Error("attribute 'auto_pad' is explicit, want same_upper, "
                         "same_lower or valid");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status InferExtractImagePatches(InferContext& context) {
  const auto& attributes =
      context.attributes<ExtractImagePatchesAttributes>();
  DOVETAIL_RETURN_IF_ERROR(CheckAttributes(context, attributes));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 0, 4));
  PartialShape data = context.shape(0);
  if (!data.rank_known()) data = PartialShape::OfRank(4);
  PartialShape output = {data[0]};
  output.push_back(data[1] * Dimension(attributes.sizes[0]) *
                   Dimension(attributes.sizes[1]));
  for (int axis = 0; axis < 2; ++axis) {
    // Where not one patch fits, there is none.
    const int64_t span =
        (attributes.sizes[axis] - 1) * attributes.window.dilations[axis] + 1;
    const bool valid = attributes.window.auto_pad == AutoPad::kValid;
    if (valid && data[2 + axis].max() < span) {
      output.push_back(Dimension(0));
      continue;
    }
    DOVETAIL_ASSIGN_OR_RETURN(
        const Dimension count,
        WindowCount(context, attributes.window, axis, data[2 + axis],
                    attributes.sizes[axis]));
    const bool may_be_none = valid && data[2 + axis].min() < span;
    output.push_back(may_be_none ? Dimension(0, count.max()) : count);
  }
  context.SetOutput(0, context.type(0), std::move(output));
  return absl::OkStatus();
}

}  // namespace dovetail
