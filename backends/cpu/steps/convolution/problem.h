// A convolution as its kernels see it: shapes, window and where the values come
// from.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_PROBLEM_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_PROBLEM_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/backends/cpu/kernels/convolution/window_axis.h"
#include "dovetail/backends/cpu/kernels/integer/integer_method.h"
#include "dovetail/backends/cpu/steps/convolution/picture.h"
#include "dovetail/backends/cpu/steps/convolution/quantized_picture.h"

namespace dovetail::cpu {

struct ConvolutionProblem {
  const Node* node = nullptr;
  bool transposed = false;  // ConvolutionBackpropData and the same of groups
  int64_t groups = 1;

  // What is multiplied: f32 (or bf16) values, or integers behind Converts.
  Value data;
  ElementType data_type = ElementType::kF32;
  int32_t data_zero_point = 0;
  // In place of it one for each channel, where depthwise integer kernels take
  // them; empty where not.
  std::vector<int32_t> channel_zero_points;
  Layout data_layout = Layout::kPlanar;  // as it is stored now
  // What `data` is made of, in place of which the kernel reads its bytes; null:
  // nothing.
  const Picture* picture = nullptr;
  // The same for integers that are made of floats.
  const QuantizedPicture* quantized_picture = nullptr;
  Value weights;
  ElementType weights_type = ElementType::kF32;

  // Of two or three spatial axes: a row is a picture of one, and a volume whose
  // windows reach from plane to plane alone one whose rows are the planes.
  Shape source, result;
  // Planes of a volume, which lie so where channels lie last.
  bool has_planes_as_images = false;
  // Of the weights: [groups,] outputs, inputs, spatial …, and how far apart
  // their elements lie in the model.
  std::vector<int64_t> weights_dims, weights_strides;
  // One number for each spatial axis; dilations of neighbours are 0.
  std::vector<int64_t> strides, dilations, pads_begin, pads_end;

  // Whether sums of floats are quantized, behind a bias, a residual or an
  // activation. Then they are summed as the reference kernels do, channel by
  // channel and the bias last, so that no tie falls to another side.
  bool is_quantized = false;

  // The layout in which a kernel that need not search would read the data of
  // `reader`; nothing: it is no convolution, or none of them takes it.
  std::optional<Layout> (*layout_for)(const Node& reader,
                                      const PlanBuilder& builder) = nullptr;

  bool is_integer() const { return data_type != ElementType::kF32; }
  // One channel in, one out, in each group.
  bool is_depthwise() const;
};

// The windows along the spatial axis `i`.
WindowAxis WindowOf(const ConvolutionProblem& problem, int i);

// Of two spatial axes, or three.
IntegerConvolutionShape IntegerShapeOf(const ConvolutionProblem& problem);

// The problem of a node Convolution, GroupConvolution,
// ConvolutionBackpropData or GroupConvolutionBackpropData of f32; nothing for
// others, and forms that kernels do not have, such as negative paddings. With
// integers where IntegerOperandsOf finds them. What depends on a plan is not
// set.
std::optional<ConvolutionProblem> ConvolutionProblemOf(const Node& node);

// The same of the planes of a volume, where windows reach along planes alone.
std::optional<ConvolutionProblem> WithPlanesAsImages(
    ConvolutionProblem problem);

// The same of a volume that was made a picture; nothing for others.
std::optional<ConvolutionProblem> WithVolume(ConvolutionProblem problem);

// The same with f32 operands, whatever they are made of.
ConvolutionProblem WithFloats(ConvolutionProblem problem);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_PROBLEM_H_
