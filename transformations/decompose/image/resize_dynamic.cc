// Interpolate where extents are known at run time only: positions are computed
// in the model. For modes that read the same number of elements everywhere.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dovetail/core/ops/image/resize/interpolate.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/decompose/image/resize.h"

namespace dovetail {
namespace {

// One axis: vectors of one.
struct DynamicAxis {
  int number;
  Value from, to;  // extents, i64
  Value scale;     // f32
};

Value AsFloat(NodeBuilder& b, Value x) {
  return b.Convert(x, ElementType::kF32);
}

// Element i of the sizes or scales.
Value Element(NodeBuilder& b, int input, int64_t i) {
  return b.Slice(b.input(input), 0, i, i + 1);
}

// The axis number i of those that are resized. The sum is that of ScaledExtent.
DynamicAxis AxisOf(NodeBuilder& b, const Node& node, Value x, int number,
                   int64_t i) {
  const ResizeInputs inputs = ResizeInputsOf(node, node.input_count());
  DynamicAxis axis = {number, b.Dim(x, number), Value{}, Value{}};
  if (inputs.scales < 0) {
    axis.to = b.Convert(Element(b, inputs.sizes, i), ElementType::kI64);
    axis.scale = b.Divide(AsFloat(b, axis.to), AsFloat(b, axis.from));
    return axis;
  }
  const Value scale = AsFloat(b, Element(b, inputs.scales, i));
  const ElementType wide = ElementType::kF64;
  const Value extent =
      b.Multiply(b.Convert(axis.from, wide),
                 b.Add(b.Convert(scale, wide), 1e-6));
  axis.to = b.Convert(b.Make("Floor", {extent}), ElementType::kI64);
  axis.scale = scale;
  return axis;
}

// Where the middles of the output's elements lie: f32 [to].
Value Positions(NodeBuilder& b, CoordinateMode mode, const DynamicAxis& axis) {
  const Value x = AsFloat(b, b.Counting(axis.to));
  const Value middle = b.Divide(b.Add(x, 0.5), axis.scale);
  const Value is_one = b.Binary("Equal", axis.to, 1.0);
  Value position;
  switch (mode) {
    case CoordinateMode::kHalfPixel:
      position = b.Subtract(middle, 0.5);
      break;
    case CoordinateMode::kPytorchHalfPixel:
      position = b.Select(is_one, 0.0, b.Subtract(middle, 0.5));
      break;
    case CoordinateMode::kAsymmetric:
      position = b.Divide(x, axis.scale);
      break;
    case CoordinateMode::kTfHalfPixelForNn:
      position = middle;
      break;
    case CoordinateMode::kAlignCorners: {
      const Value last = AsFloat(b, b.Subtract(axis.from, 1.0));
      const Value steps = AsFloat(b, b.Subtract(axis.to, 1.0));
      position = b.Select(is_one, 0.0, b.Divide(b.Multiply(x, last), steps));
      break;
    }
  }
  const Value stays = b.Make(
      "LogicalOr", {b.Binary("Equal", axis.scale, 1.0),
                    b.Binary("Equal", axis.from, axis.to)});
  return b.Select(stays, x, position);
}

// Indices of whole positions, moved into the axis.
Value Indices(NodeBuilder& b, Value positions, const DynamicAxis& axis) {
  const Value index = b.Convert(positions, ElementType::kI64);
  return b.Minimum(b.Maximum(index, 0.0), b.Subtract(axis.from, 1.0));
}

Value Nearest(NodeBuilder& b, NearestMode mode, Value position, Value scale) {
  const auto down = [&](Value x) { return b.Make("Floor", {x}); };
  const auto up = [&](Value x) { return b.Make("Ceiling", {x}); };
  switch (mode) {
    case NearestMode::kRoundPreferFloor: return up(b.Subtract(position, 0.5));
    case NearestMode::kRoundPreferCeil: return down(b.Add(position, 0.5));
    case NearestMode::kFloor: return down(position);
    case NearestMode::kCeil: return up(position);
    case NearestMode::kSimple: break;
  }
  return b.Select(b.Binary("Less", scale, 1.0), up(position), down(position));
}

// weight * element number `index` along the axis; nothing of what weighs 0.
Value Weighed(NodeBuilder& b, Value x, const DynamicAxis& axis, Value index,
              Value weight) {
  std::vector<int64_t> shape(x.shape().rank() - axis.number, 1);
  shape[0] = -1;
  const Value behind = b.ReshapeTo(b.Convert(weight, x.type()), shape);
  return b.Select(b.Binary("Equal", behind, 0.0), 0.0,
                  b.Multiply(b.Gather(x, index, axis.number), behind));
}

Value Linear(NodeBuilder& b, Value x, const DynamicAxis& axis,
             Value position) {
  const Value last = AsFloat(b, b.Subtract(axis.from, 1.0));
  const Value inside = b.Minimum(b.Maximum(position, 0.0), last);
  const Value low = b.Make("Floor", {inside});
  const Value fraction = b.Subtract(inside, low);
  return b.Add(
      Weighed(b, x, axis, Indices(b, low, axis), b.Subtract(1.0, fraction)),
      Weighed(b, x, axis, Indices(b, b.Add(low, 1.0), axis), fraction));
}

// R. Keys, "Cubic convolution interpolation for digital image processing"
// (1981), for a distance below 1 and one from 1 to 2.
Value Near(NodeBuilder& b, Value d, double slope) {
  const Value inner = b.Subtract(b.Multiply(d, slope + 2), slope + 3);
  return b.Add(b.Multiply(b.Multiply(inner, d), d), 1.0);
}
Value Far(NodeBuilder& b, Value d, double slope) {
  const Value quadratic = b.Add(b.Multiply(b.Subtract(d, 5.0), d), 8.0);
  return b.Multiply(b.Subtract(b.Multiply(quadratic, d), 4.0), slope);
}

Value Cubic(NodeBuilder& b, Value x, const DynamicAxis& axis, Value position,
            double slope) {
  const Value base = b.Make("Floor", {position});
  const Value fraction = b.Subtract(position, base);
  Value sum;
  for (int i = -1; i <= 2; ++i) {
    const double place = i;
    const Value d = b.Make("Abs", {b.Subtract(fraction, place)});
    const Value weight =
        i == 0 || i == 1 ? Near(b, d, slope) : Far(b, d, slope);
    const Value tap = Weighed(b, x, axis,
                              Indices(b, b.Add(base, place), axis), weight);
    sum = sum ? b.Add(sum, tap) : tap;
  }
  return sum;
}

Value ResizeAxis(NodeBuilder& b, Value x,
                 const InterpolateAttributes& attributes,
                 const DynamicAxis& axis) {
  const Value position = Positions(b, attributes.coordinate_mode, axis);
  switch (attributes.mode) {
    case ResizeMode::kNearest: {
      const Value nearest =
          Nearest(b, attributes.nearest_mode, position, axis.scale);
      return b.Gather(x, Indices(b, nearest, axis), axis.number);
    }
    case ResizeMode::kCubic:
      return Cubic(b, x, axis, position, attributes.cube_coeff);
    default: return Linear(b, x, axis, position);
  }
}

// Modes of which the number of elements depends on extents.
bool IsWide(const InterpolateAttributes& attributes) {
  return attributes.antialias ||
         attributes.mode == ResizeMode::kBilinearPillow ||
         attributes.mode == ResizeMode::kBicubicPillow ||
         attributes.mode == ResizeMode::kArea;
}

}  // namespace

Replacement ResizeByPositions(NodeBuilder& b, const Node& node) {
  const ElementType type = b.type();
  const PartialShape& shape = b.input(0).shape();
  if (!shape.rank_known() || node.As<Interpolate0Attributes>() != nullptr) {
    return {};
  }
  const InterpolateAttributes attributes =
      ResizeAttributesOf(node, shape.rank());
  const auto axes = ResizedAxesOf(node, shape.rank());
  const bool is_nearest = attributes.mode == ResizeMode::kNearest;
  if (!axes.has_value() || IsWide(attributes) ||
      (!is_nearest && !CanWeigh(type))) {
    return {};
  }
  Value x = WithPadding(b, b.input(0), attributes);
  const bool round = !is_nearest && IsInteger(type);
  if (round) x = b.Convert(x, ElementType::kF32);
  // The last axis comes first, as where extents are known.
  for (int number = shape.rank() - 1; number >= 0; --number) {
    for (size_t i = 0; i < axes->size(); ++i) {
      if ((*axes)[i] != number) continue;
      const DynamicAxis axis =
          AxisOf(b, node, x, number, static_cast<int64_t>(i));
      x = ResizeAxis(b, x, attributes, axis);
    }
  }
  if (round) x = RoundedTo(b, x, type);
  return {b.Convert(x, type)};
}

}  // namespace dovetail
