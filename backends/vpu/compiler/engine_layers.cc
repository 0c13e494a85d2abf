#include "dovetail/backends/vpu/compiler/engine_layers.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/vpu/compiler/tiling/plane_tiles.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/convolution/convolution.h"
#include "dovetail/core/ops/linear/matmul.h"
#include "dovetail/core/ops/pooling/avg_pool.h"
#include "dovetail/core/ops/pooling/max_pool.h"

namespace dovetail::vpu {
namespace {

int64_t NumberOf(const std::vector<int64_t>& list, size_t axis,
                 int64_t otherwise = 1) {
  return axis < list.size() ? list[axis] : otherwise;
}

int64_t Product(const Shape& shape, int begin, int end) {
  int64_t product = 1;
  for (int axis = begin; axis < end; ++axis) product *= shape[axis];
  return product;
}

// Which rule of the engines a window breaks; empty for none.
std::string BrokenRule(const ConvShape& shape, const SlidingWindow& window) {
  constexpr int64_t kMostKernel = 15, kMostStride = 8;
  const int64_t kernel = std::max(shape.kernel_x, shape.kernel_y);
  if (kernel > kMostKernel && !IsHalved(shape)) {
    return absl::StrCat("a kernel of ", kernel, ", more than ", kMostKernel);
  }
  const int64_t y = NumberOf(window.strides, 0),
                x = NumberOf(window.strides, 1);
  if (x != y && shape.kernel_y < shape.in_height) {
    return absl::StrCat("strides ", y, " and ", x, " that differ");
  }
  if (x > kMostStride) {
    return absl::StrCat("a stride of ", x, ", more than ", kMostStride);
  }
  const int64_t dilation =
      std::max(NumberOf(window.dilations, 0), NumberOf(window.dilations, 1));
  if (dilation > 1) return absl::StrCat("a dilation of ", dilation);
  return "";
}

// Whether a pool of an engine has that many outputs: as many windows as fit, or
// one more that sticks out. An even window gets a pixel beyond an odd extent
// without padding there.
bool HasOutputs(PlaneAxis axis, int64_t pad_end) {
  axis.after = std::max(axis.after, pad_end);
  const bool is_extended =
      axis.input % 2 == 1 && axis.kernel % 2 == 0 && axis.after == 0;
  const int64_t input = axis.input + (is_extended ? 1 : 0);
  return OutputsOf(axis, input, false) == axis.output ||
         OutputsOf(axis, input, true) == axis.output;
}

std::string BrokenOutputRule(const ConvShape& s, const SlidingWindow& window) {
  const bool is_explicit = window.auto_pad == AutoPad::kExplicit;
  const std::pair<PlaneAxis, size_t> axes[] = {{RowsOf(s), 0},
                                               {ColumnsOf(s), 1}};
  for (const auto& [axis, i] : axes) {
    const int64_t pad_end = is_explicit ? NumberOf(window.pads_end, i, 0) : 0;
    if (HasOutputs(axis, pad_end)) continue;
    return absl::StrCat(axis.output, " outputs of ", axis.input,
                        " pixels, neither of a pool that rounds down nor of "
                        "one that rounds up");
  }
  return "";
}

// Which rule of pools it breaks besides; empty for none.
std::string BrokenPoolRule(const ConvShape& s, const SlidingWindow& window,
                           bool is_mean, bool excludes_padding) {
  const bool is_even = s.kernel_x % 2 == 0 || s.kernel_y % 2 == 0;
  const bool is_odd = s.in_width % 2 == 1 || s.in_height % 2 == 1;
  const auto is_square = [&](int64_t kernel, int64_t stride) {
    return s.kernel_x == kernel && s.kernel_y == kernel && s.stride == stride;
  };
  if (is_even && (s.in_width > 1000 || s.in_height > 700)) {
    return "an even window over a plane of more than 1000x700";
  }
  if (!is_mean) return BrokenOutputRule(s, window);
  if (is_even && is_odd) return "a mean of an even window over an odd extent";
  if (is_square(3, 2)) return "a mean of 3x3 with stride 2";
  if (is_square(5, 3)) return "a mean of 5x5 with stride 3";
  const bool is_five = s.kernel_x == 5 && s.kernel_y == 5 && s.out_width == 5 &&
                       s.out_height == 5;
  if (excludes_padding && is_five) {
    return "a mean of 5x5 without padding to 5x5";
  }
  return BrokenOutputRule(s, window);
}

// Planes of rank 4.
ConvShape Planes(const Shape& data, const Shape& output) {
  ConvShape shape;
  shape.in_height = data[2];
  shape.in_width = data[3];
  shape.out_height = output[2];
  shape.out_width = output[3];
  return shape;
}

void Decide(const SlidingWindow& window, LayerKind kind, Layer& layer) {
  layer.shape.stride = NumberOf(window.strides, 1);
  if (window.auto_pad == AutoPad::kExplicit) {
    layer.shape.pad_y = NumberOf(window.pads_begin, 0, 0);
    layer.shape.pad_x = NumberOf(window.pads_begin, 1, 0);
  }
  layer.reason = BrokenRule(layer.shape, window);
  layer.kind = layer.reason.empty() ? kind : LayerKind::kProducts;
}

// Channels of a depthwise convolution are dense tiles with zeros beside the
// diagonal, of the size that costs least, and of those the smallest.
void TileDepthwise(const Machine& machine, int64_t channels, Layer& layer) {
  std::optional<int64_t> least;
  int64_t best = channels;
  for (int64_t tile = 1; tile < channels; ++tile) {
    ConvShape shape = layer.shape;
    shape.in_channels = shape.out_channels = tile;
    const absl::StatusOr<HwMode> mode = ChooseMode(machine, shape);
    if (!mode.ok()) continue;
    const int64_t cost = mode->cost() * CeilDivide(channels, tile);
    if (least.has_value() && cost >= *least) continue;
    least = cost;
    best = tile;
  }
  layer.shape.in_channels = layer.shape.out_channels = best;
  layer.repeats = layer.repeats / channels * CeilDivide(channels, best);
  layer.reason =
      absl::StrCat("depthwise as dense tiles of ", best, " channels");
}

absl::StatusOr<bool> ReadConvolution(const Machine& machine, const Node& node,
                                     const Shape& data, const Shape& output,
                                     Layer& layer) {
  const auto* attributes = node.As<ConvolutionAttributes>();
  DOVETAIL_ASSIGN_OR_RETURN(const Shape weights,
                            StaticShape(node, node.input(1).shape()));
  const int leading = node.Is("GroupConvolution") ? 1 : 0;
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t elements, output.ElementCount());
  layer.macs = elements * Product(weights, leading + 1, weights.rank());
  if (data.rank() != 4) {
    layer.kind = LayerKind::kProducts;
    layer.reason = absl::StrCat("a convolution of rank ", data.rank());
    return true;
  }
  layer.shape = Planes(data, output);
  layer.shape.out_channels = weights[leading];
  layer.shape.in_channels = weights[leading + 1];
  layer.shape.kernel_y = weights[leading + 2];
  layer.shape.kernel_x = weights[leading + 3];
  layer.repeats = data[0] * (leading == 1 ? weights[0] : 1);
  Decide(attributes->window, LayerKind::kConvolution, layer);
  if (leading == 1 && IsHalved(layer.shape)) {
    layer.kind = LayerKind::kProducts;
    layer.reason = "a kernel of 16 with groups";
  }
  const bool is_depthwise = leading == 1 && weights[1] == 1 && weights[2] == 1;
  if (is_depthwise && layer.kind == LayerKind::kConvolution) {
    TileDepthwise(machine, weights[0], layer);
  }
  return true;
}

const SlidingWindow& PoolWindow(const Node& node,
                                const std::vector<int64_t>*& kernel) {
  if (node.Is("AvgPool")) {
    const AvgPoolAttributes& attributes = AvgPoolAttributesOf(node);
    kernel = &attributes.kernel;
    return attributes.window;
  }
  if (const auto* first = node.As<MaxPoolAttributes>()) {
    kernel = &first->kernel;
    return first->window;
  }
  const auto* attributes = node.As<MaxPool8Attributes>();
  kernel = &attributes->kernel;
  return attributes->window;
}

absl::StatusOr<bool> ReadPool(const Node& node, const Shape& data,
                              const Shape& output, Layer& layer) {
  if (data.rank() != 4) return false;
  const std::vector<int64_t>* kernel = nullptr;
  const SlidingWindow& window = PoolWindow(node, kernel);
  layer.shape = Planes(data, output);
  layer.shape.in_channels = layer.shape.out_channels = data[1];
  layer.shape.kernel_y = NumberOf(*kernel, 0);
  layer.shape.kernel_x = NumberOf(*kernel, 1);
  layer.repeats = data[0];
  Decide(window, LayerKind::kPool, layer);
  if (layer.kind == LayerKind::kPool && IsHalved(layer.shape)) {
    layer.kind = LayerKind::kProducts;
    layer.reason = "a pool of 16, more than 15";
  }
  if (layer.kind == LayerKind::kPool) {
    const bool is_mean = node.Is("AvgPool");
    layer.reason =
        BrokenPoolRule(layer.shape, window, is_mean,
                       is_mean && AvgPoolAttributesOf(node).exclude_pad);
    if (!layer.reason.empty()) layer.kind = LayerKind::kProducts;
  }
  if (layer.kind == LayerKind::kPool) return true;
  layer.macs = layer.elements * layer.shape.kernel_x * layer.shape.kernel_y;
  return true;
}

// Rows of the first factor are pixels of one row.
absl::StatusOr<bool> ReadMatMul(const Node& node, const Shape& data,
                                const Shape& output, bool is_constant,
                                Layer& layer) {
  const auto* attributes = node.As<MatMulAttributes>();
  if (data.rank() == 0 || output.rank() == 0) return false;
  const bool transposed = data.rank() > 1 && attributes->transpose_a;
  const int64_t inner = data[data.rank() - (transposed ? 2 : 1)];
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t elements, output.ElementCount());
  layer.macs = elements * inner;
  if (!is_constant || node.input(1).shape().rank() != 2) {
    layer.kind = LayerKind::kProducts;
    layer.reason = "a product without one matrix of constants";
    return true;
  }
  layer.kind = LayerKind::kConvolution;
  layer.shape = ConvShape();
  layer.shape.in_channels = inner;
  layer.shape.out_channels = output[output.rank() - 1];
  layer.shape.in_width = layer.shape.out_width =
      elements / layer.shape.out_channels;
  return true;
}

