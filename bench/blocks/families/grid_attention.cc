#include "dovetail/bench/blocks/families/families.h"
#include "dovetail/bench/blocks/heads.h"
#include "dovetail/bench/blocks/layers.h"

namespace dovetail::blocks {
namespace {

constexpr int64_t kGrid = 7;

// [1, channels, extent, extent] as [places, 49, channels]: pixels that are
// extent / 7 apart are together.
Value ToGrids(BlockBuilder& b, Value x) {
  const int64_t channels = Extent(x, 1), count = Extent(x, 2) / kGrid;
  const Value parts =
      b.ReshapeTo(x, {1, channels, kGrid, count, kGrid, count});
  return b.ReshapeTo(b.Transpose(parts, {0, 3, 5, 2, 4, 1}),
                     {count * count, kGrid * kGrid, channels});
}

Value FromGrids(BlockBuilder& b, Value x, int64_t extent) {
  const int64_t channels = Extent(x, 2), count = extent / kGrid;
  const Value parts =
      b.ReshapeTo(x, {1, count, count, kGrid, kGrid, channels});
  return b.ReshapeTo(b.Transpose(parts, {0, 5, 3, 1, 4, 2}),
                     {1, channels, extent, extent});
}

}  // namespace

void BuildGridAttention(BlockBuilder& b, const Size& size) {
  const int64_t extent = (size.extent + kGrid - 1) / kGrid * kGrid;
  Value x = b.Input({1, size.channels, extent, extent});
  for (int64_t i = 0; i < size.depth; ++i) {
    x = b.Add(x, Convolution(b, b.Make("Swish", {Depthwise(b, x, 3)}),
                             size.channels));
    const Value grids = ToGrids(b, x);
    const Value mixed = b.Add(
        grids, SelfAttentionByMatMul(b, LayerNorm(b, grids), Value{}));
    x = FromGrids(b, FeedForward(b, mixed), extent);
  }
  b.Output(x);
}

}  // namespace dovetail::blocks
