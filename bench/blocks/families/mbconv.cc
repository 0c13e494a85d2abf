#include "dovetail/bench/blocks/families/families.h"
#include "dovetail/bench/blocks/layers.h"

namespace dovetail::blocks {
namespace {

Value Swish(BlockBuilder& b, Value x) { return b.Make("Swish", {x}); }

Value Squeeze(BlockBuilder& b, Value x, int64_t narrow) {
  const Value mean = b.Reduce("ReduceMean", x, {2, 3});
  const Value inner = Swish(b, Convolution(b, mean, narrow));
  const Value gate =
      b.Make("Sigmoid", {Convolution(b, inner, Extent(x, 1))});
  return b.Multiply(x, gate);
}

Value Mbconv(BlockBuilder& b, Value x, int64_t kernel, int64_t stride) {
  const int64_t channels = Extent(x, 1);
  const Value expanded = Swish(b, Convolution(b, x, channels * 4));
  const Value inner = Swish(b, Depthwise(b, expanded, kernel, stride));
  const Value squeezed = Squeeze(b, inner, channels / 4);
  const Value projected = Convolution(b, squeezed, channels);
  return stride == 1 ? b.Add(projected, x) : projected;
}

}  // namespace

void BuildMbconv(BlockBuilder& b, const Size& size) {
  const int64_t kernel = size.variant % 2 == 0 ? 3 : 5;
  Value x = b.Input({1, size.channels, size.extent, size.extent});
  x = Mbconv(b, x, kernel, 2);
  for (int64_t i = 0; i < size.depth; ++i) x = Mbconv(b, x, kernel, 1);
  b.Output(x);
}

}  // namespace dovetail::blocks
