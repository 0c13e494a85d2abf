#include "dovetail/backends/cpu/steps/convolution/problem.h"

#include <algorithm>
#include <utility>

#include "dovetail/backends/cpu/kernels/integer/dot_products/depthwise_dots.h"
#include "dovetail/backends/cpu/kernels/integer/integer_convolution.h"
#include "dovetail/backends/cpu/onednn/isa.h"
#include "dovetail/backends/cpu/steps/common/integer_operands.h"
#include "dovetail/core/ops/common/window.h"
#include "dovetail/core/ops/convolution/convolution.h"
#include "dovetail/core/ops/convolution/convolution_backprop_data.h"

namespace dovetail::cpu {
namespace {

// The axes of `problem` along the spatial axis `i`, as the node's attributes
// say.
dovetail::WindowAxis AxisOf(const ConvolutionProblem& problem, int i,
                            int64_t kernel) {
  const Node& node = *problem.node;
  const int64_t in = problem.source[i + 2], out = problem.result[i + 2];
  if (const auto* attributes = node.As<ConvolutionBackpropDataAttributes>()) {
    return ResolveBackpropWindow(*attributes, i, in, kernel, out,
                                 node.input_count() > 2);
  }
  return ResolveWindow(node.As<ConvolutionAttributes>()->window, i, in, kernel,
                       out);
}

// Windows that reach further than this are none of a network's. oneDNN computes
// offsets in code of theirs in too few bits: a transposed convolution of stride
// 65536 reads where there is no memory.
constexpr int64_t kMaxStride = 4096, kMaxSpan = 1 << 15;

// False: oneDNN has no such window.
bool AddWindow(ConvolutionProblem& problem) {
  const int spatial = problem.source.rank() - 2;
  const size_t leading = problem.weights_dims.size() - spatial;
  for (int i = 0; i < spatial; ++i) {
    const dovetail::WindowAxis axis =
        AxisOf(problem, i, problem.weights_dims[leading + i]);
    // Of a transposed one, `input` is what comes out.
    const int64_t needed = (axis.output - 1) * axis.stride + axis.span();
    int64_t pad_end = axis.pad_end;
    // What the last windows do not reach is of no interest; with
    // output_padding, they reach less than there is.
    const int64_t rest = axis.input + axis.pad_begin + pad_end - needed;
    if (rest < 0 || rest >= axis.stride) pad_end -= rest;
    if (axis.stride > kMaxStride || axis.span() > kMaxSpan) return false;
    if (axis.pad_begin < 0 || pad_end < 0) return false;
    if (axis.pad_begin >= axis.span() || pad_end >= axis.span()) return false;
    problem.strides.push_back(axis.stride);
    problem.dilations.push_back(axis.dilation - 1);
    problem.pads_begin.push_back(axis.pad_begin);
    problem.pads_end.push_back(pad_end);
  }
  return true;
}

// The model's order of the weights' axes, and the strides that belong to it.
void AddWeights(ConvolutionProblem& problem, const Shape& shape) {
  const bool grouped = problem.node->Is("GroupConvolution") ||
                       problem.node->Is("GroupConvolutionBackpropData");
  std::vector<int64_t> dims(shape.begin(), shape.end());
  std::vector<int64_t> strides(dims.size(), 1);
  for (size_t i = dims.size() - 1; i-- > 0;) {
    strides[i] = strides[i + 1] * dims[i + 1];
  }
  // Transposed: inputs come before outputs.
  const size_t first = grouped ? 1 : 0;
  if (problem.transposed) {
    std::swap(dims[first], dims[first + 1]);
    std::swap(strides[first], strides[first + 1]);
  }
  problem.groups = grouped ? dims[0] : 1;
  if (grouped && dims[0] == 1) {
    dims.erase(dims.begin());
    strides.erase(strides.begin());
  }
  problem.weights_dims = std::move(dims);
  problem.weights_strides = std::move(strides);
}

// Whether windows along the spatial axis `i` are its elements.
bool IsPointwise(const ConvolutionProblem& problem, int i) {
  const int64_t kernel =
      problem.weights_dims.end()[i - static_cast<int>(problem.strides.size())];
  return kernel == 1 && problem.strides[i] == 1 && problem.pads_begin[i] == 0 &&
         problem.source[i + 2] == problem.result[i + 2];
}

bool HasPlanesOfOnePixel(const Shape& volume) {
  return volume[3] * volume[4] == 1;
}

// A row as a picture of one.
void AddAxis(ConvolutionProblem& problem) {
  const auto with_one = [](const Shape& shape) {
    return Shape({shape[0], shape[1], 1, shape[2]});
  };
  problem.source = with_one(problem.source);
  problem.result = with_one(problem.result);
  const int64_t columns = problem.weights_dims.back();
  problem.weights_dims.insert(problem.weights_dims.end() - 1, 1);
  problem.weights_strides.insert(problem.weights_strides.end() - 1, columns);
  problem.strides.insert(problem.strides.begin(), 1);
  problem.dilations.insert(problem.dilations.begin(), 0);
  problem.pads_begin.insert(problem.pads_begin.begin(), 0);
  problem.pads_end.insert(problem.pads_end.begin(), 0);
}

// A volume whose windows reach from plane to plane alone as a picture whose
// rows are the planes.
void JoinPixels(ConvolutionProblem& problem) {
  const auto joined = [](const Shape& shape) {
    return Shape({shape[0], shape[1], shape[2], shape[3] * shape[4]});
  };
  problem.source = joined(problem.source);
  problem.result = joined(problem.result);
  for (auto* numbers :
       {&problem.weights_dims, &problem.weights_strides, &problem.strides,
        &problem.dilations, &problem.pads_begin, &problem.pads_end}) {
    numbers->pop_back();
  }
}

// Kernels need no form of their own for what lies as a picture does, and some
// of oneDNN's take pictures only, such as blocks of depthwise products.
void MakePicture(ConvolutionProblem& problem) {
  if (problem.source.rank() == 3) AddAxis(problem);
  if (problem.source.rank() == 5 && IsPointwise(problem, 1) &&
      IsPointwise(problem, 2)) {
    JoinPixels(problem);
  }
}

// Whether all that becomes of the result, a few operations on, is rounded to a
// grid.
bool IsQuantized(const Node& node) {
  constexpr int kFarthest = 3;
  const Node* at = &node;
  for (int i = 0; i < kFarthest; ++i) {
    const std::vector<Use>& uses = at->port().uses;
    if (uses.size() != 1 || uses[0].node->output_count() != 1) return false;
    at = uses[0].node;
    if (at->Is("FakeQuantize")) return true;
  }
  return false;
}

// Whether there is a kernel for a zero point of each channel.
bool TakesZeroPoints(const ConvolutionProblem& problem) {
  if (problem.source.rank() != 4) return false;
  const IntegerConvolutionShape shape = IntegerShapeOf(problem);
  if (!HasDotProducts()) return IntegerConvolution::IsSupported(shape);
  return Includes(UsableIsa(), Isa::kAvx512Vnni) &&
         DepthwiseDotsMethod::IsSupported(shape);
}

}  // namespace

bool ConvolutionProblem::is_depthwise() const {
  return groups > 1 && weights_dims[1] == 1 && weights_dims[2] == 1;
}

WindowAxis WindowOf(const ConvolutionProblem& problem, int i) {
  const size_t spatial = problem.strides.size();
  WindowAxis axis;
  axis.input = problem.source[i + 2];
  axis.output = problem.result[i + 2];
  axis.kernel = problem.weights_dims[problem.weights_dims.size() - spatial + i];
  axis.stride = problem.strides[i];
  axis.dilation = problem.dilations[i] + 1;
  axis.pad = problem.pads_begin[i];
  return axis;
}

IntegerConvolutionShape IntegerShapeOf(const ConvolutionProblem& problem) {
  IntegerConvolutionShape shape;
  shape.batch = problem.source[0];
  shape.inputs = problem.source[1];
  shape.outputs = problem.result[1];
  shape.groups = problem.groups;
  const int spatial = problem.source.rank() - 2;
  if (spatial == 3) shape.planes = WindowOf(problem, 0);
  shape.rows = WindowOf(problem, spatial - 2);
  shape.columns = WindowOf(problem, spatial - 1);
  shape.input_type = problem.data_type;
  shape.zero_point = problem.data_zero_point;
  shape.zero_points = problem.channel_zero_points;
  return shape;
}

std::optional<ConvolutionProblem> ConvolutionProblemOf(const Node& node) {
  if (!IsConvolution(node) || node.port().type != ElementType::kF32) {
    return std::nullopt;
  }
  ConvolutionProblem problem;
  problem.node = &node;
  problem.transposed = node.As<ConvolutionAttributes>() == nullptr;
  problem.data = node.input(0);
  problem.weights = node.input(1);
  problem.source = PlanBuilder::ShapeOf(problem.data);
  problem.result = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node));
  if (const auto integers = IntegerOperandsOf(node)) {
    problem.data = integers->data;
    problem.data_type = integers->data.type();
    problem.data_zero_point = integers->zero_point;
    problem.channel_zero_points = integers->zero_points;
    problem.weights = integers->weights;
    problem.weights_type = integers->weights.type();
  }
  problem.is_quantized = !problem.is_integer() && IsQuantized(node);
  if (problem.data.type() == ElementType::kF64) return std::nullopt;
  AddWeights(problem, PlanBuilder::ShapeOf(problem.weights));
  if (!AddWindow(problem)) return std::nullopt;
  MakePicture(problem);
  if (!problem.channel_zero_points.empty() && !TakesZeroPoints(problem)) {
    return WithFloats(std::move(problem));
  }
  return problem;
}

