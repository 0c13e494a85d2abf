#include "dovetail/backends/common/fusion/epilogue.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "dovetail/core/blob/deferred_check.h"
#include "dovetail/core/ops/activation/activation.h"
#include "dovetail/core/ops/common/broadcast.h"
#include "dovetail/core/ops/elementwise/binary.h"
#include "dovetail/core/ops/elementwise/convert.h"
#include "dovetail/core/ops/elementwise/unary.h"
#include "dovetail/core/ops/quantization/fake_quantize.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/low_precision/analysis/quantization_params.h"

namespace dovetail {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
// Rounding to integers by adding a large number works up to here.
constexpr int64_t kMaxLevels = 1 << 22;

Shape ShapeOf(Value value) { return value.shape().ToShape().value_or(Shape()); }

const Tensor* CheckedConstantOf(Value value) {
  const Tensor* const constant = ConstantOf(value);
  // Of damage who compiles will tell.
  if (constant != nullptr) CheckDeferred(constant->address()).IgnoreError();
  return constant;
}

ChannelVector FloatsOf(const Tensor& tensor) {
  ChannelVector floats;
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    floats.push_back(static_cast<float>(tensor.ElementAsDouble(i)));
  }
  return floats;
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

bool IsBinary(const Node& node, int input) {
  if (node.input_count() != 2) return false;
  return node.Is("Add") || node.Is("Multiply") || node.Is("Maximum") ||
         node.Is("Minimum") ||
         (input == 0 && (node.Is("Subtract") || node.Is("Divide")));
}

template <typename Function>
ChannelVector Mapped(ChannelVector channels, Function function) {
  for (float& x : channels) x = function(x);
  return channels;
}

// ---- FakeQuantize ----

struct Ranges {
  ChannelVector in_low, in_high, out_low, out_high;
};

bool AreWhole(const Ranges& ranges, float steps) {
  const auto low = UniformValue(ranges.out_low);
  const auto high = UniformValue(ranges.out_high);
  return low.has_value() && high.has_value() && *low == std::trunc(*low) &&
         *high - *low == steps;
}

// Nothing where the levels are too many to round, or an input range is empty.
std::optional<QuantizeOp> QuantizeOf(const Ranges& ranges, int64_t levels) {
  if (levels < 2 || levels > kMaxLevels) return std::nullopt;
  QuantizeOp result;
  result.steps = static_cast<float>(levels - 1);
  for (size_t i = 0; i < ranges.in_low.size(); ++i) {
    if (!(ranges.in_low[i] < ranges.in_high[i])) return std::nullopt;
    const float inverse = 1.0f / (ranges.in_high[i] - ranges.in_low[i]);
    result.scale.push_back(inverse * result.steps);
    result.shift.push_back(-(ranges.in_low[i] * inverse * result.steps));
    const float range = ranges.out_high[i] - ranges.out_low[i];
    result.step.push_back(range == result.steps ? 1.0f
                                                : 1.0f / result.steps * range);
  }
  result.offset = ranges.out_low;
  result.is_whole = AreWhole(ranges, result.steps);
  return result;
}

// Whether all levels are numbers of the type.
bool Holds(ElementType type, const QuantizeOp& quantize) {
  const float low = quantize.offset[0], high = low + quantize.steps;
  if (!quantize.is_whole) return false;
  if (type == ElementType::kU8) return low >= 0 && high <= 255;
  return type == ElementType::kI8 && low >= -128 && high <= 127;
}

// ---- The finder ----

class Finder {
 public:
  Finder(Value anchor, const EpilogueSupport& support,
         absl::FunctionRef<bool(Value)> is_ready)
      : support_(support), is_ready_(is_ready), shape_(ShapeOf(anchor)) {
    epilogue_.anchor = anchor;
    axis_ = support.channel_axis;
    if (axis_ < 0) axis_ += shape_.rank();
  }

