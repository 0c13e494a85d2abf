// Weights of matrix products that are stored in few bits to save memory, while
// the data are floats.
#ifndef DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_COMPRESSED_WEIGHTS_H_
#define DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_COMPRESSED_WEIGHTS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/core/graph/node.h"

namespace dovetail {

// The weights are (constant - zero_point) * scale, both of which broadcast to
// the constant, and then perhaps another shape: that which the product takes,
// […, N, K] when it transposes its second input and else […, K, N]. In groups,
// the constant has K as two axes, […, N, K / group_size, group_size] or
// […, K / group_size, group_size, N].
struct CompressedWeights {
  // A constant of integers of at most 8 bits.
  Value constant;
  // Constants of any numeric type. Empty: 1, and 0.
  Value scale;
  Value zero_point;
  // How many weights in a row along K share a scale and a zero point; K when
  // all of them do.
  int64_t group_size = 0;
  bool is_grouped = false;
  // Conversions of the constant and, if it has one, of the zero point.
  std::vector<Node*> conversions;
};

// The second input of a MatMul. Nothing for other nodes, and for weights of
// another form.
std::optional<CompressedWeights> MatchCompressedWeights(const Node& matmul);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_COMPRESSED_WEIGHTS_H_
