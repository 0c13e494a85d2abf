// GridSample: the pixels around each point, weighed.
#include <cstdint>
#include <string>
#include <vector>

#include "dovetail/core/ops/image/resize/grid_sample.h"
#include "dovetail/transformations/decompose/image/rules.h"

namespace dovetail {
namespace {

// Pixels along one axis for each point [N, H', W'].
struct Neighbour {
  Value index;      // i64, of a pixel that there is
  Value is_inside;  // whether it counts; empty: always
  Value weight;     // f32; empty: 1
};

class Axis {
 public:
  Axis(NodeBuilder& b, const GridSampleAttributes& attributes, Value extent)
      : b_(b), attributes_(attributes), extent_(extent) {}

  // For coordinates from -1 to 1, f32 [N, H', W'].
  std::vector<Neighbour> Around(Value coordinates) const {
    const Value position = PositionOf(coordinates);
    if (attributes_.mode == GridSampleMode::kNearest) {
      const Value nearest = b_.Make(
          "Round", {position}, {{"mode", std::string("half_to_even")}});
      return {At(nearest, Value{})};
    }
    const Value base = b_.Make("Floor", {position});
    const Value fraction = b_.Subtract(position, base);
    if (attributes_.mode == GridSampleMode::kBilinear) {
      return {At(base, b_.Subtract(1.0, fraction)),
              At(b_.Add(base, 1.0), fraction)};
    }
    std::vector<Neighbour> all;
    for (int i = -1; i <= 2; ++i) {
      const double place = i;
      all.push_back(At(b_.Add(base, place), Cubic(fraction, place)));
    }
    return all;
  }

 private:
  // In pixels; NaN is the middle, and what is far outside stays countable.
  Value PositionOf(Value coordinate) const {
    constexpr double kFar = 1e12;
    const Value number =
        b_.Select(b_.Binary("Equal", coordinate, coordinate), coordinate, 0.0);
    const Value safe = b_.Minimum(b_.Maximum(number, -kFar), kFar);
    const Value length = b_.Convert(extent_, ElementType::kF32);
    const Value from_edge = b_.Add(safe, 1.0);
    const Value position =
        attributes_.align_corners
            ? b_.Multiply(b_.Divide(from_edge, 2.0), b_.Subtract(length, 1.0))
            : b_.Divide(b_.Subtract(b_.Multiply(from_edge, length), 1.0), 2.0);
    return b_.Minimum(b_.Maximum(position, -kFar), kFar);
  }

  // R. Keys, "Cubic convolution interpolation for digital image processing"
  // (1981), with the slope -0.75, at distance |fraction - place| for place -1,
  // 0, 1 or 2: which of the two cubics it is depends on the place alone.
  Value Cubic(Value fraction, double place) const {
    constexpr double kSlope = -0.75;
    const Value d = b_.Make("Abs", {b_.Subtract(fraction, place)});
    if (place == 0 || place == 1) {
      const Value inner =
          b_.Subtract(b_.Multiply(d, kSlope + 2), kSlope + 3);
      return b_.Add(b_.Multiply(b_.Multiply(inner, d), d), 1.0);
    }
    const Value quadratic =
        b_.Add(b_.Multiply(b_.Subtract(d, 5.0), d), 8.0);
    return b_.Multiply(b_.Subtract(b_.Multiply(quadratic, d), 4.0), kSlope);
  }

  Neighbour At(Value position, Value weight) const {
    const Value i = b_.Convert(position, ElementType::kI64);
    const Value last = b_.Subtract(extent_, 1.0);
    const Value cut = b_.Minimum(b_.Maximum(i, 0.0), last);
    switch (attributes_.padding_mode) {
      case GridSamplePadding::kZeros:
        return {cut, b_.Binary("Equal", i, cut), weight};
      case GridSamplePadding::kBorder: return {cut, Value{}, weight};
      case GridSamplePadding::kReflection: break;
    }
    return {Reflected(i, last), Value{}, weight};
  }

  // Mirrored at the middles of the outermost pixels (0 1 2 1 0) or at their
  // outer edges (0 1 2 2 1 0).
  Value Reflected(Value i, Value last) const {
    const Value span = attributes_.align_corners ? last : extent_;
    const Value period = b_.Maximum(b_.Multiply(span, 2.0), 1.0);
    const Value inside = b_.Binary("FloorMod", i, period);
    const Value mirrored = b_.Subtract(
        attributes_.align_corners ? period : b_.Subtract(period, 1.0), inside);
    return b_.Select(b_.Binary("LessEqual", inside, last), inside,
                     b_.Minimum(mirrored, last));
  }

  NodeBuilder& b_;
  const GridSampleAttributes& attributes_;
  Value extent_;  // i64, a vector of one
};

// Pixels [N * H * W, C] as rows and where each image begins, [N, 1, 1].
struct Rows {
  Value pixels, width, first;
};

// Weight times pixel, [N, H', W', C]; zeros outside.
Value Sample(NodeBuilder& b, const Rows& rows, const Neighbour& y,
             const Neighbour& x) {
  const Value number = b.Add(
      b.Add(b.Multiply(y.index, rows.width), x.index), rows.first);
  Value pixel = b.Gather(rows.pixels, number, 0);
  const ElementType type = pixel.type();
  if (y.weight) {
    const Value weight = b.Multiply(y.weight, x.weight);
    pixel = b.Multiply(pixel, b.Unsqueeze(b.Convert(weight, type), {-1}));
  }
  if (!y.is_inside) return pixel;
  const Value is_inside =
      b.Make("LogicalAnd", {y.is_inside, x.is_inside});
  return b.Select(b.Unsqueeze(is_inside, {-1}), pixel, 0.0);
}

Rows RowsOf(NodeBuilder& b, Value data) {
  const Value area = b.Product(b.Dims(data, 2, 4));
  const Value pixels = b.Reshape(
      b.Transpose(data, {0, 2, 3, 1}),
      b.Concat({b.Product(b.Concat({b.Dim(data, 0), area})), b.Dim(data, 1)}));
  const Value first = b.Multiply(b.Counting(b.Dim(data, 0)), area);
  return {pixels, b.Dim(data, 3), b.ReshapeTo(first, {-1, 1, 1})};
}

Replacement GridSample(NodeBuilder& b, const Node& node) {
  const Value data = b.input(0);
  if (!data.shape().rank_known() || BitWidth(b.type()) < 16 ||
      !IsFloat(b.type())) {
    return {};
  }
  const auto& attributes = *node.As<GridSampleAttributes>();
  const Value grid = b.Convert(b.input(1), ElementType::kF32);
  const auto around = [&](int64_t coordinate, int axis) {
    return Axis(b, attributes, b.Dim(data, axis))
        .Around(b.Gather(grid, b.Int(coordinate), 3));
  };
  const std::vector<Neighbour> columns = around(0, 3), lines = around(1, 2);
  const Rows rows = RowsOf(b, data);
  Value sum;
  for (const Neighbour& y : lines) {
    for (const Neighbour& x : columns) {
      const Value pixel = Sample(b, rows, y, x);
      sum = sum ? b.Add(sum, pixel) : pixel;
    }
  }
  return {b.Transpose(sum, {0, 3, 1, 2})};
}

constexpr NodeRule kRules[] = {
    {"GridSample", 9, "sum of weight * Gather(pixels)", &GridSample},
};

}  // namespace

absl::Span<const NodeRule> GridSampleDecompositions() { return kRules; }

}  // namespace dovetail