  Epilogue Run() {
    if (axis_ < 0 || axis_ >= shape_.rank()) return std::move(epilogue_);
    channels_ = static_cast<size_t>(shape_[axis_]);
    while (epilogue_.size() < support_.max_stages &&
           epilogue_.type() == ElementType::kF32) {
      const std::vector<Use>& uses = epilogue_.result().port().uses;
      if (uses.size() != 1 || !Take(*uses[0].node, uses[0].input)) break;
    }
    return std::move(epilogue_);
  }

 private:
  bool Take(const Node& node, int input) {
    if (!node.op().custom_opset.empty() || node.output_count() != 1 ||
        !IsNumpy(node) ||
        node.port().shape.ToShape().value_or(Shape()) != shape_) {
      return false;
    }
    EpilogueStage stage;
    stage.nodes = {&node};
    std::optional<EpilogueOp> op = StoreOf(node);
    if (!op && node.port().type == ElementType::kF32) {
      op = FloatOp(node, input, stage);
    }
    if (!op) return false;
    stage.op = *std::move(op);
    epilogue_.stages.push_back(std::move(stage));
    return true;
  }

  // After FakeQuantize has made whole numbers of that type's range.
  std::optional<EpilogueOp> StoreOf(const Node& node) const {
    const auto* convert = node.As<ConvertAttributes>();
    if (convert == nullptr || !support_.stores_integers) return std::nullopt;
    const auto* before = epilogue_.Find<QuantizeOp>(epilogue_.size() - 1);
    if (before == nullptr || !Holds(convert->destination_type, *before)) {
      return std::nullopt;
    }
    return StoreOp{convert->destination_type};
  }

  std::optional<EpilogueOp> FloatOp(const Node& node, int input,
                                    EpilogueStage& stage) const {
    if (auto op = WithConstant(node, input)) return op;
    if (IsBinary(node, input)) return ResidualOf(node, input, stage);
    if (input != 0) return std::nullopt;
    if (const auto* clamp = node.As<ClampAttributes>()) {
      return ClampOp{All(static_cast<float>(clamp->min)),
                     All(static_cast<float>(clamp->max))};
    }
    if (node.Is("Negative")) return AffineOp{All(-1), All(0)};
    if (node.Is("FakeQuantize")) return FakeQuantizeOf(node);
    if (support_.takes_activation != nullptr &&
        support_.takes_activation(node)) {
      return ActivationOp{&node};
    }
    return std::nullopt;
  }

  // Arithmetic whose other operand is a constant.
  std::optional<EpilogueOp> WithConstant(const Node& node, int input) const {
    const bool is_prelu = node.Is("PRelu") && input == 0;
    const bool is_reversed = node.Is("Subtract") && input == 1;
    if (!is_prelu && !is_reversed && !IsBinary(node, input)) {
      return std::nullopt;
    }
    const Value other = node.input(1 - input);
    auto c = ChannelsOf(other);
    if (is_prelu && !c) c = OneAxisSlope(other);
    if (!c) return std::nullopt;
    if (is_prelu) return SlopeOp{*std::move(c)};
    if (is_reversed) return AffineOp{All(-1), *std::move(c)};
    if (node.Is("Add")) return AffineOp{All(1), *std::move(c)};
    if (node.Is("Multiply")) return AffineOp{*std::move(c), All(0)};
    if (node.Is("Maximum")) return ClampOp{*std::move(c), All(kInfinity)};
    if (node.Is("Minimum")) return ClampOp{All(-kInfinity), *std::move(c)};
    if (node.Is("Subtract")) {
      return AffineOp{All(1), Mapped(*c, [](float x) { return -x; })};
    }
    if (std::count(c->begin(), c->end(), 0.0f) > 0) return std::nullopt;
    return AffineOp{Mapped(*c, [](float x) { return 1 / x; }), All(0)};
  }

  // PRelu's form of its own.
  std::optional<ChannelVector> OneAxisSlope(Value value) const {
    const Tensor* slope = CheckedConstantOf(value);
    if (slope == nullptr || axis_ != 1 || slope->rank() != 1 ||
        static_cast<size_t>(slope->element_count()) != channels_) {
      return std::nullopt;
    }
    return FloatsOf(*slope);
  }

