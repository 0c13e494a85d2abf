#include "dovetail/transformations/low_precision/weights/compressed_convolution.h"

#include "dovetail/transformations/common/constants.h"

namespace dovetail {
namespace {

// Whether a constant that broadcasts to weights of that rank, or none, is the
// same along all axes but one.
bool VariesOnlyAlong(int axis, Value constant, int rank) {
  if (!constant) return true;
  const Shape& shape = ConstantOf(constant)->shape();
  for (int own = 0; own < shape.rank(); ++own) {
    if (shape[own] != 1 && own + rank - shape.rank() != axis) return false;
  }
  return true;
}

}  // namespace

std::optional<Decompression> MatchCompressedConvolution(const Node& node) {
  const bool is_transposed = node.Is("ConvolutionBackpropData");
  if ((!is_transposed && !node.Is("Convolution")) ||
      ConstantOf(node.input(0)) != nullptr) {
    return std::nullopt;
  }
  const auto found = MatchDecompression(node.input(1));
  if (!found.has_value() || !IsInteger(found->constant.type())) {
    return std::nullopt;
  }
  const Shape& stored = ConstantOf(found->constant)->shape();
  const auto shape = node.input(1).shape().ToShape();
  if (!shape.ok() || *shape != stored) return std::nullopt;
  const int outputs = is_transposed ? 1 : 0;
  if (!VariesOnlyAlong(outputs, found->scale, stored.rank()) ||
      !VariesOnlyAlong(outputs, found->zero_point, stored.rank())) {
    return std::nullopt;
  }
  return found;
}

}  // namespace dovetail
