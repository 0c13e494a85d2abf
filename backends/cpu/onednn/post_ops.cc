#include "dovetail/backends/cpu/onednn/post_ops.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "dovetail/backends/cpu/onednn/descriptors.h"
#include "dovetail/backends/cpu/onednn/eltwise.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/activation/activation.h"
#include "dovetail/core/ops/common/broadcast.h"
#include "dovetail/core/ops/elementwise/binary.h"
#include "dovetail/core/ops/elementwise/convert.h"
#include "dovetail/core/ops/quantization/fake_quantize.h"
#include "dovetail/transformations/low_precision/grid.h"

namespace dovetail::cpu {
namespace {

using Algorithm = dnnl::algorithm;
using Numbers = std::vector<float>;

// What code generated for 16 lanes reads.
constexpr size_t kLanes = 16;
// Further followers are steps of their own; oneDNN takes at most 32
// post-operations.
constexpr int kMaxFollowers = 8;
// Rounding to integers by adding a large number works up to here.
constexpr int64_t kMaxLevels = 1 << 22;

PostOp EltwiseOp(Algorithm algorithm, float alpha = 0, float beta = 0) {
  PostOp op;
  op.algorithm = algorithm;
  op.alpha = alpha;
  op.beta = beta;
  return op;
}

PostOp BinaryOp(Algorithm algorithm, Numbers numbers) {
  PostOp op;
  op.kind = PostOp::Kind::kBinary;
  op.algorithm = algorithm;
  op.numbers = std::move(numbers);
  return op;
}

bool AreEqual(const Numbers& numbers) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [&](float x) { return x == numbers[0]; });
}

// Multiplication and addition, in one operation where that can be.
void AppendLinear(const Numbers& scale, const Numbers& shift,
                  std::vector<PostOp>& ops) {
  if (AreEqual(scale) && AreEqual(shift)) {
    if (scale[0] == 1 && shift[0] == 0) return;
    ops.push_back(EltwiseOp(Algorithm::eltwise_linear, scale[0], shift[0]));
    return;
  }
  ops.push_back(BinaryOp(Algorithm::binary_mul, scale));
  if (!AreEqual(shift) || shift[0] != 0) {
    ops.push_back(BinaryOp(Algorithm::binary_add, shift));
  }
}

Algorithm BinaryAlgorithm(const Node& node, int input) {
  if (node.Is("Add")) return Algorithm::binary_add;
  if (node.Is("Multiply")) return Algorithm::binary_mul;
  if (node.Is("Maximum")) return Algorithm::binary_max;
  if (node.Is("Minimum")) return Algorithm::binary_min;
  if (input == 0 && node.Is("Subtract")) return Algorithm::binary_sub;
  if (input == 0 && node.Is("Divide")) return Algorithm::binary_div;
  return Algorithm::undef;
}

// Operands are aligned at the last axis.
bool IsNumpy(const Node& node) {
  if (const auto* binary = node.As<BinaryAttributes>()) {
    return binary->auto_broadcast == AutoBroadcast::kNumpy;
  }
  if (const auto* divide = node.As<DivideAttributes>()) {
    return divide->auto_broadcast == AutoBroadcast::kNumpy;
  }
  if (const auto* quantize = node.As<FakeQuantizeAttributes>()) {
    return quantize->auto_broadcast == AutoBroadcast::kNumpy;
  }
  return true;
}

// Whether everything else that reads the value has been computed.
bool IsLastReader(const PlanBuilder& builder, const Node& node, Value value) {
  const std::vector<Use>& uses = value.port().uses;
  return !value.node->Is("Parameter") && !value.node->Is("Constant") &&
         std::all_of(uses.begin(), uses.end(), [&](const Use& use) {
           return use.node == &node || builder.IsDone(*use.node);
         });
}

Numbers Stretched(const Numbers& numbers, int64_t channels) {
  return numbers.size() == 1 ? Numbers(channels, numbers[0]) : numbers;
}

}  // namespace

// ---- What follows ----

PostOpChain::PostOpChain(const PlanBuilder& builder, Value start,
                         const Options& options)
    : start_(start),
      options_(options),
      shape_(PlanBuilder::ShapeOf(start)),
      primitive_shape_(options.shape.value_or(shape_)) {
  const auto resolve = [&](const Shape& shape) {
    const int axis = options.channel_axis;
    return axis < 0 ? axis + shape.rank() : axis;
  };
  axis_ = resolve(shape_);
  primitive_axis_ = resolve(primitive_shape_);
  channels_ = shape_[axis_];
  while (length() < kMaxFollowers) {
    std::optional<Follower> next = Next(builder);
    if (!next.has_value()) break;
    followers_.push_back(*std::move(next));
  }
}

