#include "dovetail/backends/cpu/steps/convolution/onednn/onednn_step.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/common/fusion/epilogue.h"
#include "dovetail/backends/cpu/compiler/channel_constants.h"
#include "dovetail/backends/cpu/compiler/compute_type_of.h"
#include "dovetail/backends/cpu/kernels/linear/narrow/bf16_product.h"
#include "dovetail/backends/cpu/onednn/descriptors.h"
#include "dovetail/backends/cpu/onednn/epilogue/post_ops.h"
#include "dovetail/backends/cpu/onednn/guard.h"
#include "dovetail/backends/cpu/onednn/isa.h"
#include "dovetail/backends/cpu/onednn/packed_constant.h"
#include "dovetail/backends/cpu/onednn/primitive_step.h"
#include "dovetail/backends/cpu/onednn/zero_point.h"
#include "dovetail/backends/cpu/steps/common/quantized_data.h"
#include "dovetail/backends/cpu/steps/convolution/narrow_result.h"
#include "dovetail/backends/cpu/steps/convolution/onednn/primitive.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

using Arguments = std::vector<PrimitiveOperand>;

dnnl::memory::desc VectorDesc(int64_t count, dnnl::memory::data_type type) {
  return {{count}, type, dnnl::memory::format_tag::a};
}

Epilogue EpilogueOf(const ConvolutionProblem& problem,
                    const PlanBuilder& builder) {
  EpilogueSupport support = OneDnnEpilogues();
  // Primitives of floats that store bytes are several times slower.
  support.stores_integers = support.takes_integer_residuals =
      problem.is_integer();
  return FindEpilogue(PlanBuilder::OutputOf(*problem.node), support,
                      [&](Value value) { return builder.IsReady(value); });
}

// The tensor that weights are, or are made of by a conversion alone.
const Tensor* ConstantWeights(Value weights) {
  if (weights.node->Is("Convert")) weights = weights.node->input(0);
  const Tensor* constant = PlanBuilder::PackableConstantOf(weights);
  if (constant == nullptr || !constant->is_contiguous() ||
      !OneDnnType(constant->type()).has_value()) {
    return nullptr;
  }
  return constant;
}

// Adds the step of a primitive that has been chosen. Throws like all of oneDNN.
class Emitter {
 public:
  Emitter(const ConvolutionProblem& problem,
          const ConvolutionPrimitive& primitive, PlanBuilder& builder)
      : problem_(problem),
        primitive_(primitive),
        post_ops_(primitive.post_ops),
        builder_(builder) {}

  absl::Status Emit() {
    Arguments inputs;
    DOVETAIL_RETURN_IF_ERROR(AddOperands(inputs));
    DOVETAIL_RETURN_IF_ERROR(AddConstants(inputs));
    DOVETAIL_ASSIGN_OR_RETURN(Arguments more,
                              post_ops_.Arguments(primitive_.desc, builder_));
    std::move(more.begin(), more.end(), std::back_inserter(inputs));
    Operand residual;
    if (post_ops_.residual()) {
      DOVETAIL_ASSIGN_OR_RETURN(
          residual, builder_.Read(post_ops_.residual(), primitive_.result));
    }
    builder_.Fuse(primitive_.epilogue.nodes());
    const Operand output =
        builder_.Write(primitive_.epilogue.result(), primitive_.result);
    AddAccumulating(
        *problem_.node, builder_, primitive_.desc, std::move(inputs),
        {{DNNL_ARG_DST, primitive_.desc.query_md(dnnl::query::dst_md, 0),
          output}},
        residual);
    return absl::OkStatus();
  }

 private:
  absl::Status AddOperands(Arguments& inputs) {
    DOVETAIL_ASSIGN_OR_RETURN(const Operand data,
                              builder_.Read(problem_.data, primitive_.source));
    inputs.push_back(
        {DNNL_ARG_SRC, primitive_.desc.query_md(dnnl::query::src_md, 0), data});
    DOVETAIL_ASSIGN_OR_RETURN(const Operand weights, Weights());
    inputs.push_back({DNNL_ARG_WEIGHTS, primitive_.weights(), weights});
    return absl::OkStatus();
  }

  dnnl::memory::desc WeightsAs(ElementType type) const {
    return {problem_.weights_dims, *OneDnnType(type), problem_.weights_strides};
  }

  absl::StatusOr<Operand> Weights() {
    const dnnl::memory::desc to = primitive_.weights();
    if (const Tensor* constant = ConstantWeights(problem_.weights)) {
      return PackConstant(builder_, *constant, WeightsAs(constant->type()), to);
    }
    DOVETAIL_ASSIGN_OR_RETURN(
        const Operand plain,
        builder_.Read(problem_.weights,
                      {problem_.weights_type, Layout::kPlanar}));
    const dnnl::memory::desc from = WeightsAs(problem_.weights_type);
    if (from == to) return plain;
    // Weights that are computed are packed in each inference.
    const dnnl::reorder::primitive_desc desc(CpuEngine(), from, CpuEngine(), to,
                                             ScratchpadAttr());
    const Operand packed =
        builder_.Scratch(static_cast<int64_t>(to.get_size()));
    AddPrimitive(*problem_.node, builder_, desc, {{DNNL_ARG_FROM, from, plain}},
                 {{DNNL_ARG_TO, to, packed}});
    return packed;
  }

