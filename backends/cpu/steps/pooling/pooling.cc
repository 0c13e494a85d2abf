#include "dovetail/backends/cpu/steps/pooling/pooling.h"

#include <optional>
#include <vector>

#include "absl/strings/match.h"
#include "dovetail/backends/cpu/onednn/descriptors.h"
#include "dovetail/backends/cpu/onednn/guard.h"
#include "dovetail/backends/cpu/onednn/primitive_step.h"
#include "dovetail/backends/cpu/onednn/stream.h"
#include "dovetail/backends/cpu/steps/pooling/max_pool_step.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/pooling/avg_pool.h"
#include "dovetail/core/ops/pooling/max_pool.h"
#include "dovetail/core/ops/pooling/pool_shape.h"

namespace dovetail::cpu {
namespace {

using Algorithm = dnnl::algorithm;
using Axes = std::vector<WindowAxis>;

struct PoolingDims {
  dnnl::memory::dims kernel, strides, dilations, pads_begin, pads_end;
};

// Windows that oneDNN has: each covers at least one element of the data.
std::optional<PoolingDims> DimsOf(absl::Span<const WindowAxis> axes) {
  PoolingDims dims;
  for (const WindowAxis& axis : axes) {
    // Wherever rounding has put the last window.
    const int64_t pad_end = (axis.output - 1) * axis.stride + axis.span() -
                            axis.input - axis.pad_begin;
    const int64_t last = axis.Begin(axis.output - 1);
    if (axis.pad_begin < 0 || axis.pad_begin >= axis.span() ||
        last >= axis.input || axis.dilation < 1 ||
        (axis.dilation > 1 && (axis.pad_begin > 0 || pad_end > 0))) {
      return std::nullopt;
    }
    dims.kernel.push_back(axis.kernel);
    dims.strides.push_back(axis.stride);
    dims.dilations.push_back(axis.dilation - 1);
    dims.pads_begin.push_back(axis.pad_begin);
    dims.pads_end.push_back(std::max<int64_t>(pad_end, 0));
  }
  return dims;
}

using PoolingDesc = dnnl::pooling_forward::primitive_desc;

PoolingDesc MakeDesc(Algorithm algorithm, const PoolingDims& dims,
                     const dnnl::memory::desc& source,
                     const dnnl::memory::desc& result) {
  return PoolingDesc(CpuEngine(), dnnl::prop_kind::forward_inference, algorithm,
                     source, result, dims.strides, dims.kernel, dims.dilations,
                     dims.pads_begin, dims.pads_end, ScratchpadAttr(),
                     /*allow_empty=*/true);
}

bool IsGenerated(const PoolingDesc& desc) {
  return desc && absl::StartsWith(desc.impl_info_str(), "jit");
}

// The layout of the data, unless only slow code has it.
std::optional<Format> ChooseFormat(const Format& stored, const Shape& source,
                                   const Shape& result, Algorithm algorithm,
                                   const PoolingDims& dims) {
  Format first = stored;
  if (algorithm != Algorithm::pooling_max) {
    const bool is_float =
        stored.type == ElementType::kF32 || stored.type == ElementType::kBf16;
    if (!is_float) first.type = ElementType::kF32;
  }
  std::optional<Format> usable;
  for (const Layout layout : {first.layout, Layout::kBlocked8,
                              Layout::kBlocked16, Layout::kChannelsLast}) {
    const Format format = {first.type, layout};
    const PoolingDesc desc = MakeDesc(algorithm, dims, Describe(source, format),
                                      Describe(result, format));
    if (IsGenerated(desc)) return format;
    if (desc && !usable.has_value()) usable = format;
  }
  return usable;
}

absl::StatusOr<bool> Emit(const Node& node, PlanBuilder& builder,
                          Algorithm algorithm, const PoolingDims& dims) {
  SetPrimitiveThreads(builder.settings().threads);
  const Value result = PlanBuilder::OutputOf(node);
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  const Shape result_shape = PlanBuilder::ShapeOf(result);
  const auto format = ChooseFormat(builder.FormatOf(node.input(0)), shape,
                                   result_shape, algorithm, dims);
  if (!format.has_value()) return false;
  const auto source_desc = Describe(shape, *format);
  const auto result_desc = Describe(result_shape, *format);
  const PoolingDesc desc = MakeDesc(algorithm, dims, source_desc, result_desc);
  DOVETAIL_ASSIGN_OR_RETURN(const Operand data,
                            builder.Read(node.input(0), *format));
  AddPrimitive(node, builder, desc, {{DNNL_ARG_SRC, source_desc, data}},
               {{DNNL_ARG_DST, result_desc, builder.Write(result, *format)}});
  return true;
}

// The divisor of oneDNN is the window's size, or what it covers of the data;
// the operation's can be in between, where a window was rounded beyond the
// padding.
std::optional<Algorithm> AverageOf(const AvgPoolAttributes& attributes,
                                   const Axes& axes) {
  bool padded = false, beyond = false;
  for (const WindowAxis& axis : axes) {
    padded |= axis.pad_begin != 0 || axis.pad_end != 0;
    beyond |=
        axis.Begin(axis.output - 1) + axis.span() > axis.input + axis.pad_end;
  }
  if (attributes.exclude_pad || !padded) {
    return Algorithm::pooling_avg_exclude_padding;
  }
  if (beyond && attributes.window.rounding == Rounding::kCeilTorch) return {};
  return Algorithm::pooling_avg_include_padding;
}

Axes AxesOf(const Node& node, const SlidingWindow& window,
            const std::vector<int64_t>& kernel) {
  return ResolvePool(window, kernel, PlanBuilder::ShapeOf(node.input(0)),
                     PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node)));
}

}  // namespace

