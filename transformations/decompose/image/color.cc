// Conversions between RGB and the planes of a video, by the numbers of ITU-R
// BT.601 that the opset's specification gives. All arithmetic is in f32.
#include <cmath>
#include <cstdint>
#include <vector>

#include "absl/strings/match.h"
#include "dovetail/core/ops/image/color/color_conversion.h"
#include "dovetail/transformations/decompose/image/rules.h"

namespace dovetail {
namespace {

// The element of type u8 nearest to x, of two the greater, or x as another
// type; from 0 to 255.
Value ToPixels(NodeBuilder& b, Value x, ElementType type) {
  const Value cut = b.Minimum(b.Maximum(x, 0.0), 255.0);
  if (!IsInteger(type)) return b.Convert(cut, type);
  return b.Convert(b.Make("Floor", {b.Add(cut, 0.5)}), type);
}

// ---- To RGB ----

// [N, H, W, 1] and two of [N, H / 2, W / 2, 1], all f32.
struct Planes {
  Value y, u, v;
};

Value AsFloat(NodeBuilder& b, Value x) {
  return b.Convert(x, ElementType::kF32);
}

Value Channel(NodeBuilder& b, Value x, int64_t channel) {
  return b.Slice(x, 3, channel, channel + 1);
}

// Of a single plane [N, H * 3 / 2, W, 1]: what is below the brightness, [N, H /
// 2, W, 1], has colour of half the width.
Planes CutPlane(NodeBuilder& b, Value x, bool packed) {
  const Value rows = b.Divide(b.Multiply(b.Dim(x, 1), 2.0), 3.0);
  const Value y = b.Slice(x, 1, b.Ints({0}), rows);
  const Value rest = b.Slice(x, 1, rows, b.Dim(x, 1));
  const Value half_rows = b.Divide(rows, 2.0);
  const Value half_columns = b.Divide(b.Dim(x, 2), 2.0);
  const Value batch = b.Dim(x, 0);
  if (packed) {
    const Value uv = b.Reshape(
        rest, b.Concat({batch, half_rows, half_columns, b.Ints({2})}));
    return {y, Channel(b, uv, 0), Channel(b, uv, 1)};
  }
  const Value both = b.Reshape(
      rest,
      b.Concat({batch, b.Multiply(half_rows, 2.0), half_columns, b.Ints({1})}));
  return {y, b.Slice(both, 1, b.Ints({0}), half_rows),
          b.Slice(both, 1, half_rows, b.Multiply(half_rows, 2.0))};
}

Planes PlanesOf(NodeBuilder& b, bool packed) {
  const Value first = AsFloat(b, b.input(0));
  if (b.input_count() == 1) return CutPlane(b, first, packed);
  const Value second = AsFloat(b, b.input(1));
  if (!packed) return {first, second, AsFloat(b, b.input(2))};
  return {first, Channel(b, second, 0), Channel(b, second, 1)};
}

// Each element four times, in a square.
Value Doubled(NodeBuilder& b, Value x) {
  const Value batch = b.Dim(x, 0), rows = b.Dim(x, 1), columns = b.Dim(x, 2);
  const Value two = b.Ints({2}), one = b.Ints({1});
  const Value apart =
      b.Reshape(x, b.Concat({batch, rows, one, columns, one, one}));
  const Value squares =
      b.Broadcast(apart, b.Concat({batch, rows, two, columns, two, one}));
  return b.Reshape(squares, b.Concat({batch, b.Multiply(rows, 2.0),
                                      b.Multiply(columns, 2.0), one}));
}

Replacement ToRgb(NodeBuilder& b, const Node& node) {
  if (!b.input(0).shape().rank_known()) return {};
  const absl::string_view type = node.op().type;
  const Planes planes = PlanesOf(b, absl::StartsWith(type, "NV12"));
  const Value brightness = b.Multiply(b.Subtract(planes.y, 16.0), 1.164);
  const Value u = b.Subtract(Doubled(b, planes.u), 128.0);
  const Value v = b.Subtract(Doubled(b, planes.v), 128.0);
  const Value red = b.Add(brightness, b.Multiply(v, 1.596));
  const Value green = b.Subtract(b.Subtract(brightness, b.Multiply(u, 0.391)),
                                 b.Multiply(v, 0.813));
  const Value blue = b.Add(brightness, b.Multiply(u, 2.018));
  const bool is_rgb = absl::EndsWith(type, "RGB");
  const Value pixels =
      is_rgb ? b.Concat({red, green, blue}, 3)
             : b.Concat({blue, green, red}, 3);
  return {ToPixels(b, pixels, node.port().type)};
}

// ---- From RGB ----

// red, green and blue weighed, plus an offset: [N, H, W, 1].
Value Component(NodeBuilder& b, const std::vector<Value>& rgb,
                const std::vector<double>& weights, double offset) {
  const Value sum =
      b.Add(b.Add(b.Multiply(rgb[0], weights[0]),
                  b.Multiply(rgb[1], weights[1])),
            b.Multiply(rgb[2], weights[2]));
  return b.Add(sum, offset);
}

// The means of squares of four pixels: [N, H / 2, W / 2, 1].
Value MeanOfSquares(NodeBuilder& b, Value x) {
  const Value squares = b.Reshape(
      x, b.Concat({b.Dim(x, 0), b.Divide(b.Dim(x, 1), 2.0), b.Ints({2}),
                   b.Divide(b.Dim(x, 2), 2.0), b.Ints({2, 1})}));
  return b.Divide(b.Reduce("ReduceSum", b.Reduce("ReduceSum", squares, {4},
                                                 false), {2}, false), 4.0);
}

Replacement ToNv12(NodeBuilder& b, const Node& node) {
  if (!b.input(0).shape().rank_known()) return {};
  const ElementType type = b.type();
  const Value x = AsFloat(b, b.input(0));
  const bool is_rgb = absl::StartsWith(node.op().type, "RGB");
  const std::vector<Value> rgb = {Channel(b, x, is_rgb ? 0 : 2),
                                  Channel(b, x, 1),
                                  Channel(b, x, is_rgb ? 2 : 0)};
  const auto component = [&](const std::vector<double>& weights,
                             double offset) {
    return ToPixels(b, Component(b, rgb, weights, offset), type);
  };
  // Pixels are rounded before the mean is taken.
  const auto mean = [&](Value pixels) {
    return ToPixels(b, MeanOfSquares(b, AsFloat(b, pixels)), type);
  };
  const Value y = component({0.257, 0.504, 0.098}, 16);
  const Value u = mean(component({-0.148, -0.291, 0.439}, 128));
  const Value v = mean(component({0.439, -0.368, -0.071}, 128));
  const Value uv = b.Concat({u, v}, 3);
  if (node.output_count() == 2) return {y, uv};
  const Value rows = b.Divide(b.Dim(x, 1), 2.0);
  const Value below =
      b.Reshape(uv, b.Concat({b.Dim(x, 0), rows, b.Dim(x, 2), b.Ints({1})}));
  return {b.Concat({y, below}, 1)};
}

constexpr absl::string_view kToRgb =
    "1.164 (y - 16) + 1.596 (v - 128) and so on";
constexpr absl::string_view kToNv12 =
    "0.257 r + 0.504 g + 0.098 b + 16 and so on";

constexpr NodeRule kRules[] = {
    {"BGRtoNV12", 17, kToNv12, &ToNv12}, {"I420toBGR", 8, kToRgb, &ToRgb},
    {"I420toRGB", 8, kToRgb, &ToRgb},    {"NV12toBGR", 8, kToRgb, &ToRgb},
    {"NV12toRGB", 8, kToRgb, &ToRgb},    {"RGBtoNV12", 17, kToNv12, &ToNv12},
};

}  // namespace

absl::Span<const NodeRule> ColorDecompositions() { return kRules; }

}  // namespace dovetail