Value PostOpChain::result() const {
  return followers_.empty() ? start_
                            : PlanBuilder::OutputOf(*followers_.back().node);
}

ElementType PostOpChain::type() const {
  return followers_.empty() ? ElementType::kF32 : followers_.back().type;
}

std::optional<PostOpChain::Follower> PostOpChain::Next(
    const PlanBuilder& builder) const {
  if (is_integer()) return std::nullopt;
  const std::vector<Use>& uses = result().port().uses;
  if (uses.size() != 1) return std::nullopt;
  const Node& node = *uses[0].node;
  const int input = uses[0].input;
  if (node.output_count() != 1 || !IsNumpy(node) ||
      PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node)) != shape_) {
    return std::nullopt;
  }
  Follower follower;
  follower.node = &node;
  if (TakeConvert(node, input, follower)) return follower;
  if (node.port().type != ElementType::kF32) return std::nullopt;
  if (TakeLinear(node, input, follower) || TakeEltwise(node, input, follower) ||
      TakeBinary(builder, node, input, follower) ||
      TakeFakeQuantize(node, input, follower)) {
    return follower;
  }
  return std::nullopt;
}

// After FakeQuantize has made whole numbers of that type's range.
bool PostOpChain::TakeConvert(const Node& node, int input,
                              Follower& follower) const {
  const auto* convert = node.As<ConvertAttributes>();
  if (convert == nullptr || input != 0 || followers_.empty()) return false;
  const Follower& before = followers_.back();
  if (!before.is_whole) return false;
  follower.type = convert->destination_type;
  if (follower.type == ElementType::kU8) {
    return before.low >= 0 && before.high <= 255;
  }
  return follower.type == ElementType::kI8 && before.low >= -128 &&
         before.high <= 127;
}

// Scales and bias, which come before all post-operations.
bool PostOpChain::TakeLinear(const Node& node, int input,
                             Follower& follower) const {
  const bool is_first = followers_.empty();
  const bool scaled = !is_first && followers_.back().role == Role::kScales;
  if (node.input_count() != 2) return false;
  const bool adds = node.Is("Add") || (node.Is("Subtract") && input == 0);
  if (options_.takes_scales && is_first && node.Is("Multiply")) {
    follower.role = Role::kScales;
  } else if (options_.takes_bias && (is_first || scaled) && adds) {
    follower.role = Role::kBias;
  } else {
    return false;
  }
  const auto numbers = ChannelNumbers(node.input(1 - input));
  if (!numbers.has_value()) return false;
  follower.numbers = Stretched(*numbers, channels_);
  if (node.Is("Subtract")) {
    for (float& number : follower.numbers) number = -number;
  }
  return true;
}

bool PostOpChain::TakeEltwise(const Node& node, int input,
                              Follower& follower) const {
  const std::optional<Eltwise> eltwise = EltwiseOf(node, input);
  if (!eltwise.has_value()) return false;
  follower.role = Role::kPostOps;
  follower.ops = {EltwiseOp(eltwise->algorithm, eltwise->alpha, eltwise->beta)};
  return true;
}

bool PostOpChain::TakeBinary(const PlanBuilder& builder, const Node& node,
                             int input, Follower& follower) const {
  if (node.input_count() != 2) return false;
  const Value other = node.input(1 - input);
  PostOp op;
  op.kind = PostOp::Kind::kBinary;
  op.algorithm = BinaryAlgorithm(node, input);
  if (node.Is("PRelu") && input == 0) {
    op.kind = PostOp::Kind::kPRelu;
  } else if (op.algorithm == Algorithm::undef) {
    return false;
  }
  follower.role = Role::kPostOps;
  if (const auto numbers = ChannelNumbers(other)) {
    op.numbers = Stretched(*numbers, channels_);
    follower.ops = {std::move(op)};
    return true;
  }
  // One number a channel: PRelu's form of its own.
  if (op.kind == PostOp::Kind::kPRelu) {
    const Tensor* slope = PlanBuilder::ConstantOf(other);
    if (slope == nullptr || axis_ != 1 || slope->rank() != 1 ||
        slope->element_count() != channels_) {
      return false;
    }
    for (int64_t i = 0; i < channels_; ++i) {
      op.numbers.push_back(static_cast<float>(slope->ElementAsDouble(i)));
    }
    follower.ops = {std::move(op)};
    return true;
  }
  if (other.type() != ElementType::kF32 ||
      PlanBuilder::ShapeOf(other) != shape_) {
    return false;
  }
  if (!builder.IsReady(other)) return TakeBytes(builder, other, op, follower);
  op.tensor = other;
  if (options_.takes_residual && node.Is("Add") && ops().empty() &&
      IsLastReader(builder, node, other)) {
    op.kind = PostOp::Kind::kSum;
  }
  follower.ops = {std::move(op)};
  return true;
}