absl::StatusOr<bool> EmitPooling(const Node& node, PlanBuilder& builder,
                                 Algorithm algorithm,
                                 absl::Span<const WindowAxis> axes) {
  const auto dims = DimsOf(axes);
  if (!dims.has_value()) return false;
  absl::StatusOr<bool> done = false;
  DOVETAIL_RETURN_IF_ERROR(Guarded(
      "a pooling", [&] { done = Emit(node, builder, algorithm, *dims); }));
  return done;
}

absl::StatusOr<bool> EmitMaxPool(const Node& node, PlanBuilder& builder) {
  const ElementType type = node.port().type;
  if (type != ElementType::kF32 && type != ElementType::kU8 &&
      type != ElementType::kI8) {
    return false;
  }
  if (node.output_count() > 1 && !node.port(1).uses.empty()) return false;
  Axes axes;
  if (const auto* attributes = node.As<MaxPool8Attributes>()) {
    axes = AxesOf(node, attributes->window, attributes->kernel);
  } else if (const auto* attributes = node.As<MaxPoolAttributes>()) {
    axes = AxesOf(node, attributes->window, attributes->kernel);
  } else {
    return false;
  }
  DOVETAIL_ASSIGN_OR_RETURN(const bool done,
                            EmitMaxPoolOfBytes(node, builder, axes));
  if (done) return true;
  return EmitPooling(node, builder, Algorithm::pooling_max, axes);
}

absl::StatusOr<bool> EmitAvgPool(const Node& node, PlanBuilder& builder) {
  if (node.port().type != ElementType::kF32) return false;
  const AvgPoolAttributes& attributes = AvgPoolAttributesOf(node);
  const Axes axes = AxesOf(node, attributes.window, attributes.kernel);
  const auto algorithm = AverageOf(attributes, axes);
  if (!algorithm.has_value()) return false;
  return EmitPooling(node, builder, *algorithm, axes);
}

absl::StatusOr<bool> EmitAdaptiveAvgPool(const Node& node,
                                         PlanBuilder& builder) {
  if (node.port().type != ElementType::kF32) return false;
  const Shape data = PlanBuilder::ShapeOf(node.input(0));
  const Shape result = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node));
  Axes axes;
  for (int i = 2; i < data.rank(); ++i) {
    if (data[i] % result[i] != 0) return false;
    WindowAxis axis;
    axis.input = data[i];
    axis.kernel = axis.stride = data[i] / result[i];
    axis.output = result[i];
    axes.push_back(axis);
  }
  return EmitPooling(node, builder, Algorithm::pooling_avg_exclude_padding,
                     axes);
}

}  // namespace dovetail::cpu
