#include "dovetail/backends/cpu/onednn/epilogue/post_ops.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "dovetail/backends/cpu/onednn/epilogue/eltwise.h"
#include "dovetail/backends/cpu/onednn/epilogue/folded_quantization.h"

namespace dovetail::cpu {
namespace {

using Algorithm = dnnl::algorithm;

Algorithm BinaryAlgorithm(const Node& node) {
  if (node.Is("Multiply")) return Algorithm::binary_mul;
  if (node.Is("Maximum")) return Algorithm::binary_max;
  if (node.Is("Minimum")) return Algorithm::binary_min;
  if (node.Is("Subtract")) return Algorithm::binary_sub;
  if (node.Is("Divide")) return Algorithm::binary_div;
  return Algorithm::binary_add;
}

// Whether everything else that reads the value has been computed.
bool IsLastReader(const PlanBuilder& builder, const Node& node, Value value) {
  const std::vector<Use>& uses = value.port().uses;
  return !value.node->Is("Parameter") && !value.node->Is("Constant") &&
         std::all_of(uses.begin(), uses.end(), [&](const Use& use) {
           return use.node == &node || builder.IsDone(*use.node);
         });
}

// Bytes as they are; bf16 where it is, or may be, stored so; else f32.
ElementType TensorType(const PlanBuilder& builder, Value value) {
  if (IsInteger(value.type())) return value.type();
  const bool is_narrow = builder.StoredTypeOf(value) == ElementType::kBf16 ||
                         (builder.IsReady(value) &&
                          builder.FormatOf(value).type == ElementType::kBf16);
  return is_narrow ? ElementType::kBf16 : ElementType::kF32;
}

// Appends operations of an epilogue.
class Lowering {
 public:
  Lowering(const Epilogue& epilogue, const PostOps::Options& options,
           const PlanBuilder& builder, std::vector<PostOp>& ops)
      : epilogue_(epilogue),
        accumulates_(options.accumulates),
        result_type_(options.result_type),
        joins_linear_(options.takes_scales),
        builder_(builder),
        ops_(ops) {}

  void Run(size_t first) {
    for (at_ = first; at_ < epilogue_.size(); ++at_) {
      std::visit([this](const auto& op) { Add(op); }, epilogue_.stages[at_].op);
    }
  }

  // Behind its scale and bias.
  void AddFolded(const FoldedQuantization& folded) {
    if (!folded.is_stored) AddEltwise(Algorithm::eltwise_round);
    AddLimits(folded);
    if (!folded.is_stored) AddLinear(folded.step, folded.offset);
  }

 private:
  void AddLimits(const FoldedQuantization& folded) {
    if (!folded.limits_low && !folded.limits_high) return;
    const auto low = UniformValue(folded.low), high = UniformValue(folded.high);
    if (low && high) return AddEltwise(Algorithm::eltwise_clip, *low, *high);
    if (folded.limits_low) AddBinary(Algorithm::binary_max, folded.low);
    if (folded.limits_high) AddBinary(Algorithm::binary_min, folded.high);
  }

  void AddEltwise(Algorithm algorithm, float alpha = 0, float beta = 0) {
    ops_.push_back({PostOp::Kind::kEltwise, algorithm, alpha, beta, {}, {}});
  }
  void AddBinary(Algorithm algorithm, const ChannelVector& channels) {
    ops_.push_back({PostOp::Kind::kBinary, algorithm, 0, 0, channels, {}});
  }

  void AddOneLinear(float scale, float shift) {
    if (!joins_linear_ || ops_.empty() ||
        ops_.back().algorithm != Algorithm::eltwise_linear) {
      return AddEltwise(Algorithm::eltwise_linear, scale, shift);
    }
    ops_.back().alpha *= scale;
    ops_.back().beta = ops_.back().beta * scale + shift;
  }

  // One operation where all channels have the same, none where nothing changes.
  void AddLinear(const ChannelVector& scale, const ChannelVector& shift) {
    const auto one_scale = UniformValue(scale), one_shift = UniformValue(shift);
    if (one_scale && one_shift) {
      if (*one_scale == 1 && *one_shift == 0) return;
      AddOneLinear(*one_scale, *one_shift);
      return;
    }
    if (!one_scale) {
      AddBinary(Algorithm::binary_mul, scale);
    } else if (*one_scale != 1) {
      AddEltwise(Algorithm::eltwise_linear, *one_scale);
    }
    if (!one_shift || *one_shift != 0) AddBinary(Algorithm::binary_add, shift);
  }

  void Add(const AffineOp& affine) { AddLinear(affine.scale, affine.shift); }

  void Add(const ClampOp& clamp) {
    const auto low = UniformValue(clamp.low), high = UniformValue(clamp.high);
    if (low && high) return AddEltwise(Algorithm::eltwise_clip, *low, *high);
    if (!low || std::isfinite(*low)) {
      AddBinary(Algorithm::binary_max, clamp.low);
    }
    if (!high || std::isfinite(*high)) {
      AddBinary(Algorithm::binary_min, clamp.high);
    }
  }

