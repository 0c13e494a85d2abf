// Weights of matrix products, and tables that rows are gathered from, that are
// stored in few bits to save memory, while the data are floats.
#ifndef DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_WEIGHTS_COMPRESSED_WEIGHTS_H_
#define DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_WEIGHTS_COMPRESSED_WEIGHTS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/core/graph/node.h"

namespace dovetail {

// Whether elements of the type are codes of sixteen floats: nf4 and f4e2m1.
bool IsCodeBook(ElementType type);

// (constant - zero_point) * scale, both of which broadcast to the constant, and
// then perhaps another shape.
struct Decompression {
  // A constant of integers of at most 8 bits, or of a type of IsCodeBook: who
  // has no kernels for these declines them.
  Value constant;
  // Constants of any numeric type. Empty: 1, and 0.
  Value scale;
  Value zero_point;
  // In which the numbers are computed.
  ElementType type = ElementType::kDynamic;
  bool is_reshaped = false;
  // Conversions of the constant and, if it has one, of the zero point.
  std::vector<Node*> conversions;
};
// What the value is; nothing for others.
std::optional<Decompression> MatchDecompression(Value value);

// Its shape is that which the product takes,
// […, N, K] when it transposes its second input and else […, K, N]. In groups,
// the constant has K as two axes, […, N, K / group_size, group_size] or
// […, K / group_size, group_size, N].
struct CompressedWeights : Decompression {
  // How many weights in a row along K share a scale and a zero point; K when
  // all of them do.
  int64_t group_size = 0;
  bool is_grouped = false;
};

// The second input of a MatMul. Nothing for other nodes, and for weights of
// another form.
std::optional<CompressedWeights> MatchCompressedWeights(const Node& matmul);

// The constant of f16, of two axes at least, whose numbers as f32 are the
// second input of a MatMul. The empty Value for others.
Value MatchF16Weights(const Node& matmul);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_WEIGHTS_COMPRESSED_WEIGHTS_H_
