#include "dovetail/bench/blocks/layers.h"

#include <string>
#include <vector>

namespace dovetail::blocks {
namespace {

AttributeList WindowAttributes(int64_t stride, int64_t dilation, int64_t pad) {
  using Ints = std::vector<int64_t>;
  return {{"strides", Ints{stride, stride}},
          {"dilations", Ints{dilation, dilation}},
          {"pads_begin", Ints{pad, pad}},
          {"pads_end", Ints{pad, pad}},
          {"auto_pad", std::string("explicit")}};
}

Value AddBias(BlockBuilder& b, Value x, const Shape& shape) {
  return b.Add(x, b.Floats(shape, -0.2, 0.2));
}

// Of the extents of `shape`.
Value ScaleAndBias(BlockBuilder& b, Value x, const Shape& shape) {
  return AddBias(b, b.Multiply(x, b.Floats(shape, 0.8, 1.2)), shape);
}

Value Normalize(BlockBuilder& b, Value x, const std::vector<int64_t>& axes) {
  return b.Make("MVN", {x, b.Ints(axes)},
                {{"eps", 1e-5},
                 {"normalize_variance", true},
                 {"eps_mode", std::string("INSIDE_SQRT")}});
}

}  // namespace

int64_t Extent(Value x, int axis) {
  const PartialShape& shape = x.shape();
  if (!shape.is_static()) return 1;  // of an error, which the builder keeps
  return shape[axis < 0 ? axis + shape.rank() : axis].value();
}

// ---- Products ----

Value Convolution(BlockBuilder& b, Value x, int64_t outputs,
                  const ConvolutionOptions& options) {
  const int64_t inputs = Extent(x, 1), kernel = options.kernel;
  const AttributeList window =
      WindowAttributes(options.stride, options.dilation,
                       options.dilation * (kernel - 1) / 2);
  const int64_t groups = options.groups, each = inputs / groups;
  const int64_t fan_in = each * kernel * kernel;
  const Value read = b.Activations(x);
  const Value sums =
      groups == 1
          ? b.Make("Convolution",
                   {read, b.Weights({outputs, inputs, kernel, kernel}, fan_in)},
                   window)
          : b.Make("GroupConvolution",
                   {read, b.Weights({groups, outputs / groups, each, kernel,
                                     kernel},
                                    fan_in, 2)},
                   window);
  return AddBias(b, sums, {1, outputs, 1, 1});
}

Value Depthwise(BlockBuilder& b, Value x, int64_t kernel, int64_t stride) {
  const int64_t channels = Extent(x, 1);
  return Convolution(b, x, channels, {kernel, stride, 1, channels});
}

Value TransposedConvolution(BlockBuilder& b, Value x, int64_t outputs,
                            int64_t groups) {
  const int64_t inputs = Extent(x, 1), each = inputs / groups;
  const int64_t kernel = groups == 1 ? 2 : 4;
  const AttributeList window = WindowAttributes(2, 1, kernel / 2 - 1);
  // Of the kernel's elements a fourth meets any output.
  const int64_t fan_in = each * kernel * kernel / 4;
  const Value read = b.Activations(x);
  const Value sums =
      groups == 1
          ? b.Make("ConvolutionBackpropData",
                   {read, b.Weights({inputs, outputs, kernel, kernel}, fan_in,
                                    0)},
                   window)
          : b.Make("GroupConvolutionBackpropData",
                   {read, b.Weights({groups, each, outputs / groups, kernel,
                                     kernel},
                                    fan_in)},
                   window);
  return AddBias(b, sums, {1, outputs, 1, 1});
}

Value Projection(BlockBuilder& b, Value x, int64_t outputs) {
  const int64_t inputs = Extent(x, -1);
  return b.MatMul(b.Activations(x), b.Matrix(outputs, inputs), false, true);
}

Value Linear(BlockBuilder& b, Value x, int64_t outputs) {
  Shape bias(std::vector<int64_t>(x.shape().rank(), 1));
  bias[bias.rank() - 1] = outputs;
  return AddBias(b, Projection(b, x, outputs), bias);
}

// ---- Normalization ----

Value LayerNorm(BlockBuilder& b, Value x) {
  return ScaleAndBias(b, Normalize(b, x, {-1}), {Extent(x, -1)});
}

Value RmsNorm(BlockBuilder& b, Value x) {
  const Value mean = b.Reduce("ReduceMean", b.Power(x, 2.0), {-1});
  const Value root = b.Make("Sqrt", {b.Add(mean, 1e-6)});
  const Value normalized = b.Multiply(x, b.Divide(1.0, root));
  return b.Multiply(normalized, b.Floats({Extent(x, -1)}, 0.8, 1.2));
}

Value InstanceNorm(BlockBuilder& b, Value x) {
  return ScaleAndBias(b, Normalize(b, x, {2, 3}), {1, Extent(x, 1), 1, 1});
}

Value GroupNorm(BlockBuilder& b, Value x, int64_t groups) {
  const int64_t channels = Extent(x, 1);
  return b.Make(
      "GroupNormalization",
      {x, b.Floats({channels}, 0.8, 1.2), b.Floats({channels}, -0.2, 0.2)},
      {{"num_groups", groups}, {"epsilon", 1e-5}});
}

// ---- Others ----

Value Softmax(BlockBuilder& b, Value x, int64_t axis) {
  return b.Make("Softmax", {x}, {{"axis", axis}});
}

Value Resize(BlockBuilder& b, Value x, int64_t rows, int64_t columns,
             const char* mode) {
  const bool is_nearest = std::string(mode) == "nearest";
  return b.Make(
      "Interpolate", {x, b.Ints({rows, columns}), b.Ints({2, 3})},
      {{"mode", std::string(mode)},
       {"shape_calculation_mode", std::string("sizes")},
       {"coordinate_transformation_mode",
        std::string(is_nearest ? "asymmetric" : "half_pixel")},
       {"nearest_mode", std::string("floor")}});
}

}  // namespace dovetail::blocks
