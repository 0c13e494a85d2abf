#include <string>

#include "dovetail/bench/blocks/families/families.h"
#include "dovetail/bench/blocks/heads.h"
#include "dovetail/bench/blocks/layers.h"

namespace dovetail::blocks {
namespace {

constexpr int64_t kWindow = 7;

// [1, extent, extent, channels] as [windows, 49, channels].
Value ToWindows(BlockBuilder& b, Value x) {
  const int64_t count = Extent(x, 1) / kWindow, channels = Extent(x, 3);
  const Value parts =
      b.ReshapeTo(x, {1, count, kWindow, count, kWindow, channels});
  return b.ReshapeTo(b.Transpose(parts, {0, 1, 3, 2, 4, 5}),
                     {count * count, kWindow * kWindow, channels});
}

Value FromWindows(BlockBuilder& b, Value x, int64_t extent) {
  const int64_t count = extent / kWindow, channels = Extent(x, 2);
  const Value parts =
      b.ReshapeTo(x, {1, count, count, kWindow, kWindow, channels});
  return b.ReshapeTo(b.Transpose(parts, {0, 1, 3, 2, 4, 5}),
                     {1, extent, extent, channels});
}

Value Roll(BlockBuilder& b, Value x, int64_t by) {
  return b.Make("Roll", {x, b.Ints({by, by}), b.Ints({1, 2})});
}

using Attention = Value (*)(BlockBuilder& b, Value x, Value bias);

void BuildWindows(BlockBuilder& b, const Size& size, Attention attention) {
  const int64_t extent = (size.extent + kWindow - 1) / kWindow * kWindow;
  const bool is_shifted = size.variant % 2 == 1;
  Value x = b.Input({1, extent, extent, size.channels});
  for (int64_t i = 0; i < size.depth; ++i) {
    Value y = LayerNorm(b, x);
    if (is_shifted) y = Roll(b, y, -kWindow / 2);
    const int64_t steps = kWindow * kWindow;
    const Value bias =
        b.Floats({1, size.channels / kHeadSize, steps, steps}, -1, 1);
    y = FromWindows(b, attention(b, ToWindows(b, y), bias), extent);
    if (is_shifted) y = Roll(b, y, kWindow / 2);
    x = FeedForward(b, b.Add(x, y));
  }
  b.Output(x);
}

}  // namespace

void BuildWindowMatMul(BlockBuilder& b, const Size& size) {
  BuildWindows(b, size, &SelfAttentionByMatMul);
}

void BuildWindowEinsum(BlockBuilder& b, const Size& size) {
  BuildWindows(b, size, &SelfAttentionByEinsum);
}

}  // namespace dovetail::blocks
