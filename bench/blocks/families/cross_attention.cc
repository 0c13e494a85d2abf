#include "dovetail/bench/blocks/families/families.h"
#include "dovetail/bench/blocks/heads.h"
#include "dovetail/bench/blocks/layers.h"

namespace dovetail::blocks {
namespace {

constexpr int64_t kContextSteps = 77, kContextChannels = 128;

// Four times as wide channels, half of them as gates.
Value GatedForward(BlockBuilder& b, Value x) {
  const int64_t channels = Extent(x, -1);
  const Value wide = Linear(b, LayerNorm(b, x), channels * 8);
  const Value values = b.Slice(wide, -1, 0, channels * 4);
  const Value gates = b.Slice(wide, -1, channels * 4, channels * 8);
  return b.Add(
      x, Linear(b, b.Multiply(values, b.Make("Gelu", {gates})), channels));
}

}  // namespace

void BuildCrossAttention(BlockBuilder& b, const Size& size) {
  const int64_t channels = size.channels;
  Value x = b.Input({1, size.extent, channels});
  const Value context = b.Input({1, kContextSteps, kContextChannels});
  for (int64_t i = 0; i < size.depth; ++i) {
    const Value q = ToHeads(b, Projection(b, LayerNorm(b, x), channels));
    const Value k = ToHeads(b, Projection(b, context, channels));
    const Value v = ToHeads(b, Projection(b, context, channels));
    const Value mixed =
        size.variant % 2 == 1
            ? b.Make("ScaledDotProductAttention", {q, k, v})
            : MatMulAttention(b, q, k, v, Value{});
    x = b.Add(x, Linear(b, FromHeads(b, mixed), channels));
    x = GatedForward(b, x);
  }
  b.Output(x);
}

}  // namespace dovetail::blocks
