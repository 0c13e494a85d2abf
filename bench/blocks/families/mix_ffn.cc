#include "dovetail/bench/blocks/families/families.h"
#include "dovetail/bench/blocks/layers.h"

namespace dovetail::blocks {
namespace {

Value MixFfn(BlockBuilder& b, Value x, int64_t extent) {
  const int64_t channels = Extent(x, -1), wide = channels * 4;
  const int64_t steps = extent * extent;
  const Value expanded = Linear(b, LayerNorm(b, x), wide);
  const Value image = b.ReshapeTo(b.Transpose(expanded, {0, 2, 1}),
                                  {1, wide, extent, extent});
  const Value mixed =
      b.ReshapeTo(Depthwise(b, image, 3), {1, wide, steps});
  const Value active = b.Make("Gelu", {b.Transpose(mixed, {0, 2, 1})});
  return b.Add(x, Linear(b, active, channels));
}

}  // namespace

void BuildMixFfn(BlockBuilder& b, const Size& size) {
  Value x = b.Input({1, size.extent * size.extent, size.channels});
  for (int64_t i = 0; i < size.depth; ++i) x = MixFfn(b, x, size.extent);
  b.Output(x);
}

}  // namespace dovetail::blocks