// What is dequantised from bytes that are ready.
bool PostOpChain::TakeBytes(const PlanBuilder& builder, Value other, PostOp op,
                            Follower& follower) const {
  if (!options_.takes_bytes || op.algorithm != Algorithm::binary_add) {
    return false;
  }
  const auto found = MatchDequantization(other);
  if (!found.has_value() || found->grid.is_per_channel() ||
      !builder.IsReady(found->integers)) {
    return false;
  }
  op.tensor = found->integers;
  op.scale = found->grid.scale[0];
  op.shift = -found->grid.zero_point[0] * op.scale;
  follower.ops = {std::move(op)};
  for (const Node* node = other.node;
       node != found->integers.node && node->port().uses.size() == 1 &&
       !builder.IsDone(*node);) {
    follower.also.push_back(node);
    const bool constant_first = PlanBuilder::ConstantOf(node->input(0));
    node = node->input(constant_first ? 1 : 0).node;
  }
  return true;
}

// round(x * scale + shift) within [0, levels - 1], then to the output range;
// the order of roundings is the reference kernel's.
bool PostOpChain::TakeFakeQuantize(const Node& node, int input,
                                   Follower& follower) const {
  const auto* attributes = node.As<FakeQuantizeAttributes>();
  if (attributes == nullptr || input != 0) return false;
  if (attributes->levels < 2 || attributes->levels > kMaxLevels) return false;
  std::array<Numbers, 4> ends;  // input low, high, output low, high
  for (int i = 0; i < 4; ++i) {
    const auto numbers = ChannelNumbers(node.input(i + 1));
    if (!numbers.has_value()) return false;
    ends[i] = Stretched(*numbers, channels_);
  }
  const auto& [in_low, in_high, out_low, out_high] = ends;
  const float steps = static_cast<float>(attributes->levels - 1);
  Numbers in_scale, in_shift, out_scale;
  bool whole = AreEqual(out_low) && out_low[0] == std::trunc(out_low[0]);
  for (int64_t i = 0; i < channels_; ++i) {
    if (!(in_low[i] < in_high[i])) return false;
    const float inverse = 1.0f / (in_high[i] - in_low[i]);
    in_scale.push_back(inverse * steps);
    in_shift.push_back(-(in_low[i] * inverse * steps));
    const float range = out_high[i] - out_low[i];
    out_scale.push_back(range == steps ? 1.0f : 1.0f / steps * range);
    whole &= range == steps;
  }
  follower.role = Role::kPostOps;
  AppendLinear(in_scale, in_shift, follower.ops);
  std::vector<PostOp> fast = follower.ops;
  follower.ops.push_back(EltwiseOp(Algorithm::eltwise_round));
  follower.ops.push_back(EltwiseOp(Algorithm::eltwise_clip, 0, steps));
  AppendLinear(out_scale, out_low, follower.ops);
  if (whole) {
    follower.is_whole = true;
    follower.low = out_low[0];
    follower.high = out_low[0] + steps;
    // Storing as u8 rounds and limits too.
    if (follower.low == 0 && steps != 255) {
      fast.push_back(EltwiseOp(Algorithm::eltwise_clip, 0, steps));
    }
    follower.ops_before_convert =
        follower.low == 0 ? std::move(fast) : follower.ops;
  }
  return true;
}

// A constant of one element, or one that varies along the axis of channels.
std::optional<Numbers> PostOpChain::ChannelNumbers(Value value) const {
  const Tensor* tensor = PlanBuilder::ConstantOf(value);
  if (tensor == nullptr || tensor->rank() > shape_.rank() ||
      tensor->type() == ElementType::kF64) {
    return std::nullopt;
  }
  const int64_t count = tensor->element_count();
  const int axis = axis_ - (shape_.rank() - tensor->rank());
  const bool varies =
      axis >= 0 && tensor->shape()[axis] == channels_ && count == channels_;
  if (count != 1 && !varies) return std::nullopt;
  Numbers numbers;
  for (int64_t i = 0; i < count; ++i) {
    numbers.push_back(static_cast<float>(tensor->ElementAsDouble(i)));
  }
  return numbers;
}

// ---- Scales and bias ----

const PostOpChain::Follower* PostOpChain::Find(Role role) const {
  for (const Follower& follower : followers_) {
    if (follower.role == role) return &follower;
  }
  return nullptr;
}

