#include "dovetail/backends/cpu/onednn/post_ops.h"

#include <algorithm>
#include <utility>

#include "dovetail/backends/cpu/onednn/eltwise.h"
#include "dovetail/core/ops/activation/activation.h"
#include "dovetail/core/ops/common/broadcast.h"
#include "dovetail/core/ops/elementwise/binary.h"
#include "dovetail/core/ops/elementwise/convert.h"
#include "dovetail/core/ops/quantization/fake_quantize.h"
#include "dovetail/transformations/low_precision/quantization_params.h"

namespace dovetail::cpu {
namespace {

using Algorithm = dnnl::algorithm;
using Numbers = std::vector<float>;

// Further followers are steps of their own; oneDNN takes at most 32
// post-operations.
constexpr int kMaxFollowers = 8;
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
    : start_(start), options_(options), shape_(PlanBuilder::ShapeOf(start)) {
  const auto resolve = [&](const Shape& shape) {
    const int axis = options.channel_axis;
    return axis < 0 ? axis + shape.rank() : axis;
  };
  axis_ = resolve(shape_);
  target_.shape = options.shape.value_or(shape_);
  target_.channel_axis = resolve(target_.shape);
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
  const std::optional<QuantizeOps>& before = followers_.back().quantize;
  if (!before.has_value() || !before->is_whole) return false;
  follower.type = convert->destination_type;
  if (follower.type == ElementType::kU8) {
    return before->low >= 0 && before->high <= 255;
  }
  return follower.type == ElementType::kI8 && before->low >= -128 &&
         before->high <= 127;
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
  follower.ops = {
      PostOp::Eltwise(eltwise->algorithm, eltwise->alpha, eltwise->beta)};
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
  if (!found.has_value() || found->params.is_per_channel() ||
      !builder.IsReady(found->integers)) {
    return false;
  }
  op.tensor = found->integers;
  op.scale = found->params.scale[0];
  op.shift = -found->params.zero_point[0] * op.scale;
  follower.ops = {std::move(op)};
  for (const Node* node = other.node; node != found->integers.node &&
                                      node->port().uses.size() == 1 &&
                                      !builder.IsDone(*node);) {
    follower.also.push_back(node);
    const bool constant_first = PlanBuilder::ConstantOf(node->input(0));
    node = node->input(constant_first ? 1 : 0).node;
  }
  return true;
}

bool PostOpChain::TakeFakeQuantize(const Node& node, int input,
                                   Follower& follower) const {
  const auto* attributes = node.As<FakeQuantizeAttributes>();
  if (attributes == nullptr || input != 0) return false;
  QuantizeRanges ranges;
  ranges.levels = attributes->levels;
  Numbers* const ends[] = {&ranges.in_low, &ranges.in_high, &ranges.out_low,
                           &ranges.out_high};
  for (int i = 0; i < 4; ++i) {
    const auto numbers = ChannelNumbers(node.input(i + 1));
    if (!numbers.has_value()) return false;
    *ends[i] = Stretched(*numbers, channels_);
  }
  follower.quantize = QuantizeOpsOf(ranges);
  if (!follower.quantize.has_value()) return false;
  follower.role = Role::kPostOps;
  follower.ops = follower.quantize->ops;
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

// ---- Post-operations ----

std::vector<PostOp> PostOpChain::ops() const {
  std::vector<PostOp> all;
  for (int i = 0; i < length(); ++i) {
    const bool converted =
        i + 1 < length() && followers_[i + 1].type != ElementType::kF32;
    const std::vector<PostOp>& own =
        converted ? followers_[i].quantize->ops_before_convert
                  : followers_[i].ops;
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

void PostOpChain::Fuse(PlanBuilder& builder) const {
  for (const Follower& follower : followers_) {
    builder.Fuse(*follower.node);
    for (const Node* node : follower.also) builder.Fuse(*node);
  }
}

}  // namespace dovetail::cpu
