#include "dovetail/backends/vpu/compiler/shave_products.h"

#include "dovetail/backends/vpu/compiler/engine_layers.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/op_type.h"
#include "dovetail/core/tensor/shapes/shape.h"

namespace dovetail::vpu {
namespace {

// Which inputs are what.
struct Recurrent {
  OpType type;
  int weights, recurrent_weights;
};

constexpr Recurrent kRecurrent[] = {
    {"LSTMCell", 3, 4},     {"GRUCell", 2, 3},     {"RNNCell", 2, 3},
    {"LSTMSequence", 4, 5}, {"GRUSequence", 3, 4}, {"RNNSequence", 3, 4},
};

struct Convolution {
  OpType type;
  int weights;    // input
  int leading;    // dimensions of the weights that name channels of `side`
  bool by_input;  // each element of the input, not of the output, has its
                  // products
};

constexpr Convolution kConvolutions[] = {
    {"ConvolutionBackpropData", 1, 1, true},
    {"GroupConvolutionBackpropData", 1, 2, true},
    {"BinaryConvolution", 1, 1, false},
    {"DeformableConvolution", 2, 1, false},
};

absl::StatusOr<Shape> InputShape(const Node& node, int i) {
  return StaticShape(node, node.input(i).shape());
}

// Each row of the input, a time step of an image, meets all weights once.
absl::StatusOr<int64_t> OfRecurrent(const Node& node, const Recurrent& which) {
  DOVETAIL_ASSIGN_OR_RETURN(const Shape data, InputShape(node, 0));
  DOVETAIL_ASSIGN_OR_RETURN(const Shape weights,
                            InputShape(node, which.weights));
  DOVETAIL_ASSIGN_OR_RETURN(const Shape recurrent,
                            InputShape(node, which.recurrent_weights));
  const int64_t rows = data.Count() / data[data.rank() - 1];
  return rows * (weights.Count() + recurrent.Count());
}

absl::StatusOr<int64_t> OfConvolution(const Node& node,
                                      const Convolution& which) {
  DOVETAIL_ASSIGN_OR_RETURN(const Shape weights,
                            InputShape(node, which.weights));
  DOVETAIL_ASSIGN_OR_RETURN(
      const Shape side, which.by_input ? InputShape(node, 0)
                                       : StaticShape(node, node.port(0).shape));
  return side.Count() * weights.Count(which.leading, weights.rank());
}

}  // namespace

absl::StatusOr<std::optional<int64_t>> ShaveProducts(const Node& node) {
  for (const Recurrent& which : kRecurrent) {
    if (node.Is(which.type)) return OfRecurrent(node, which);
  }
  for (const Convolution& which : kConvolutions) {
    if (node.Is(which.type)) return OfConvolution(node, which);
  }
  return std::nullopt;
}

}  // namespace dovetail::vpu
