#include "dovetail/transformations/low_precision/weights/stored_weights.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "dovetail/core/ops/quantization/fake_quantize.h"
#include "dovetail/core/reference/evaluate.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/common/movements.h"

namespace dovetail {
namespace {

// How far numbers may be from integers: what is left of roundings in files.
constexpr float kTolerance = 0.01f;

void Note(Node* node, StoredWeights& stored) {
  std::vector<Node*>& nodes = stored.nodes;
  if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) {
    nodes.push_back(node);
  }
}

// A constant as f32, also behind a conversion.
std::optional<Tensor> FloatsOf(Value value) {
  if (value && value.node->Is("Convert")) value = value.node->input(0);
  const Tensor* tensor = ConstantOf(value);
  if (tensor == nullptr ||
      !(IsFloat(tensor->type()) || IsInteger(tensor->type()))) {
    return std::nullopt;
  }
  if (tensor->type() == ElementType::kF32 && tensor->is_contiguous()) {
    return *tensor;
  }
  auto floats = ConvertTensor(*tensor, ElementType::kF32);
  return floats.ok() ? std::optional<Tensor>(*std::move(floats)) : std::nullopt;
}

// Takes an operation with a constant off `value`, and gives that.
std::optional<Tensor> TakeOff(OpType type, Value& value,
                              StoredWeights& stored) {
  if (!value.node->Is(type) || value.node->input_count() != 2) return {};
  auto constant = FloatsOf(value.node->input(1));
  const Value data = value.node->input(0);
  if (!constant.has_value() || data.shape() != value.shape()) return {};
  Note(value.node, stored);
  Note(value.node->input(1).node, stored);
  value = data;
  return constant;
}

bool MatchIntegers(Value value, StoredWeights& stored) {
  if (auto scale = TakeOff("Multiply", value, stored)) {
    stored.scale = *std::move(scale);
  }
  if (auto zero = TakeOff("Subtract", value, stored)) {
    stored.zero = *std::move(zero);
  }
  if (!value.node->Is("Convert")) return false;
  const Tensor* integers = ConstantOf(value.node->input(0));
  if (integers == nullptr || !IsInteger(integers->type()) ||
      BitWidth(integers->type()) > 8) {
    return false;
  }
  Note(value.node, stored);
  Note(value.node->input(0).node, stored);
  stored.numbers = *integers;
  return true;
}

// (high - low) / steps and -low / that, all of one shape.
bool SetParams(const Tensor& low, const Tensor& high, int64_t levels,
               StoredWeights& stored) {
  if (low.shape() != high.shape()) return false;
  auto scale = Tensor::AllocateUninitialized(ElementType::kF32, low.shape());
  auto zero = Tensor::AllocateUninitialized(ElementType::kF32, low.shape());
  if (!scale.ok() || !zero.ok()) return false;
  for (int64_t i = 0; i < low.element_count(); ++i) {
    const float a = low.data<float>()[i], b = high.data<float>()[i];
    const float step = (b - a) / static_cast<float>(levels - 1);
    if (!std::isfinite(step)) return false;
    scale->mutable_data<float>()[i] = step;
    // Elements are counted from 0, whatever the lowest level is. Levels that
    // lie between integers are found out when elements turn out to be none.
    zero->mutable_data<float>()[i] = 0;
  }
  stored.scale = *std::move(scale);
  stored.zero = *std::move(zero);
  return true;
}

bool MatchFakeQuantize(Value value, StoredWeights& stored) {
  const auto* attributes = value.node->As<FakeQuantizeAttributes>();
  if (attributes == nullptr || attributes->levels < 2 ||
      attributes->levels > 256 ||
      attributes->auto_broadcast != AutoBroadcast::kNumpy ||
      value.type() != ElementType::kF32) {
    return false;
  }
  std::vector<Tensor> inputs;
  Note(value.node, stored);
  for (Value input : value.node->inputs()) {
    auto floats = FloatsOf(input);
    if (!floats.has_value()) return false;
    inputs.push_back(*std::move(floats));
    Note(input.node, stored);
  }
  if (!SetParams(inputs[3], inputs[4], attributes->levels, stored))
    return false;
  auto outputs = EvaluateNode(*value.node, inputs, {});
  if (!outputs.ok()) return false;
  stored.numbers = (*outputs)[0];
  stored.is_fake_quantized = true;
  return true;
}

// The numbers of a scale or zero point for each output channel.
std::optional<std::vector<float>> PerChannel(const Tensor& side,
                                             const StoredWeights& stored,
                                             const WeightsLayout& layout,
                                             float otherwise) {
  if (!side.has_data()) return std::vector<float>{otherwise};
  const auto numbers = side.span<float>();
  if (side.element_count() == 1) return std::vector<float>{numbers[0]};
  const Shape& shape = stored.numbers.shape();
  const int missing = shape.rank() - side.rank();
  if (missing < 0) return std::nullopt;
  // Its elements repeat in blocks of the weights, one behind the other: it
  // spans leading axes, but for those of extent 1.
  int64_t block = 1;
  int axis = shape.rank() - 1;
  while (axis >= missing && side.shape()[axis - missing] == 1) {
    block *= shape[axis--];
  }
  if (layout.outer == 1) {
    // All axes up to there have to be its own, so that blocks do not repeat.
    for (int i = 0; i <= axis; ++i) {
      if (i < missing ? shape[i] != 1 : side.shape()[i - missing] != shape[i]) {
        return std::nullopt;
      }
    }
    if (block % layout.inner != 0) return std::nullopt;
    std::vector<float> result;
    for (int64_t c = 0; c < layout.channels; ++c) {
      result.push_back(numbers[c * layout.inner / block]);
    }
    return result;
  }
  const int offset = shape.rank() - layout.scale_shape.rank();
  if (stored.is_reshaped || offset != 0) return std::nullopt;
  for (int i = 0; i < shape.rank(); ++i) {
    const int64_t extent = i < missing ? 1 : side.shape()[i - missing];
    if (extent != layout.scale_shape[i]) return std::nullopt;
  }
  return std::vector<float>(numbers.begin(), numbers.end());
}

// What there is among integers: all of them fit i8 when nothing is lower or
// higher and no number was between two.
struct Range {
  int32_t low = 0, high = 0, between = 0;