std::optional<ConvolutionProblem> WithPlanesAsImages(
    ConvolutionProblem problem) {
  // Images of one pixel look alike in all layouts, but not the volumes that
  // they are the planes of.
  if (problem.source.rank() != 5 || !IsPointwise(problem, 0) ||
      HasPlanesOfOnePixel(problem.source) ||
      HasPlanesOfOnePixel(problem.result)) {
    return std::nullopt;
  }
  const auto images = [](const Shape& shape) {
    return Shape({shape[0] * shape[2], shape[1], shape[3], shape[4]});
  };
  problem.source = images(problem.source);
  problem.result = images(problem.result);
  problem.weights_dims.erase(problem.weights_dims.end() - 3);
  problem.weights_strides.erase(problem.weights_strides.end() - 3);
  for (auto* numbers : {&problem.strides, &problem.dilations,
                        &problem.pads_begin, &problem.pads_end}) {
    numbers->erase(numbers->begin());
  }
  problem.has_planes_as_images = true;
  return problem;
}

std::optional<ConvolutionProblem> WithVolume(ConvolutionProblem problem) {
  const Shape source = PlanBuilder::ShapeOf(problem.data);
  if (source.rank() != 5 || problem.source.rank() != 4 ||
      problem.has_planes_as_images) {
    return std::nullopt;
  }
  problem.source = source;
  problem.result = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(*problem.node));
  for (auto* ones :
       {&problem.weights_dims, &problem.weights_strides, &problem.strides}) {
    ones->push_back(1);
  }
  for (auto* zeros :
       {&problem.dilations, &problem.pads_begin, &problem.pads_end}) {
    zeros->push_back(0);
  }
  return problem;
}

ConvolutionProblem WithFloats(ConvolutionProblem problem) {
  problem.data = problem.node->input(0);
  problem.data_type = ElementType::kF32;
  problem.is_quantized = IsQuantized(*problem.node);
  problem.data_zero_point = 0;
  problem.channel_zero_points.clear();
  problem.weights = problem.node->input(1);
  problem.weights_type = ElementType::kF32;
  return problem;
}

}  // namespace dovetail::cpu
