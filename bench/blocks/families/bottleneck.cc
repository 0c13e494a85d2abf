#include "dovetail/bench/blocks/families/families.h"
#include "dovetail/bench/blocks/layers.h"

namespace dovetail::blocks {
namespace {

Value Relu(BlockBuilder& b, Value x) { return b.Make("Relu", {x}); }

Value Bottleneck(BlockBuilder& b, Value x, int64_t outputs, int64_t stride) {
  const int64_t narrow = outputs / 4;
  const Value reduced = Relu(b, Convolution(b, x, narrow));
  const Value inner = Relu(
      b, Convolution(b, reduced, narrow, {.kernel = 3, .stride = stride}));
  const Value expanded = Convolution(b, inner, outputs);
  const Value skipped =
      stride == 1 ? x : Convolution(b, x, outputs, {.stride = stride});
  return Relu(b, b.Add(expanded, skipped));
}

}  // namespace

void BuildBottleneck(BlockBuilder& b, const Size& size) {
  Value x = b.Input({1, size.channels, size.extent, size.extent});
  for (int64_t i = 0; i < size.depth; ++i) x = Bottleneck(b, x, size.channels, 1);
  b.Output(Bottleneck(b, x, size.channels * 2, 2));
}

}  // namespace dovetail::blocks