  absl::Status AddConstants(Arguments& inputs) {
    using Type = dnnl::memory::data_type;
    const auto numbers = VectorDesc(post_ops_.channels(), Type::f32);
    if (!post_ops_.bias().empty()) {
      DOVETAIL_ASSIGN_OR_RETURN(
          const Operand bias, AddChannelConstants(builder_, post_ops_.bias()));
      inputs.push_back({DNNL_ARG_BIAS, numbers, bias});
    }
    if (!post_ops_.scales().empty()) {
      DOVETAIL_ASSIGN_OR_RETURN(
          const Operand scales,
          AddChannelConstants(builder_, post_ops_.scales()));
      inputs.push_back(
          {DNNL_ARG_ATTR_SCALES | DNNL_ARG_WEIGHTS, numbers, scales});
    }
    if (problem_.data_zero_point != 0) {
      DOVETAIL_ASSIGN_OR_RETURN(
          const PrimitiveOperand zero,
          AddZeroPoint(problem_.data_zero_point, builder_));
      inputs.push_back(zero);
    }
    return absl::OkStatus();
  }

  const ConvolutionProblem& problem_;
  const ConvolutionPrimitive& primitive_;
  const PostOps& post_ops_;
  PlanBuilder& builder_;
};

constexpr absl::string_view kWhat = "a convolution";

struct PrimitiveOffer : KernelOffer {
  bool in_tiles = false;  // AMX
};

PrimitiveOffer OfferPrimitive(const ConvolutionProblem& problem,
                              const ConvolutionPrimitive& primitive) {
  PrimitiveOffer offer;
  offer.in_tiles = absl::EndsWith(primitive.desc.impl_info_str(), "amx");
  offer.source = primitive.source.layout;
  offer.emit = [problem, primitive](PlanBuilder& builder) {
    return GuardedCall(
        kWhat, [&] { return Emitter(problem, primitive, builder).Emit(); });
  };
  return offer;
}

absl::StatusOr<PrimitiveOffer> TryNarrow(const ConvolutionProblem& problem,
                                         const PlanBuilder& builder) {
  if (problem.is_integer()) return Unimplemented("integers");
  const ElementType type = FasterTypeOf(*problem.node, builder.settings());
  if (type == ElementType::kF32) {
    return Unimplemented("f32 is asked for, or faster");
  }
  if (IsOfQuantized(problem.data)) return Unimplemented("data of few levels");
  return GuardedCall(kWhat, [&]() -> absl::StatusOr<PrimitiveOffer> {
    const Epilogue epilogue = EpilogueOf(problem, builder);
    const auto primitive = ChooseConvolutionPrimitive(
        problem, type, NarrowResultType(epilogue.result(), builder), epilogue,
        builder);
    // f32 is faster than plain loops over what is half as long.
    if (!primitive.has_value() || !primitive->is_generated) {
      return Unimplemented("no generated code");
    }
    return OfferPrimitive(problem, *primitive);
  });
}

absl::StatusOr<PrimitiveOffer> TryOwnType(const ConvolutionProblem& problem,
                                          const PlanBuilder& builder) {
  if (problem.is_integer() && !HasDotProducts()) {
    return Unimplemented("no dot products of bytes");
  }
  if (!problem.channel_zero_points.empty()) {
    return Unimplemented("a zero point for each channel");
  }
  return GuardedCall(kWhat, [&]() -> absl::StatusOr<PrimitiveOffer> {
    const auto primitive = ChooseConvolutionPrimitive(
        problem, problem.data_type, ElementType::kF32,
        EpilogueOf(problem, builder), builder);
    if (!primitive.has_value()) return Unimplemented("no such primitive");
    PrimitiveOffer offer = OfferPrimitive(problem, *primitive);
    if (!primitive->is_generated && !problem.is_integer()) {
      offer.slower = "general code";
    }
    return offer;
  });
}

// Whether windows of a picture reach over two to four rows. Where the rows are
// the planes of a volume, tiles (AMX) take them faster as such: 144 channels to
// 64, 8 planes of 56 x 56, 3 of a window: 1.1 ms in place of 2.0; 192 channels
// of 28 x 28: 0.55 and 0.62; but 7 of a window: 5.0 and 4.3 (Xeon with AMX).
bool IsOfFewPlanes(const ConvolutionProblem& problem) {
  const int64_t rows = problem.weights_dims.end()[-2];
  return HasBf16Tiles() && rows > 1 && rows < 5 && !problem.is_depthwise();
}

using Try = absl::StatusOr<PrimitiveOffer> (*)(
    const ConvolutionProblem& problem, const PlanBuilder& builder);

// oneDNN has better kernels for pictures than for volumes. What lies in blocks
// for vectors of 8 floats would be reordered.
absl::StatusOr<KernelOffer> TryAsImages(Try try_kernel,
                                        const ConvolutionProblem& problem,
                                        const PlanBuilder& builder) {
  if (HasAvx512() || problem.data_layout == Layout::kChannelsLast) {
    if (const auto planes = WithPlanesAsImages(problem)) {
      auto offer = try_kernel(*planes, builder);
      if (offer.ok() && offer->slower.empty()) return offer;
    }
  }
  return try_kernel(problem, builder);
}

// As a volume, as images, or as it is: what is fastest.
absl::StatusOr<KernelOffer> TryShapes(Try try_kernel,
                                      const ConvolutionProblem& problem,
                                      const PlanBuilder& builder) {
  if (IsOfFewPlanes(problem)) {
    if (const auto volume = WithVolume(problem)) {
      auto offer = try_kernel(*volume, builder);
      if (offer.ok() && offer->in_tiles) return offer;
    }
  }
  return TryAsImages(try_kernel, problem, builder);
}

}  // namespace

absl::StatusOr<KernelOffer> TryNarrowPrimitive(
    const ConvolutionProblem& problem, const PlanBuilder& builder) {
  return TryShapes(&TryNarrow, problem, builder);
}

absl::StatusOr<KernelOffer> TryPrimitive(const ConvolutionProblem& problem,
                                         const PlanBuilder& builder) {
  return TryShapes(&TryOwnType, problem, builder);
}

}  // namespace dovetail::cpu
