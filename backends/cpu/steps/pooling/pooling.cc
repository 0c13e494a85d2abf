#include "dovetail/backends/cpu/steps/pooling/pooling.h"

#include <optional>
#include <vector>

#include "dovetail/backends/cpu/compiler/kernel_list.h"
#include "dovetail/backends/cpu/steps/pooling/adaptive_pool_step.h"
#include "dovetail/backends/cpu/steps/pooling/max_pool_step.h"
#include "dovetail/backends/cpu/steps/pooling/pooling_primitive.h"
#include "dovetail/backends/cpu/steps/pooling/problem.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/pooling/avg_pool.h"
#include "dovetail/core/ops/pooling/max_pool.h"
#include "dovetail/core/ops/pooling/pool_shape.h"

namespace dovetail::cpu {
namespace {

using Axes = std::vector<WindowAxis>;

// In order of preference.
constexpr KernelCandidate<PoolingProblem> kKernels[] = {
    {"max_pool_bytes", &TryMaxPoolBytes},
    {"onednn", &TryPoolingPrimitive},
};

// oneDNN's divisor is the window's size, or what it covers of the data; the
// operation's can be in between, where a window was rounded beyond the padding.
absl::StatusOr<PoolingKind> AverageOf(const AvgPoolAttributes& attributes,
                                      const Axes& axes) {
  bool padded = false, beyond = false;
  for (const WindowAxis& axis : axes) {
    padded |= axis.pad_begin != 0 || axis.pad_end != 0;
    beyond |=
        axis.Begin(axis.output - 1) + axis.span() > axis.input + axis.pad_end;
  }
  if (attributes.exclude_pad || !padded) return PoolingKind::kAverageOfData;
  if (beyond && attributes.window.rounding == Rounding::kCeilTorch) {
    return Unimplemented("windows that are rounded beyond the padding");
  }
  return PoolingKind::kAverageOfWindow;
}

Axes AxesOf(const Node& node, const SlidingWindow& window,
            const std::vector<int64_t>& kernel) {
  return ResolvePool(window, kernel, PlanBuilder::ShapeOf(node.input(0)),
                     PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node)));
}

absl::Status CheckIsF32(const Node& node) {
  const ElementType type = node.port().type;
  if (type == ElementType::kF32) return absl::OkStatus();
  return Unimplemented("data of ", ElementTypeName(type));
}

// Where they lie is not computed.
absl::Status CheckNoIndices(const Node& node) {
  if (node.output_count() < 2 || node.port(1).uses.empty()) {
    return absl::OkStatus();
  }
  return Unimplemented("indices that somebody reads");
}

absl::StatusOr<PoolingProblem> MaxPoolOf(const Node& node) {
  const ElementType type = node.port().type;
  if (type != ElementType::kU8 && type != ElementType::kI8) {
    DOVETAIL_RETURN_IF_ERROR(CheckIsF32(node));
  }
  DOVETAIL_RETURN_IF_ERROR(CheckNoIndices(node));
  PoolingProblem problem = {&node, PoolingKind::kMax, {}};
  if (const auto* version8 = node.As<MaxPool8Attributes>()) {
    problem.axes = AxesOf(node, version8->window, version8->kernel);
  } else if (const auto* version1 = node.As<MaxPoolAttributes>()) {
    problem.axes = AxesOf(node, version1->window, version1->kernel);
  } else {
    return Unimplemented("an unknown version");
  }
  return problem;
}

absl::StatusOr<PoolingProblem> AvgPoolOf(const Node& node) {
  DOVETAIL_RETURN_IF_ERROR(CheckIsF32(node));
  const AvgPoolAttributes& attributes = AvgPoolAttributesOf(node);
  PoolingProblem problem = {&node};
  problem.axes = AxesOf(node, attributes.window, attributes.kernel);
  DOVETAIL_ASSIGN_OR_RETURN(problem.kind, AverageOf(attributes, problem.axes));
  return problem;
}

// The windows along the spatial axes where all are of one size.
std::optional<Axes> EvenAxes(const Shape& data, const Shape& result) {
  Axes axes;
  for (int i = 2; i < data.rank(); ++i) {
    if (data[i] % result[i] != 0) return std::nullopt;
    WindowAxis axis;
    axis.input = data[i];
    axis.kernel = axis.stride = data[i] / result[i];
    axis.output = result[i];
    axes.push_back(axis);
  }
  return axes;
}

absl::StatusOr<AdaptiveProblem> AdaptivePoolOf(const Node& node,
                                               PoolingKind kind) {
  DOVETAIL_RETURN_IF_ERROR(CheckIsF32(node));
  DOVETAIL_RETURN_IF_ERROR(CheckNoIndices(node));
  const Shape data = PlanBuilder::ShapeOf(node.input(0));
  const Shape result = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node));
  if (data.Count() == 0 || result.Count() == 0) {
    return Unimplemented("no elements");
  }
  AdaptiveProblem problem = {&node, kind, {}};
  const auto axes = EvenAxes(data, result);
  if (axes.has_value()) problem.even = {&node, kind, *axes};
  return problem;
}

absl::StatusOr<KernelOffer> TryEven(const AdaptiveProblem& problem,
                                    const PlanBuilder& builder) {
  if (!problem.even.has_value()) {
    return Unimplemented("windows of several sizes");
  }
  return TryPoolingPrimitive(*problem.even, builder);
}

// In order of preference.
constexpr KernelCandidate<AdaptiveProblem> kAdaptiveKernels[] = {
    {"onednn", &TryEven},
    {"adaptive_pool", &TryAdaptivePool},
};

}  // namespace

absl::StatusOr<bool> EmitMaxPool(const Node& node, PlanBuilder& builder) {
  return EmitFirst<PoolingProblem>(kKernels, node, MaxPoolOf(node), builder);
}

absl::StatusOr<bool> EmitAvgPool(const Node& node, PlanBuilder& builder) {
  return EmitFirst<PoolingProblem>(kKernels, node, AvgPoolOf(node), builder);
}

absl::StatusOr<bool> EmitAdaptiveAvgPool(const Node& node,
                                         PlanBuilder& builder) {
  return EmitFirst<AdaptiveProblem>(
      kAdaptiveKernels, node,
      AdaptivePoolOf(node, PoolingKind::kAverageOfData), builder);
}

absl::StatusOr<bool> EmitAdaptiveMaxPool(const Node& node,
                                         PlanBuilder& builder) {
  return EmitFirst<AdaptiveProblem>(kAdaptiveKernels, node,
                                    AdaptivePoolOf(node, PoolingKind::kMax),
                                    builder);
}

}  // namespace dovetail::cpu