// Dimensions within bounds are as large as they may be.
PartialShape UpperBound(PartialShape shape) {
  if (!shape.rank_known()) return shape;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const Dimension& dim = shape[axis];
    if (dim.max() < Dimension::kInfinity) shape[axis] = Dimension(dim.max());
  }
  return shape;
}

}  // namespace

absl::StatusOr<Shape> StaticShape(const Node& node,
                                  const PartialShape& partial) {
  absl::StatusOr<Shape> shape = UpperBound(partial).ToShape();
  if (!shape.ok()) {
    return FailedPrecondition(node.Describe(), " has a shape that is not ",
                              "static, ", partial.ToString(),
                              ": give --shape=INPUT=DIMS");
  }
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t elements, shape->ElementCount());
  if (elements < 1) {
    return FailedPrecondition(node.Describe(), " has no element in ",
                              partial.ToString());
  }
  return shape;
}

absl::StatusOr<bool> ReadEngineLayer(const Machine& machine, const Node& node,
                                     bool has_constant_weights, Layer& layer) {
  const bool is_convolution =
      node.Is("Convolution") || node.Is("GroupConvolution");
  const bool is_pool = node.Is("MaxPool") || node.Is("AvgPool");
  if (!is_convolution && !is_pool && !node.Is("MatMul")) return false;
  DOVETAIL_ASSIGN_OR_RETURN(const Shape data,
                            StaticShape(node, node.input(0).shape()));
  DOVETAIL_ASSIGN_OR_RETURN(const Shape output,
                            StaticShape(node, node.port(0).shape));
  if (is_convolution) {
    return ReadConvolution(machine, node, data, output, layer);
  }
  if (is_pool) return ReadPool(node, data, output, layer);
  return ReadMatMul(node, data, output, has_constant_weights, layer);
}

std::string UnitOf(const Machine& machine, const Node& node) {
  Layer layer;
  const bool has_constant = std::any_of(
      node.inputs().begin(), node.inputs().end(),
      [](Value value) { return value && value.node->Is("Constant"); });
  const absl::StatusOr<bool> is_read =
      ReadEngineLayer(machine, node, has_constant, layer);
  if (!is_read.ok() || !*is_read) return "";
  if (layer.kind != LayerKind::kProducts) return "NCE";
  return absl::StrCat("SHAVE: ", layer.reason);
}

}  // namespace dovetail::vpu
