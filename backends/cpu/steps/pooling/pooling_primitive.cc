#include "dovetail/backends/cpu/steps/pooling/pooling_primitive.h"

#include <algorithm>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/backends/cpu/onednn/descriptors.h"
#include "dovetail/backends/cpu/onednn/guard.h"
#include "dovetail/backends/cpu/onednn/primitive_step.h"
#include "dovetail/backends/cpu/onednn/stream.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

using Algorithm = dnnl::algorithm;
using PoolingDesc = dnnl::pooling_forward::primitive_desc;

struct PoolingDims {
  dnnl::memory::dims kernel, strides, dilations, pads_begin, pads_end;
};

// Windows that oneDNN has: each covers at least one element of the data.
absl::StatusOr<PoolingDims> DimsOf(absl::Span<const WindowAxis> axes) {
  PoolingDims dims;
  for (const WindowAxis& axis : axes) {
    // Wherever rounding has put the last window.
    const int64_t pad_end = (axis.output - 1) * axis.stride + axis.span() -
                            axis.input - axis.pad_begin;
    const int64_t last = axis.Begin(axis.output - 1);
    if (axis.pad_begin < 0 || axis.pad_begin >= axis.span() ||
        last >= axis.input) {
      return Unimplemented("windows beside the data");
    }
    if (axis.dilation < 1 ||
        (axis.dilation > 1 && (axis.pad_begin > 0 || pad_end > 0))) {
      return Unimplemented("a dilation of ", axis.dilation, " with padding");
    }
    dims.kernel.push_back(axis.kernel);
    dims.strides.push_back(axis.stride);
    dims.dilations.push_back(axis.dilation - 1);
    dims.pads_begin.push_back(axis.pad_begin);
    dims.pads_end.push_back(std::max<int64_t>(pad_end, 0));
  }
  return dims;
}

Algorithm AlgorithmOf(PoolingKind kind) {
  switch (kind) {
    case PoolingKind::kMax:
      return Algorithm::pooling_max;
    case PoolingKind::kAverageOfData:
      return Algorithm::pooling_avg_exclude_padding;
    case PoolingKind::kAverageOfWindow:
      return Algorithm::pooling_avg_include_padding;
  }
  return Algorithm::undef;
}

struct PoolingPrimitive {
  PoolingDesc desc;
  Format format;  // of data and result
  bool is_generated() const {
    return desc && absl::StartsWith(desc.impl_info_str(), "jit");
  }
};

// May have no descriptor.
PoolingPrimitive MakePrimitive(const PoolingProblem& problem,
                               const PoolingDims& dims, const Format& format) {
  const Node& node = *problem.node;
  const auto describe = [&](Value value) {
    return Describe(PlanBuilder::ShapeOf(value), format);
  };
  return {PoolingDesc(CpuEngine(), dnnl::prop_kind::forward_inference,
                      AlgorithmOf(problem.kind), describe(node.input(0)),
                      describe(PlanBuilder::OutputOf(node)), dims.strides,
                      dims.kernel, dims.dilations, dims.pads_begin,
                      dims.pads_end, ScratchpadAttr(), /*allow_empty=*/true),
          format};
}

// In the layout of the data, unless only slow code has it.
std::optional<PoolingPrimitive> ChoosePrimitive(const PoolingProblem& problem,
                                                const PoolingDims& dims,
                                                Format stored) {
  const bool is_float =
      stored.type == ElementType::kF32 || stored.type == ElementType::kBf16;
  if (problem.kind != PoolingKind::kMax && !is_float) {
    stored.type = ElementType::kF32;
  }
  std::optional<PoolingPrimitive> usable;
  for (const Layout layout : {stored.layout, Layout::kBlocked8,
                              Layout::kBlocked16, Layout::kChannelsLast}) {
    PoolingPrimitive primitive =
        MakePrimitive(problem, dims, {stored.type, layout});
    if (primitive.is_generated()) return primitive;
    if (primitive.desc && !usable.has_value()) usable = primitive;
  }
  return usable;
}

absl::Status Emit(const Node& node, const PoolingPrimitive& primitive,
                  PlanBuilder& builder) {
  const PoolingDesc& desc = primitive.desc;
  DOVETAIL_ASSIGN_OR_RETURN(const Operand data,
                            builder.Read(node.input(0), primitive.format));
  const Operand result =
      builder.Write(PlanBuilder::OutputOf(node), primitive.format);
  AddPrimitive(node, builder, desc, {{DNNL_ARG_SRC, desc.src_desc(), data}},
               {{DNNL_ARG_DST, desc.dst_desc(), result}});
  return absl::OkStatus();
}

constexpr absl::string_view kWhat = "a pooling";

}  // namespace

absl::StatusOr<KernelOffer> TryPoolingPrimitive(const PoolingProblem& problem,
                                                const PlanBuilder& builder) {
  DOVETAIL_ASSIGN_OR_RETURN(const PoolingDims dims, DimsOf(problem.axes));
  SetPrimitiveThreads(builder.settings().threads);
  const Node& node = *problem.node;
  return GuardedCall(kWhat, [&]() -> absl::StatusOr<KernelOffer> {
    const auto primitive =
        ChoosePrimitive(problem, dims, builder.FormatOf(node.input(0)));
    if (!primitive.has_value()) return Unimplemented("no such primitive");
    KernelOffer offer;
    offer.source = primitive->format.layout;
    offer.emit = [&node, primitive = *primitive](PlanBuilder& plan) {
      return GuardedCall(kWhat, [&] { return Emit(node, primitive, plan); });
    };
    return offer;
  });
}

}  // namespace dovetail::cpu
