// Weights of convolutions that are stored in few bits.
#ifndef DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_WEIGHTS_COMPRESSED_CONVOLUTION_H_
#define DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_WEIGHTS_COMPRESSED_CONVOLUTION_H_

#include <optional>

#include "dovetail/core/graph/node.h"
#include "dovetail/transformations/low_precision/weights/compressed_weights.h"

namespace dovetail {

// The second input of a Convolution or a ConvolutionBackpropData, integers that
// are stored in its own shape; scale and zero point are one number, or one for
// each output channel. Nothing for other nodes, and for weights of another
// form.
std::optional<Decompression> MatchCompressedConvolution(const Node& node);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_WEIGHTS_COMPRESSED_CONVOLUTION_H_
