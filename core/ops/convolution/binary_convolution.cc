#include "dovetail/core/ops/convolution/binary_convolution.h"

#include <cmath>
#include <optional>

#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/convolution/kernel_shape.h"

namespace dovetail {
namespace {

constexpr EnumName kModeNames[] = {
    {static_cast<int>(BinaryConvolutionMode::kXnorPopcount), "xnor-popcount"},
};

// Far beyond what makes sense, but sums of it fit an integer.
constexpr double kMaxPadValue = 1e6;

}  // namespace

absl::Span<const EnumName> EnumNames(BinaryConvolutionMode) {
  return kModeNames;
}

absl::Status InferBinaryConvolution(InferContext& context) {
  const auto& attributes = context.attributes<BinaryConvolutionAttributes>();
  const SlidingWindow& window = attributes.window;
  if (!(std::abs(attributes.pad_value) <= kMaxPadValue)) {
    return context.Error("attribute 'pad_value' is ", attributes.pad_value,
                         ", want a number of at most ", kMaxPadValue);
  }
  DOVETAIL_RETURN_IF_ERROR(RequireType(context, 1, ElementType::kU1));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 0, 4));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 1, 4));
  DOVETAIL_RETURN_IF_ERROR(
      CheckWindow(context, window, 2, /*pads_not_negative=*/false));
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::optional<ConvolutionShapes> shapes,
      ReadConvolutionShapes(context, window, KernelLayout::kOutIn));
  PartialShape output = PartialShape::OfRank(4);
  if (shapes.has_value()) {
    DOVETAIL_ASSIGN_OR_RETURN(output, ConvolvedShape(context, window, *shapes));
  }
  context.SetOutput(0, context.type(0), std::move(output));
  return absl::OkStatus();
}

}  // namespace dovetail
