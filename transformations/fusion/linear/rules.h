// Arithmetic around convolutions and matrix multiplications with constant
// weights, taken into the weights.
#ifndef DOVETAIL_TRANSFORMATIONS_FUSION_LINEAR_RULES_H_
#define DOVETAIL_TRANSFORMATIONS_FUSION_LINEAR_RULES_H_

#include "absl/types/span.h"
#include "dovetail/transformations/common/node_rules.h"

namespace dovetail {

// BatchNormInference of constants as Multiply and Add.
absl::Span<const NodeRule> BatchNormFusions();
// Transposes of what MatMul multiplies.
absl::Span<const NodeRule> MatMulTransposeFusions();
// Products of joined channels as sums of products of each part: not a part of
// AddFusionPasses.
absl::Span<const NodeRule> ConvolutionsOfParts();
// Groups of few channels as fewer: not a part of AddFusionPasses.
absl::Span<const NodeRule> MergedGroupsOfFewChannels();
// Products of few columns along an axis that a Transpose moves behind.
absl::Span<const NodeRule> MiddleAxisFusions();
// Channels that make a few each by themselves: not a part of AddFusionPasses.
absl::Span<const NodeRule> MultipliedChannels();
// Convolutions of one input that are added.
absl::Span<const NodeRule> ParallelFusions();
// Pad before convolutions and pools.
absl::Span<const NodeRule> PadFusions();
// Quantized convolutions of one element by channel as products: not a part of
// AddFusionPasses.
absl::Span<const NodeRule> QuantizedChannelScales();
// A factor, or a term, for each channel before or behind.
absl::Span<const NodeRule> ScaleFusions();
// Convolutions of patches as of pixels: not a part of AddFusionPasses.
absl::Span<const NodeRule> PatchConvolutions();
// Taps of convolutions that see nothing but padding, left out.
absl::Span<const NodeRule> UnseenTapFusions();

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_FUSION_LINEAR_RULES_H_
