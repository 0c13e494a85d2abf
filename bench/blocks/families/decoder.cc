#include <cmath>
#include <vector>

#include "dovetail/bench/blocks/families/families.h"
#include "dovetail/bench/blocks/heads.h"
#include "dovetail/bench/blocks/layers.h"

namespace dovetail::blocks {
namespace {

constexpr int64_t kDecoderHead = 64;

// Rotates pairs of [1, heads, steps, 64] by angles of their positions.
class Rotation {
 public:
  Rotation(BlockBuilder& b, Value positions) : b_(b) {  // i64 [1, steps]
    std::vector<double> frequencies;
    for (int64_t i = 0; i < kDecoderHead / 2; ++i) {
      frequencies.push_back(std::pow(10000.0, -2.0 * i / kDecoderHead));
    }
    const auto constant = Tensor::FromDoubles(
        ElementType::kF32, {1, kDecoderHead / 2, 1}, frequencies);
    const Value steps = b.Unsqueeze(b.Convert(positions, ElementType::kF32),
                                    {1});  // [1, 1, steps]
    const Value half =
        b.Transpose(b.MatMul(b.Constant(*constant), steps), {0, 2, 1});
    const Value angles = b.Concat({half, half}, -1);
    cosines_ = b.Unsqueeze(b.Make("Cos", {angles}), {1});
    sines_ = b.Unsqueeze(b.Make("Sin", {angles}), {1});
  }

  Value Rotate(Value x) const {
    const Value low = b_.Slice(x, -1, 0, kDecoderHead / 2);
    const Value high = b_.Slice(x, -1, kDecoderHead / 2, NodeBuilder::kEnd);
    const Value turned = b_.Concat({b_.Multiply(high, -1.0), low}, -1);
    return b_.Add(b_.Multiply(x, cosines_), b_.Multiply(turned, sines_));
  }

 private:
  BlockBuilder& b_;
  Value cosines_, sines_;
};

// Each head of [1, heads / 4, steps, 64] four times.
Value Repeat(BlockBuilder& b, Value x) {
  const int64_t heads = Extent(x, 1), steps = Extent(x, 2);
  const Value repeated = b.Make(
      "Broadcast",
      {b.Unsqueeze(x, {2}), b.Ints({1, heads, 4, steps, kDecoderHead})},
      {{"mode", std::string("bidirectional")}});
  return b.ReshapeTo(repeated, {1, heads * 4, steps, kDecoderHead});
}

// What was there before, an input, and `x` behind it: an output too.
Value Append(BlockBuilder& b, Value x, int64_t past) {
  if (past > 0) {
    const Value before = b.Input({1, Extent(x, 1), past, kDecoderHead});
    x = b.Concat({before, x}, 2);
  }
  b.Output(x);
  return x;
}

Value Attend(BlockBuilder& b, Value x, const Rotation& rotation, Value mask,
             int64_t past) {
  const int64_t channels = Extent(x, -1);
  const Value q = rotation.Rotate(
      ToHeads(b, Projection(b, x, channels), kDecoderHead));
  const Value k = rotation.Rotate(
      ToHeads(b, Projection(b, x, channels / 4), kDecoderHead));
  const Value v = ToHeads(b, Projection(b, x, channels / 4), kDecoderHead);
  const Value keys = Repeat(b, Append(b, k, past));
  const Value values = Repeat(b, Append(b, v, past));
  const Value mixed =
      b.Make("ScaledDotProductAttention", {q, keys, values, mask});
  return Projection(b, FromHeads(b, mixed), channels);
}

Value GatedForward(BlockBuilder& b, Value x) {
  const int64_t channels = Extent(x, -1);
  const Value gates = b.Make("Swish", {Projection(b, x, channels * 3)});
  const Value values = Projection(b, x, channels * 3);
  return Projection(b, b.Multiply(gates, values), channels);
}

}  // namespace

void BuildDecoder(BlockBuilder& b, const Size& size) {
  const bool reads_all = size.variant % 2 == 1;
  const int64_t steps = reads_all ? size.extent : 1;
  const int64_t past = reads_all ? 0 : size.extent;
  // Whole groups of four heads.
  const int64_t channels = (size.channels + 255) / 256 * 256;
  Value x = b.Input({1, steps, channels});
  const Rotation rotation(b, b.Input({1, steps}, ElementType::kI64));
  const Value mask = b.Input({1, 1, steps, past + steps});
  for (int64_t i = 0; i < size.depth; ++i) {
    x = b.Add(x, Attend(b, RmsNorm(b, x), rotation, mask, past));
    x = b.Add(x, GatedForward(b, RmsNorm(b, x)));
  }
  b.Output(x);
}

}  // namespace dovetail::blocks
