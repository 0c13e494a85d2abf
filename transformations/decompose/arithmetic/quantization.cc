#include <vector>

#include "dovetail/core/ops/quantization/broadcast_to_data.h"
#include "dovetail/core/ops/quantization/fake_convert.h"
#include "dovetail/core/ops/quantization/fake_quantize.h"
#include "dovetail/transformations/decompose/arithmetic/rules.h"

namespace dovetail {
namespace {

// Ranges and scales may have more axes than the data, of extent 1.
Value WithoutExtraAxes(NodeBuilder& b, Value range) {
  const int extra = range.shape().rank() - b.input(0).shape().rank();
  if (extra <= 0) return range;
  std::vector<int64_t> axes;
  for (int i = 0; i < extra; ++i) axes.push_back(i);
  return b.Squeeze(range, axes);
}

bool RanksKnown(const Node& node) {
  for (Value input : node.inputs()) {
    if (!input.shape().rank_known()) return false;
  }
  return true;
}

// The steps are found by a scale and a shift, in the order of the reference; a
// device that does not fuse them may round what is near to a half the other
// way, as with any order.
Replacement FakeQuantize(NodeBuilder& b, const Node& node) {
  const auto& attributes = *node.As<FakeQuantizeAttributes>();
  if (attributes.auto_broadcast == AutoBroadcast::kPdpd || !RanksKnown(node)) {
    return {};
  }
  const Value x = b.input(0);
  const Value in_low = WithoutExtraAxes(b, node.input(1));
  const Value in_high = WithoutExtraAxes(b, node.input(2));
  const Value out_low = WithoutExtraAxes(b, node.input(3));
  const Value out_high = WithoutExtraAxes(b, node.input(4));
  const double steps = static_cast<double>(attributes.levels - 1);
  const Value inverse = b.Divide(1.0, b.Subtract(in_high, in_low));
  const Value scale = b.Multiply(inverse, steps);
  const Value shift = b.Multiply(b.Multiply(in_low, inverse), steps);
  const Value step =
      b.Make("Round", {b.Subtract(b.Multiply(x, scale), shift)});
  const Value out_scale =
      b.Multiply(b.Subtract(out_high, out_low), 1.0 / steps);
  const Value inside = b.Add(b.Multiply(step, out_scale), out_low);
  const Value below = b.Binary("LessEqual", x, b.Minimum(in_low, in_high));
  const Value above = b.Binary("Greater", x, b.Maximum(in_low, in_high));
  return {b.Select(below, out_low, b.Select(above, out_high, inside))};
}

// To the 8-bit type and back, by way of f16, within its range.
Value RoundTrip(NodeBuilder& b, Value x, ElementType type) {
  const double largest = type == ElementType::kF8E4M3 ? 448 : 57344;
  const Value half = b.Convert(x, ElementType::kF16);
  const Value inside = b.Maximum(b.Minimum(half, largest), -largest);
  return b.Convert(b.Convert(inside, type), x.type());
}

Replacement FakeConvert(NodeBuilder& b, const Node& node) {
  if (!RanksKnown(node) || b.type() == ElementType::kDynamic) return {};
  // Narrow floats are computed with as f32, and rounded once.
  const ElementType wide =
      b.type() == ElementType::kF64 ? b.type() : ElementType::kF32;
  const auto input = [&](int i) {
    return b.Convert(WithoutExtraAxes(b, node.input(i)), wide);
  };
  const Value scale = input(1), shift = b.input(2) ? input(2) : Value{};
  Value moved = b.Multiply(input(0), scale);
  if (shift) moved = b.Subtract(moved, shift);
  Value rounded = RoundTrip(
      b, moved, node.As<FakeConvertAttributes>()->destination_type);
  if (shift) rounded = b.Add(rounded, shift);
  return {b.Convert(b.Divide(rounded, scale), b.type())};
}

constexpr NodeRule kRules[] = {
    {"FakeConvert", 13, "x * scale - shift to 8 bits and back", &FakeConvert},
    {"FakeQuantize", 0, "round(x * scale - shift) * scale + shift, cut off",
     &FakeQuantize},
};

}  // namespace

absl::Span<const NodeRule> QuantizationDecompositions() { return kRules; }

}  // namespace dovetail
