// DeformableConvolution and DeformablePSROIPooling: elements at places that
// offsets, an input, move (Dai et al., "Deformable Convolutional Networks",
// 2017).
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dovetail/core/ops/common/window.h"
#include "dovetail/core/ops/convolution/deformable_convolution.h"
#include "dovetail/core/ops/roi/roi_pooling.h"
#include "dovetail/transformations/decompose/roi/feature_map.h"
#include "dovetail/transformations/decompose/roi/rois.h"
#include "dovetail/transformations/decompose/roi/rules.h"

namespace dovetail {
namespace {

Value And(NodeBuilder& b, Value a, Value c) {
  return b.Make("LogicalAnd", {a, c});
}

Value Between(NodeBuilder& b, Value x, OpType above, Operand low, OpType below,
              Operand high) {
  return And(b, b.Binary(above, x, low), b.Binary(below, x, high));
}

// ---- DeformableConvolution ----

// N images, D deformable groups of I / D channels, windows of h * w taps at
// H * W positions.
struct Windows {
  WindowAxis y, x;
  int64_t group, deformable_group;
};

// Constants of more places would take more memory than the images.
constexpr int64_t kMaxPlaces = int64_t{1} << 22;

std::optional<Windows> WindowsOf(NodeBuilder& b, const Node& node) {
  const PartialShape& data = b.input(0).shape();
  const PartialShape& kernel = b.input(2).shape();
  const PartialShape& output = node.port().shape;
  if (!data.rank_known() || !kernel.is_static() || !output.rank_known() ||
      BitWidth(b.type()) > 32) {
    return std::nullopt;
  }
  const auto& attributes = DeformableAttributesOf(node);
  std::vector<WindowAxis> axes;
  for (int i = 0; i < 2; ++i) {
    if (!data[2 + i].is_static() || !output[2 + i].is_static()) {
      return std::nullopt;
    }
    axes.push_back(ResolveWindow(attributes.window, i, data[2 + i].value(),
                                 kernel[2 + i].value(),
                                 output[2 + i].value()));
    if (axes[i].kernel > kMaxPlaces ||
        axes[i].output > kMaxPlaces / std::max<int64_t>(axes[i].kernel, 1)) {
      return std::nullopt;
    }
  }
  return Windows{axes[0], axes[1], attributes.group,
                 attributes.deformable_group};
}

// Where the taps of all windows are without an offset, f32 [kernel, output] as
// the shape says.
Value Places(NodeBuilder& b, const WindowAxis& axis,
             const std::vector<int64_t>& shape) {
  std::vector<double> places;
  for (int64_t k = 0; k < axis.kernel; ++k) {
    for (int64_t o = 0; o < axis.output; ++o) {
      places.push_back(static_cast<double>(axis.Begin(o) + k * axis.dilation));
    }
  }
  const auto tensor =
      Tensor::FromDoubles(ElementType::kF32, Shape(shape), places);
  b.Update(tensor.status());
  return tensor.ok() ? b.Constant(*tensor) : Value{};
}

// Samples [N, D, h, w, H, W, I / D] at positions [N, D, h, w, H, W]. Places up
// to one element outside blend with zeros when asked for, else they are zero.
Value SampleTaps(NodeBuilder& b, const Windows& windows, Value y, Value x,
                 bool blend_with_zeros) {
  const Value data = b.input(0);
  Value groups = b.Reshape(
      data, b.Concat({b.Multiply(b.Dim(data, 0),
                                 static_cast<double>(windows.deformable_group)),
                      b.Divide(b.Dim(data, 1),
                               static_cast<double>(windows.deformable_group)),
                      b.Dims(data, 2, 4)}));
  const auto is_inside = [&](Value position, int64_t extent) {
    return blend_with_zeros
               ? Between(b, position, "Greater", -1.0, "Less",
                         static_cast<double>(extent))
               : Between(b, position, "GreaterEqual", 0.0, "Less",
                         static_cast<double>(extent));
  };
  const Value counts = And(b, is_inside(y, windows.y.input),
                           is_inside(x, windows.x.input));
  if (blend_with_zeros) {
    const Value pads = b.Ints({0, 0, 1, 1});
    groups = b.Make("Pad", {groups, pads, pads, b.Number(data.type(), 0)},
                    {{"pad_mode", std::string("constant")}});
    y = b.Add(y, 1.0);
    x = b.Add(x, 1.0);
  }
  const Value count = b.Ints({windows.deformable_group});
  const Value first = b.Unsqueeze(
      b.Multiply(b.Counting(b.Dim(data, 0)), count), {1, 2, 3, 4, 5});
  const Value images =
      b.Add(first, b.Unsqueeze(b.Counting(count), {1, 2, 3, 4}));
  return FeatureMap(b, groups).At(images, y, x, counts);
}

// The samples of each window as a column, times the kernel as rows.
Value MultiplyKernel(NodeBuilder& b, const Windows& windows, Value samples) {
  const Value kernel = b.input(2);
  const int64_t positions = windows.y.output * windows.x.output;
  const Value columns = b.Reshape(
      b.Transpose(samples, {0, 1, 6, 2, 3, 4, 5}),
      b.Concat({b.Dim(b.input(0), 0), b.Ints({windows.group, -1, positions})}));
  const int64_t outputs = kernel.shape()[0].value();
  const Value rows =
      b.ReshapeTo(kernel, {windows.group, outputs / windows.group, -1});
  return b.Reshape(
      b.MatMul(rows, columns),
      b.Concat({b.Dim(b.input(0), 0),
                b.Ints({outputs, windows.y.output, windows.x.output})}));
}

Replacement DeformableConvolution(NodeBuilder& b, const Node& node) {
  const auto windows = WindowsOf(b, node);
  if (!windows.has_value()) return {};
  const WindowAxis &y = windows->y, &x = windows->x;
  const auto taps = [&](Value values, const std::vector<int64_t>& last) {
    std::vector<int64_t> shape = {windows->deformable_group, y.kernel,
                                  x.kernel};
    shape.insert(shape.end(), last.begin(), last.end());
    return b.Reshape(values, b.Concat({b.Dim(b.input(0), 0), b.Ints(shape)}));
  };
  const Value offsets = b.Convert(
      taps(b.input(1), {2, y.output, x.output}), ElementType::kF32);
  const auto offset = [&](int64_t i) {
    return b.Gather(offsets, b.Int(i), 4);
  };
  const auto* newer = node.As<DeformableConvolution8Attributes>();
  Value samples = SampleTaps(
      b, *windows,
      b.Add(offset(0), Places(b, y, {y.kernel, 1, y.output, 1})),
      b.Add(offset(1), Places(b, x, {x.kernel, 1, x.output})),
      newer != nullptr && newer->bilinear_interpolation_pad);
  if (b.input(3)) {
    samples = b.Multiply(
        samples, b.Unsqueeze(taps(b.input(3), {y.output, x.output}), {-1}));
  }
  return {MultiplyKernel(b, *windows, samples)};
}

// ---- DeformablePSROIPooling ----

// Offsets of each output channel's bins along x (0) or y (1), as fractions of
// the region: f32 [R, channels, bins, bins].
Value OffsetsOf(NodeBuilder& b,
                const DeformablePsRoiPoolingAttributes& attributes,
                int64_t classes, int64_t axis) {
  const int64_t parts = attributes.part_size, bins = attributes.group_size;
  std::vector<int64_t> part_of, class_of;
  for (int64_t i = 0; i < bins; ++i) part_of.push_back(i * parts / bins);
  for (int64_t c = 0; c < attributes.output_dim; ++c) {
    class_of.push_back(c / (attributes.output_dim / classes));
  }
  const Value all = b.ReshapeTo(b.Convert(b.input(2), ElementType::kF32),
                                {-1, classes, 2, parts, parts});
  const Value along = b.Gather(all, b.Int(axis), 2);
  const Value of_bins = b.Gather(b.Gather(along, b.Ints(part_of), 2),
                                 b.Ints(part_of), 3);
  return b.Multiply(b.Gather(of_bins, b.Ints(class_of), 1),
                    attributes.trans_std);
}

// Positions [R, channels or 1, bins, bins, points] for the corners number
// `first` and `first` + 2. `bin` are the bins' numbers along this axis.
Value MovedPoints(NodeBuilder& b,
                  const DeformablePsRoiPoolingAttributes& attributes, int first,
                  Value bin, int64_t points, Value offsets) {
  const auto rounded = [&](int i) {
    return b.Make("Round", {RoiNumber(b, i)},
                  {{"mode", std::string("half_away_from_zero")}});
  };
  const auto side = [&](Value corner) {
    return b.Subtract(b.Multiply(corner, attributes.spatial_scale), 0.5);
  };
  const Value start = side(rounded(first));
  const Value length = b.Unsqueeze(
      b.Maximum(b.Subtract(side(b.Add(rounded(first + 2), 1.0)), start), 0.1),
      {1, 2, 3});
  const Value size =
      b.Divide(length, static_cast<double>(attributes.group_size));
  Value begin =
      b.Add(b.Multiply(bin, size), b.Unsqueeze(start, {1, 2, 3}));
  if (offsets) begin = b.Add(begin, b.Multiply(offsets, length));
  const Value step =
      b.Unsqueeze(b.Divide(size, static_cast<double>(points)), {-1});
  return b.Add(b.Unsqueeze(begin, {-1}),
               b.Multiply(step, Steps(b, points)));
}

// Planes are images of one channel: that of an output channel's bin.
Value PlaneNumbers(NodeBuilder& b, int64_t channels, int64_t bins) {
  const Value planes =
      b.ReshapeTo(b.Counting(b.Ints({channels * bins * bins})),
                  {channels, bins, bins, 1, 1});
  return b.Add(b.Multiply(b.Unsqueeze(RoiImages(b), {1, 2, 3, 4, 5}),
                          b.Dim(b.input(0), 1)),
               planes);
}

Replacement DeformablePsRoiPooling(NodeBuilder& b, const Node& node) {
  const auto& attributes = *node.As<DeformablePsRoiPoolingAttributes>();
  const Value features = b.input(0);
  const int64_t bins = attributes.group_size;
  Value along_x, along_y;
  if (!features.shape().rank_known() || BitWidth(b.type()) > 32) return {};
  if (b.input(2)) {
    const PartialShape& shape = b.input(2).shape();
    if (!shape.rank_known() || !shape[1].is_static()) return {};
    const int64_t classes = shape[1].value() / 2;
    if (classes < 1 || attributes.output_dim % classes != 0) return {};
    along_x = OffsetsOf(b, attributes, classes, 0);
    along_y = OffsetsOf(b, attributes, classes, 1);
  }
  const FeatureMap map(
      b,
      b.Reshape(features, b.Concat({b.Ints({-1, 1}), b.Dims(features, 2, 4)})));
  const Value columns = Steps(b, bins);
  const Value y = b.Unsqueeze(
      MovedPoints(b, attributes, 2, b.Unsqueeze(columns, {1}),
                  attributes.spatial_bins_y, along_y), {5});
  const Value x = b.Unsqueeze(
      MovedPoints(b, attributes, 1, columns, attributes.spatial_bins_x,
                  along_x), {4});
  const auto is_inside = [&](Value position, Value extent) {
    return Between(b, position, "GreaterEqual", -0.5, "LessEqual",
                   b.Subtract(extent, 0.5));
  };
  const Value counts =
      And(b, And(b, is_inside(y, map.height()), is_inside(x, map.width())),
          b.Unsqueeze(IsRoiListed(b), {1, 2, 3, 4, 5}));
  const Value values = b.Squeeze(
      map.At(PlaneNumbers(b, attributes.output_dim, bins), y, x, counts), {6});
  const Value sum = b.Reduce("ReduceSum", values, {4, 5}, false);
  const Value number =
      b.Reduce("ReduceSum", b.Convert(counts, sum.type()), {4, 5}, false);
  return {b.Divide(sum, b.Maximum(number, 1.0))};
}

constexpr NodeRule kRules[] = {
    {"DeformableConvolution", NodeRule::kAnyVersion,
     "MatMul(kernel, samples of all windows)", &DeformableConvolution},
    {"DeformablePSROIPooling", 1, "means of points in moved bins",
     &DeformablePsRoiPooling},
};

}  // namespace

absl::Span<const NodeRule> DeformableDecompositions() { return kRules; }

}  // namespace dovetail
