// Inputs that convolutions and matrix products have to be given so that they
// can be computed with integers.
#ifndef DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_ANALYSIS_LINEAR_H_
#define DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_ANALYSIS_LINEAR_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/core/graph/node.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/transformations/low_precision/analysis/quantization_params.h"

namespace dovetail {

// Whether the node is Convolution or ConvolutionBackpropData, both also of
// groups, or MatMul.
bool IsLinear(const Node& node);

// How the weights of a linear operation lie in memory: the element of output
// channel group * channels + c is at
//   ((group * outer + i) * channels + c) * inner + k.
struct WeightsLayout {
  int64_t groups = 1, outer = 1, channels = 1, inner = 1;
  // What scales of output channels are shaped like to be multiplied with the
  // weights; the extents that are not 1 are those of channels.
  Shape scale_shape;

  int64_t output_channels() const { return groups * channels; }
};

// Matrices of weights, as of several experts, are groups. Nothing for other
// operations, weights of unknown shape, and matrices along several axes.
std::optional<WeightsLayout> WeightsLayoutOf(const Node& linear);

// Weights in the form that QuantizeWeights leaves:
// Multiply(Convert(Constant i8), scale), the scale a scalar or one for each
// output channel.
struct IntegerWeights {
  Value converted;           // the integers as f32
  const Tensor* integers;    // i8, as long as the constant is in its model
  std::vector<float> scale;  // 1, or one for each output channel
};
std::optional<IntegerWeights> MatchIntegerWeights(const Node& linear);

// Whether data of these quantization parameters can be the first input as
// integers. Channels with scales of their own stay apart only in convolutions
// with a group for each; and where zeros are put in, 0 has to be representable.
bool AcceptsData(const Node& linear, const QuantizationParams& params);
// Whether a product of two matrices that are both data can be of integers: the
// second ones have to be i8 without a zero point.
bool AcceptsFactors(const Node& matmul, const QuantizationParams& a,
                    const QuantizationParams& b);

// Whether every output is made of equally many elements of the data, none of
// them padding, so that a shift of the data is one of the output.
bool IsUnpadded(const Node& linear);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_ANALYSIS_LINEAR_H_