  std::optional<EpilogueOp> ResidualOf(const Node& node, int input,
                                       EpilogueStage& stage) const {
    const Value other = node.input(1 - input);
    if (other.type() != ElementType::kF32 || ShapeOf(other) != shape_) {
      return std::nullopt;
    }
    if (is_ready_(other)) return ResidualOp{&node, other};
    if (!support_.takes_integer_residuals || !node.Is("Add")) {
      return std::nullopt;
    }
    const auto found = MatchDequantization(other);
    if (!found.has_value() || found->params.is_per_channel() ||
        !is_ready_(found->integers)) {
      return std::nullopt;
    }
    AddUnneeded(other.node, found->integers.node, stage);
    const float scale = found->params.scale[0];
    return ResidualOp{&node, found->integers, scale,
                      -found->params.zero_point[0] * scale};
  }

  // Those of a dequantization that nobody else reads.
  void AddUnneeded(const Node* node, const Node* end,
                   EpilogueStage& stage) const {
    while (node != end && node->port().uses.size() == 1 &&
           !is_ready_(Value{const_cast<Node*>(node), 0})) {
      stage.nodes.push_back(node);
      const bool constant_first = ConstantOf(node->input(0)) != nullptr;
      node = node->input(constant_first ? 1 : 0).node;
    }
  }

  std::optional<EpilogueOp> FakeQuantizeOf(const Node& node) const {
    Ranges ranges;
    ChannelVector* const ends[] = {&ranges.in_low, &ranges.in_high,
                                   &ranges.out_low, &ranges.out_high};
    for (int i = 0; i < 4; ++i) {
      auto channels = ChannelsOf(node.input(i + 1));
      if (!channels) return std::nullopt;
      *ends[i] = *std::move(channels);
    }
    return QuantizeOf(ranges, node.As<FakeQuantizeAttributes>()->levels);
  }

  ChannelVector All(float x) const { return ChannelVector(channels_, x); }

  // Of a constant of one element, or one that varies along the axis of
  // channels.
  std::optional<ChannelVector> ChannelsOf(Value value) const {
    const Tensor* tensor = CheckedConstantOf(value);
    if (tensor == nullptr || tensor->rank() > shape_.rank() ||
        tensor->type() == ElementType::kF64) {
      return std::nullopt;
    }
    const auto count = static_cast<size_t>(tensor->element_count());
    if (count == 1) return All(FloatsOf(*tensor)[0]);
    const int axis = axis_ - (shape_.rank() - tensor->rank());
    if (axis < 0 || count != channels_ ||
        static_cast<size_t>(tensor->shape()[axis]) != channels_) {
      return std::nullopt;
    }
    return FloatsOf(*tensor);
  }

  const EpilogueSupport& support_;
  const absl::FunctionRef<bool(Value)> is_ready_;
  const Shape shape_;
  int axis_ = 0;
  size_t channels_ = 0;
  Epilogue epilogue_;
};

}  // namespace

std::optional<float> UniformValue(const ChannelVector& channels) {
  const bool is_uniform =
      std::all_of(channels.begin(), channels.end(),
                  [&](float x) { return x == channels.front(); });
  if (channels.empty() || !is_uniform) return std::nullopt;
  return channels.front();
}

ElementType Epilogue::type() const {
  const auto* store = Find<StoreOp>(size() - 1);
  return store == nullptr ? ElementType::kF32 : store->type;
}

std::vector<const Node*> Epilogue::nodes() const {
  std::vector<const Node*> all;
  for (const EpilogueStage& stage : stages) {
    all.insert(all.end(), stage.nodes.begin(), stage.nodes.end());
  }
  return all;
}

Epilogue Epilogue::First(size_t count) const {
  return {anchor, {stages.begin(), stages.begin() + count}};
}

Epilogue FindEpilogue(Value anchor, const EpilogueSupport& support,
                      absl::FunctionRef<bool(Value)> is_ready) {
  return Finder(anchor, support, is_ready).Run();
}

}  // namespace dovetail
