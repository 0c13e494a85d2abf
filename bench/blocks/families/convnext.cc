#include "dovetail/bench/blocks/families/families.h"
#include "dovetail/bench/blocks/layers.h"

namespace dovetail::blocks {
namespace {

Value Convnext(BlockBuilder& b, Value x) {
  const int64_t channels = Extent(x, 1);
  const Value mixed = b.Transpose(Depthwise(b, x, 7), {0, 2, 3, 1});
  const Value wide = Linear(b, LayerNorm(b, mixed), channels * 4);
  const Value narrow = Linear(b, b.Make("Gelu", {wide}), channels);
  const Value scaled = b.Multiply(narrow, b.Floats({channels}, 0.1, 0.5));
  return b.Add(x, b.Transpose(scaled, {0, 3, 1, 2}));
}

}  // namespace

void BuildConvnext(BlockBuilder& b, const Size& size) {
  Value x = b.Input({1, size.channels, size.extent, size.extent});
  for (int64_t i = 0; i < size.depth; ++i) x = Convnext(b, x);
  b.Output(x);
}

}  // namespace dovetail::blocks
