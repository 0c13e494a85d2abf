// A convolution as oneDNN is told of it: shapes, window and where the numbers
// come from.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_PROBLEM_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_PROBLEM_H_

#include <cstdint>
#include <optional>

#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace dovetail::cpu {

struct ConvolutionProblem {
  const Node* node = nullptr;
  bool transposed = false;  // ConvolutionBackpropData and the same of groups
  int64_t groups = 1;

  // What is multiplied: f32 (or bf16) values, or integers behind Converts.
  Value data;
  ElementType data_type = ElementType::kF32;
  int32_t data_zero_point = 0;
  Value weights;
  ElementType weights_type = ElementType::kF32;

  Shape source, result;
  // Of the weights: [groups,] outputs, inputs, spatial …; `plain_weights` says
  // how they lie in the model.
  dnnl::memory::dims weights_dims;
  dnnl::memory::desc plain_weights;
  // One number for each spatial axis; dilations of neighbours are 0.
  dnnl::memory::dims strides, dilations, pads_begin, pads_end;

  // Whether sums of floats are quantised, behind a bias, a residual or an
  // activation. Then they are summed as the reference kernels do, channel by
  // channel and the bias last, so that no tie falls to another side.
  bool is_quantized = false;

  bool is_integer() const { return data_type != ElementType::kF32; }
  // One channel in, one out, in each group.
  bool is_depthwise() const;
};

// The problem of a node Convolution, GroupConvolution,
// ConvolutionBackpropData or GroupConvolutionBackpropData of f32; nothing for
// forms that oneDNN does not have, such as negative paddings. With integers
// where IntegerOperandsOf finds them. Throws like all of oneDNN.
std::optional<ConvolutionProblem> ConvolutionProblemOf(const Node& node);

// The same with f32 operands, whatever they are made of.
ConvolutionProblem WithFloats(ConvolutionProblem problem);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_PROBLEM_H_