const Numbers* PostOpChain::scales() const {
  const Follower* follower = Find(Role::kScales);
  return follower == nullptr ? nullptr : &follower->numbers;
}

const Numbers* PostOpChain::bias() const {
  const Follower* follower = Find(Role::kBias);
  return follower == nullptr ? nullptr : &follower->numbers;
}

Value PostOpChain::residual() const {
  for (const PostOp& op : ops()) {
    if (op.kind == PostOp::Kind::kSum) return op.tensor;
  }
  return {};
}

// ---- oneDNN ----

std::vector<PostOp> PostOpChain::ops() const {
  std::vector<PostOp> all;
  for (int i = 0; i < length(); ++i) {
    const bool converted =
        i + 1 < length() && followers_[i + 1].type != ElementType::kF32;
    const std::vector<PostOp>& own =
        converted ? followers_[i].ops_before_convert : followers_[i].ops;
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

dnnl::memory::desc PostOpChain::Describe(const PostOp& op) const {
  if (op.tensor) return DescribeAny(primitive_shape_, ElementType::kF32);
  Shape shape = primitive_shape_;
  for (int i = 0; i < shape.rank(); ++i) {
    if (i != primitive_axis_) shape[i] = 1;
  }
  return cpu::Describe(shape, {ElementType::kF32, Layout::kPlanar});
}

void PostOpChain::AddTo(dnnl::primitive_attr& attr) const {
  dnnl::post_ops post_ops;
  for (const PostOp& op : ops()) {
    switch (op.kind) {
      case PostOp::Kind::kEltwise:
        post_ops.append_eltwise(op.algorithm, op.alpha, op.beta);
        break;
      case PostOp::Kind::kBinary:
        post_ops.append_binary(op.algorithm, Describe(op));
        break;
      case PostOp::Kind::kPRelu:
        post_ops.append_prelu(1 << primitive_axis_);
        break;
      case PostOp::Kind::kSum:
        post_ops.append_sum(1);
        break;
    }
  }
  attr.set_post_ops(post_ops);
}

absl::StatusOr<PrimitiveOperand> PostOpChain::Argument(
    const dnnl::primitive_desc_base& desc, int index, const PostOp& op,
    PlanBuilder& builder) const {
  const bool prelu = op.kind == PostOp::Kind::kPRelu;
  PrimitiveOperand argument;
  argument.argument = DNNL_ARG_ATTR_MULTIPLE_POST_OP(index) |
                      (prelu ? DNNL_ARG_WEIGHTS : DNNL_ARG_SRC_1);
  if (!op.tensor) {
    argument.desc = Describe(op);
    DOVETAIL_ASSIGN_OR_RETURN(argument.operand,
                              HoldNumbers(builder, op.numbers));
    return argument;
  }
  argument.desc = desc.query_md(dnnl::query::exec_arg_md, argument.argument);
  const auto layout = LayoutOf(argument.desc, primitive_shape_);
  if (!layout.has_value()) {
    return Internal("a post-operation reads a tensor in an unknown layout");
  }
  DOVETAIL_ASSIGN_OR_RETURN(
      argument.operand, builder.Read(op.tensor, {ElementType::kF32, *layout}));
  return argument;
}

absl::StatusOr<std::vector<PrimitiveOperand>> PostOpChain::Arguments(
    const dnnl::primitive_desc_base& desc, PlanBuilder& builder) const {
  std::vector<PrimitiveOperand> arguments;
  const std::vector<PostOp> all = ops();
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].kind == PostOp::Kind::kEltwise ||
        all[i].kind == PostOp::Kind::kSum) {
      continue;
    }
    DOVETAIL_ASSIGN_OR_RETURN(
        PrimitiveOperand argument,
        Argument(desc, static_cast<int>(i), all[i], builder));
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

void PostOpChain::Fuse(PlanBuilder& builder) const {
  for (const Follower& follower : followers_) {
    builder.Fuse(*follower.node);
    for (const Node* node : follower.also) builder.Fuse(*node);
  }
}

absl::StatusOr<Operand> HoldNumbers(PlanBuilder& builder,
                                    const Numbers& numbers) {
  const size_t count = (numbers.size() + kLanes - 1) / kLanes * kLanes;
  DOVETAIL_ASSIGN_OR_RETURN(
      const Tensor tensor,
      Tensor::Allocate(ElementType::kF32, {static_cast<int64_t>(count)}));
  std::copy(numbers.begin(), numbers.end(), tensor.mutable_data<float>());
  return builder.Hold(tensor);
}

}  // namespace dovetail::cpu
