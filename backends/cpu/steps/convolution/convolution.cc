#include "dovetail/backends/cpu/steps/convolution/convolution.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "dovetail/backends/cpu/onednn/descriptors.h"
#include "dovetail/backends/cpu/onednn/guard.h"
#include "dovetail/backends/cpu/onednn/isa.h"
#include "dovetail/backends/cpu/onednn/post_ops.h"
#include "dovetail/backends/cpu/onednn/primitive_step.h"
#include "dovetail/backends/cpu/onednn/stream.h"
#include "dovetail/backends/cpu/steps/common/quantized_data.h"
#include "dovetail/backends/cpu/steps/convolution/depthwise_step.h"
#include "dovetail/backends/cpu/steps/convolution/few_channels_step.h"
#include "dovetail/backends/cpu/steps/convolution/integer_operands.h"
#include "dovetail/backends/cpu/steps/convolution/integer_step.h"
#include "dovetail/backends/cpu/steps/convolution/pixel_tiles_step.h"
#include "dovetail/backends/cpu/steps/convolution/primitive.h"
#include "dovetail/backends/cpu/steps/convolution/problem.h"
#include "dovetail/backends/cpu/steps/convolution/winograd_step.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

using Arguments = std::vector<PrimitiveOperand>;

// Whether readers of a value that is computed in f32 can do with bf16.
bool ReadersTakeHalves(Value value) {
  const std::vector<Use>& uses = value.port().uses;
  return std::all_of(uses.begin(), uses.end(), [](const Use& use) {
    static constexpr OpType kTypes[] = {
        "Convolution", "GroupConvolution", "ConvolutionBackpropData",
        "GroupConvolutionBackpropData", "MaxPool", "AvgPool", "Add", "Concat"};
    for (const OpType type : kTypes) {
      if (use.node->Is(type)) return true;
    }
    return false;
  });
}

absl::StatusOr<Operand> HoldInteger(PlanBuilder& builder, int32_t number) {
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor tensor,
                            Tensor::Allocate(ElementType::kI32, {1}));
  *tensor.mutable_data<int32_t>() = number;
  return builder.Hold(tensor);
}

dnnl::memory::desc NumbersDesc(int64_t count, dnnl::memory::data_type type) {
  return {{count}, type, dnnl::memory::format_tag::a};
}

