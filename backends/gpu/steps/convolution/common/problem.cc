#include "dovetail/backends/gpu/steps/convolution/common/problem.h"

#include "dovetail/core/ops/convolution/convolution.h"
#include "dovetail/core/ops/convolution/convolution_backprop_data.h"

namespace dovetail::gpu {
namespace {

WindowAxis AxisOf(const Node& node, int i, int64_t in, int64_t kernel,
                  int64_t out) {
  if (const auto* attributes = node.As<ConvolutionBackpropDataAttributes>()) {
    return ResolveBackpropWindow(*attributes, i, in, kernel, out,
                                 node.input_count() > 2);
  }
  return ResolveWindow(node.As<ConvolutionAttributes>()->window, i, in, kernel,
                       out);
}

// Of [groups,] outputs, inputs, window; transposed: inputs come first.
void AddChannels(ConvolutionProblem& problem, const Shape& weights,
                 bool grouped) {
  const int first = grouped ? 1 : 0;
  problem.inputs = weights[first + 1];
  problem.outputs = weights[first];
  problem.input_stride = weights.Count(first + 2, weights.rank());
  problem.output_stride = weights.Count(first + 1, weights.rank());
  if (problem.transposed) {
    std::swap(problem.inputs, problem.outputs);
    std::swap(problem.input_stride, problem.output_stride);
  }
  problem.group_stride = weights.Count(first, weights.rank());
  if (grouped) problem.groups = weights[0];
}

}  // namespace

bool IsConvolution(const Node& node) {
  return node.As<ConvolutionAttributes>() != nullptr ||
         node.As<ConvolutionBackpropDataAttributes>() != nullptr;
}

std::optional<ConvolutionProblem> ConvolutionProblemOf(const Node& node) {
  if (!IsConvolution(node)) return std::nullopt;
  const bool direct = node.As<ConvolutionAttributes>() != nullptr;
  ConvolutionProblem problem;
  problem.node = &node;
  problem.transposed = !direct;
  problem.data = node.input(0);
  problem.weights = node.input(1);
  problem.source = PlanBuilder::ShapeOf(problem.data);
  problem.result = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node));
  problem.batch = problem.source[0];
  const Shape weights = PlanBuilder::ShapeOf(problem.weights);
  const int spatial = problem.source.rank() - 2;
  AddChannels(problem, weights, weights.rank() - spatial == 3);
  for (int i = 0; i < spatial; ++i) {
    problem.axes[3 - spatial + i] =
        AxisOf(node, i, problem.source[2 + i],
               weights[weights.rank() - spatial + i], problem.result[2 + i]);
  }
  return problem;
}

}  // namespace dovetail::gpu