  void Add(const SlopeOp& slope) {
    if (const auto one = UniformValue(slope.slope)) {
      return AddEltwise(Algorithm::eltwise_relu, *one);
    }
    ops_.push_back(
        {PostOp::Kind::kPRelu, Algorithm::undef, 0, 0, slope.slope, {}});
  }

  void Add(const ActivationOp& activation) {
    const Eltwise eltwise = EltwiseOf(*activation.node).value_or(Eltwise{});
    AddEltwise(eltwise.algorithm, eltwise.alpha, eltwise.beta);
  }

  void Add(const ResidualOp& residual) {
    if (IsInteger(residual.value.type())) return AddIntegers(residual);
    PostOp op;
    op.kind = PostOp::Kind::kBinary;
    op.algorithm = BinaryAlgorithm(*residual.node);
    op.tensor = residual.value;
    op.tensor_type = TensorType(builder_, residual.value);
    if (accumulates_ && residual.node->Is("Add") && ops_.empty() &&
        op.tensor_type == result_type_ &&
        IsLastReader(builder_, *residual.node, residual.value)) {
      op.kind = PostOp::Kind::kSum;
    }
    ops_.push_back(std::move(op));
  }

  // oneDNN scales no second operand, so x is counted in its steps meanwhile.
  void AddIntegers(const ResidualOp& residual) {
    AddOneLinear(1 / residual.scale, residual.shift / residual.scale);
    PostOp op;
    op.kind = PostOp::Kind::kBinary;
    op.algorithm = Algorithm::binary_add;
    op.tensor = residual.value;
    op.tensor_type = residual.value.type();
    ops_.push_back(std::move(op));
    AddOneLinear(residual.scale, 0);
  }

  void Add(const QuantizeOp& quantize) {
    const auto* store = epilogue_.Find<StoreOp>(at_ + 1);
    if (StoresAsItIs(quantize, store)) return AddStored(quantize, store->type);
    AddLinear(quantize.scale, quantize.shift);
    AddEltwise(Algorithm::eltwise_round);
    AddEltwise(Algorithm::eltwise_clip, 0, quantize.steps);
    AddLinear(quantize.step, quantize.offset);
  }

  // Storing integers rounds, and limits to the type's range.
  void AddStored(const QuantizeOp& quantize, ElementType type) {
    const float low = quantize.offset.front(), high = low + quantize.steps;
    ChannelVector shift = quantize.shift;
    for (float& number : shift) number += low;
    AddLinear(quantize.scale, shift);
    const float first = type == ElementType::kU8 ? 0 : -128;
    constexpr float kByteSteps = 255;
    if (low > first || high < first + kByteSteps) {
      AddEltwise(Algorithm::eltwise_clip, low, high);
    }
  }

  void Add(const StoreOp&) {}

  const Epilogue& epilogue_;
  const bool accumulates_;
  const ElementType result_type_;
  // Whether two linear functions, one behind the other, become one: as far as
  // integers go, results are those of f32 but for their last bits.
  const bool joins_linear_;
  const PlanBuilder& builder_;
  std::vector<PostOp>& ops_;
  size_t at_ = 0;
};

}  // namespace

EpilogueSupport OneDnnEpilogues(int channel_axis) {
  EpilogueSupport support;
  support.channel_axis = channel_axis;
  support.takes_activation = &HasEltwise;
  return support;
}

PostOps::PostOps(const Epilogue& epilogue, const Options& options,
                 const PlanBuilder& builder) {
  target_.shape = options.shape.value_or(PlanBuilder::ShapeOf(epilogue.anchor));
  target_.channel_axis = options.channel_axis;
  if (target_.channel_axis < 0) target_.channel_axis += target_.shape.rank();
  Lowering lowering(epilogue, options, builder, ops_);
  if (options.takes_scales && options.takes_bias) {
    if (auto folded = FoldQuantization(epilogue)) {
      lowering.AddFolded(*folded);
      lowering.Run(folded->stages);
      scales_ = std::move(folded->scale);
      if (UniformValue(folded->bias) != 0) bias_ = std::move(folded->bias);
      return;
    }
  }
  size_t first = 0;
  const auto* scale = epilogue.Find<AffineOp>(first);
  if (options.takes_scales && scale != nullptr && scale->IsScale()) {
    scales_ = scale->scale;
    ++first;
  }
  const auto* bias = epilogue.Find<AffineOp>(first);
  if (options.takes_bias && bias != nullptr && bias->IsBias()) {
    bias_ = bias->shift;
    ++first;
  }
  lowering.Run(first);
}

Value PostOps::residual() const {
  for (const PostOp& op : ops_) {
    if (op.kind == PostOp::Kind::kSum) return op.tensor;
  }
  return {};
}

}  // namespace dovetail::cpu