  bool FitsInt8() const { return low >= -128 && high <= 127 && between == 0; }
};

// q = x * factor - zero as an integer. Written so that it is vectorised: what
// does not fit is found out when all is done.
void ToInt8(const float* x, int64_t count, float factor, float zero,
            int8_t* __restrict out, Range& range) {
  constexpr float kNoFraction = 3 << 22;
  Range found = range;
  for (int64_t i = 0; i < count; ++i) {
    const float exact = x[i] * factor - zero;
    // In this order of arguments NaN becomes a number that is out of range.
    const float clamped = std::min(1000.0f, std::max(-1000.0f, exact));
    const float nearest = (clamped + kNoFraction) - kNoFraction;
    const auto q = static_cast<int32_t>(nearest);
    found.low = std::min(found.low, q);
    found.high = std::max(found.high, q);
    found.between |= std::abs(clamped - nearest) > kTolerance ? 1 : 0;
    out[i] = static_cast<int8_t>(q);
  }
  range = found;
}

bool AllNear(const std::vector<float>& numbers, float wanted) {
  return std::all_of(numbers.begin(), numbers.end(), [&](float x) {
    return std::abs(x - wanted) <= kTolerance;
  });
}

float At(const std::vector<float>& numbers, int64_t i) {
  return numbers.size() == 1 ? numbers[0] : numbers[i];
}

}  // namespace

std::optional<StoredWeights> MatchStoredWeights(Value weights) {
  StoredWeights stored;
  while (weights && IsReshape(*weights.node)) {
    Note(weights.node, stored);
    stored.is_reshaped = true;
    weights = weights.node->input(0);
  }
  if (!weights || weights.type() != ElementType::kF32) return std::nullopt;
  const bool found = weights.node->Is("FakeQuantize")
                         ? MatchFakeQuantize(weights, stored)
                         : MatchIntegers(weights, stored);
  if (!found) return std::nullopt;
  return stored;
}

std::optional<FoldedWeights> FoldToInt8(const StoredWeights& stored,
                                        const WeightsLayout& layout) {
  const int64_t count = layout.outer * layout.inner * layout.output_channels();
  if (stored.numbers.element_count() != count) return std::nullopt;
  const auto scale = PerChannel(stored.scale, stored, layout, 1);
  const auto zero = PerChannel(stored.zero, stored, layout, 0);
  if (!scale.has_value() || !zero.has_value() ||
      (scale->size() != 1 &&
       static_cast<int64_t>(scale->size()) != layout.output_channels())) {
    return std::nullopt;
  }
  const bool as_is = stored.numbers.type() == ElementType::kI8 &&
                     stored.numbers.is_contiguous() && AllNear(*zero, 0);
  if (as_is) return FoldedWeights{stored.numbers, *scale};
  auto floats = stored.numbers.type() == ElementType::kF32
                    ? absl::StatusOr<Tensor>(stored.numbers)
                    : ConvertTensor(stored.numbers, ElementType::kF32);
  auto integers =
      Tensor::AllocateUninitialized(ElementType::kI8, stored.numbers.shape());
  if (!floats.ok() || !integers.ok()) return std::nullopt;
  const float* x = floats->data<float>();
  int8_t* out = integers->mutable_data<int8_t>();
  Range range;
  for (int64_t block = 0; block < layout.groups * layout.outer; ++block) {
    for (int64_t c = 0; c < layout.channels; ++c) {
      const int64_t channel = block / layout.outer * layout.channels + c;
      const float step = At(*scale, channel);
      const float factor = !stored.is_fake_quantized ? 1
                           : step != 0               ? 1 / step
                                                     : 0;
      ToInt8(x, layout.inner, factor, At(*zero, channel), out, range);
      x += layout.inner;
      out += layout.inner;
    }
  }
  if (!range.FitsInt8()) return std::nullopt;
  return FoldedWeights{*std::move(integers), *scale};
}

}  // namespace dovetail