PostOpChain::Options OptionsOf(const ConvolutionProblem& problem) {
  PostOpChain::Options options;
  // A sum that begins with the bias is rounded otherwise than one that ends
  // with it.
  options.takes_bias = !problem.is_quantized;
  options.takes_scales = problem.is_integer();
  options.takes_residual = !problem.is_integer() && !problem.transposed;
  return options;
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

class ConvolutionEmitter {
 public:
  ConvolutionEmitter(const ConvolutionProblem& problem, PlanBuilder& builder)
      : problem_(problem),
        builder_(builder),
        chain_(builder, PlanBuilder::OutputOf(*problem.node),
               OptionsOf(problem)) {
    // Primitives of floats that store bytes are several times slower.
    while (!problem.is_integer() && chain_.is_integer()) {
      chain_.Truncate(chain_.length() - 1);
    }
  }

  // False: oneDNN has nothing for it.
  absl::StatusOr<bool> Emit() {
    const bool found = Choose();
    if (!found || !primitive_->is_generated) {
      DOVETAIL_ASSIGN_OR_RETURN(const bool done,
                                EmitDepthwise(problem_, builder_));
      if (done || !found) return done;
    }
    Arguments inputs;
    DOVETAIL_RETURN_IF_ERROR(AddOperands(inputs));
    DOVETAIL_RETURN_IF_ERROR(AddConstants(inputs));
    DOVETAIL_ASSIGN_OR_RETURN(Arguments more,
                              chain_.Arguments(primitive_->desc, builder_));
    std::move(more.begin(), more.end(), std::back_inserter(inputs));
    Operand residual;
    if (chain_.residual()) {
      DOVETAIL_ASSIGN_OR_RETURN(
          residual, builder_.Read(chain_.residual(), primitive_->result));
    }
    chain_.Fuse(builder_);
    const Operand output = builder_.Write(chain_.result(), primitive_->result);
    AddAccumulating(
        *problem_.node, builder_, primitive_->desc, std::move(inputs),
        {{DNNL_ARG_DST, primitive_->desc.query_md(dnnl::query::dst_md, 0),
          output}},
        residual);
    return true;
  }

 private:
  bool Choose() {
    const Format stored = builder_.FormatOf(problem_.data);
    const ElementType compute = builder_.settings().compute_type;
    if (!problem_.is_integer() && compute != ElementType::kF32 &&
        !IsOfQuantized(problem_.data)) {
      PostOpChain chain = chain_;
      const ElementType result =
          ReadersTakeHalves(chain.result()) ? compute : ElementType::kF32;
      primitive_ =
          ChooseConvolutionPrimitive(problem_, stored, compute, result, chain);
      // f32 is faster than plain loops over what is half as long.
      if (primitive_.has_value() && primitive_->is_generated) {
        chain_ = chain;
        return true;
      }
    }
    primitive_ = ChooseConvolutionPrimitive(
        problem_, stored, problem_.data_type, ElementType::kF32, chain_);
    return primitive_.has_value();
  }

  absl::Status AddOperands(Arguments& inputs) {
    DOVETAIL_ASSIGN_OR_RETURN(const Operand data,
                              builder_.Read(problem_.data, primitive_->source));
    inputs.push_back({DNNL_ARG_SRC,
                      primitive_->desc.query_md(dnnl::query::src_md, 0), data});
    DOVETAIL_ASSIGN_OR_RETURN(const Operand weights, Weights());
    inputs.push_back({DNNL_ARG_WEIGHTS, primitive_->weights(), weights});
    return absl::OkStatus();
  }

  absl::StatusOr<Operand> Weights() {
    if (const Tensor* constant = ConstantWeights(problem_.weights)) {
      const dnnl::memory::desc from(problem_.weights_dims,
                                    *OneDnnType(constant->type()),
                                    problem_.plain_weights.get_strides());
      return PackConstant(builder_, *constant, from, primitive_->weights());
    }
    DOVETAIL_ASSIGN_OR_RETURN(
        const Operand plain,
        builder_.Read(problem_.weights,
                      {problem_.weights_type, Layout::kPlanar}));
    if (problem_.plain_weights == primitive_->weights()) return plain;
    // Weights that are computed are packed in each inference.
    const dnnl::memory::desc to = primitive_->weights();
    const dnnl::reorder::primitive_desc desc(
        CpuEngine(), problem_.plain_weights, CpuEngine(), to, ScratchpadAttr());
    const Operand packed =
        builder_.Scratch(static_cast<int64_t>(to.get_size()));
    AddPrimitive(*problem_.node, builder_, desc,
                 {{DNNL_ARG_FROM, problem_.plain_weights, plain}},
                 {{DNNL_ARG_TO, to, packed}});
    return packed;
  }

  absl::Status AddConstants(Arguments& inputs) {
    using Type = dnnl::memory::data_type;
    const auto numbers = NumbersDesc(chain_.channels(), Type::f32);
    if (chain_.bias() != nullptr) {
      DOVETAIL_ASSIGN_OR_RETURN(const Operand bias,
                                HoldNumbers(builder_, *chain_.bias()));
      inputs.push_back({DNNL_ARG_BIAS, numbers, bias});
    }
    if (chain_.scales() != nullptr) {
      DOVETAIL_ASSIGN_OR_RETURN(const Operand scales,
                                HoldNumbers(builder_, *chain_.scales()));
      inputs.push_back(
          {DNNL_ARG_ATTR_SCALES | DNNL_ARG_WEIGHTS, numbers, scales});
    }
    if (problem_.data_zero_point != 0) {
      DOVETAIL_ASSIGN_OR_RETURN(
          const Operand zero, HoldInteger(builder_, problem_.data_zero_point));
      inputs.push_back({DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_SRC,
                        NumbersDesc(1, Type::s32), zero});
    }
    return absl::OkStatus();
  }

  const ConvolutionProblem& problem_;
  PlanBuilder& builder_;
  PostOpChain chain_;
  std::optional<ConvolutionPrimitive> primitive_;
};

// Makes the floats of bytes that the convolution was to read (ReadsBytes).
absl::Status EmitFloats(const ConvolutionProblem& problem,
                        PlanBuilder& builder) {
  const Value value = problem.node->input(0);
  if (builder.IsReady(value)) return absl::OkStatus();
  builder.SetDone(*value.node);
  DOVETAIL_ASSIGN_OR_RETURN(const Operand from, builder.Read(problem.data));
  if (problem.data_zero_point == 0) {
    builder.View(value, from, 0, from.format);
    return absl::OkStatus();
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Operand zero,
                            HoldInteger(builder, problem.data_zero_point));
  const Format format = {ElementType::kF32, from.format.layout};
  const auto source = Describe(from.shape, from.format);
  const auto target = Describe(from.shape, format);
  dnnl::primitive_attr attr = ScratchpadAttr();
  attr.set_zero_points_mask(DNNL_ARG_SRC, 0);
  const dnnl::reorder::primitive_desc desc(CpuEngine(), source, CpuEngine(),
                                           target, attr);
  AddPrimitive(*problem.node, builder, desc,
               {{DNNL_ARG_FROM, source, from},
                {DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_SRC,
                 NumbersDesc(1, dnnl::memory::data_type::s32), zero}},
               {{DNNL_ARG_TO, target, builder.Write(value, format)}});
  return absl::OkStatus();
}

absl::StatusOr<bool> Emit(const ConvolutionProblem& problem,
                          PlanBuilder& builder) {
  SetPrimitiveThreads(builder.settings().threads);
  DOVETAIL_ASSIGN_OR_RETURN(const bool transformed,
                            EmitWinograd(problem, builder));
  if (transformed) return true;
  DOVETAIL_ASSIGN_OR_RETURN(const bool planar,
                            EmitFewChannels(problem, builder));
  if (planar) return true;
  DOVETAIL_ASSIGN_OR_RETURN(const bool tiled, EmitPixelTiles(problem, builder));
  if (tiled) return true;
  DOVETAIL_ASSIGN_OR_RETURN(const bool multiplied,
                            EmitIntegerConvolution(problem, builder));
  if (multiplied) return true;
  if (!problem.is_integer() || HasDotProducts()) {
    DOVETAIL_ASSIGN_OR_RETURN(const bool done,
                              ConvolutionEmitter(problem, builder).Emit());
    if (done || !problem.is_integer()) return done;
  }
  DOVETAIL_RETURN_IF_ERROR(EmitFloats(problem, builder));
  const ConvolutionProblem floats = WithFloats(problem);
  return ConvolutionEmitter(floats, builder).Emit();
}

}  // namespace

absl::StatusOr<bool> EmitConvolution(const Node& node, PlanBuilder& builder) {
  absl::StatusOr<bool> done = false;
  DOVETAIL_RETURN_IF_ERROR(Guarded("a convolution", [&] {
    const auto problem = ConvolutionProblemOf(node);
    if (problem.has_value()) done = Emit(*problem, builder);
  }));
  return done;
}

bool ReadsBytes(const Node& node) {
  bool reads = false;
  const absl::Status status = Guarded("a convolution", [&] {
    reads = IntegerOperandsOf(node) && ConvolutionProblemOf(node).has_value();
  });
  return status.ok() && reads;
}

}  // namespace dovetail::cpu
