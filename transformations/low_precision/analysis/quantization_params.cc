#include "dovetail/transformations/low_precision/analysis/quantization_params.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "dovetail/core/ops/quantization/fake_quantize.h"
#include "dovetail/transformations/common/constants.h"

namespace dovetail {
namespace {

// The constant operand of a node of two inputs, and the other one.
struct Sides {
  Value data, constant;
};

std::optional<Sides> SplitConstant(const Node& node) {
  for (const int data : {0, 1}) {
    // Only products commute.
    if (data == 1 && !node.Is("Multiply")) break;
    const Value constant = node.input(1 - data);
    if (ConstantOf(constant) == nullptr) continue;
    return Sides{node.input(data), constant};
  }
  return std::nullopt;
}

// Takes a Subtract or Multiply off `value` and gives its numbers.
std::optional<std::vector<float>> TakeOff(OpType type, int rank, Value& value) {
  if (!value.node->Is(type) || value.node->input_count() != 2) return {};
  const std::optional<Sides> sides = SplitConstant(*value.node);
  if (!sides.has_value() || sides->data.shape() != value.shape()) return {};
  auto numbers = ChannelNumbers(sides->constant, rank);
  if (numbers.has_value()) value = sides->data;
  return numbers;
}

bool AllFinite(const std::vector<float>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [](float x) { return std::isfinite(x); });
}

// Repeats a single number.
void BroadcastTo(std::vector<float>& numbers, size_t size) {
  if (numbers.size() == 1) numbers.resize(size, numbers[0]);
}

bool AllBelow(const std::vector<float>& low, const std::vector<float>& high) {
  for (size_t i = 0; i < std::max(low.size(), high.size()); ++i) {
    if (!(low[low.size() == 1 ? 0 : i] < high[high.size() == 1 ? 0 : i])) {
      return false;
    }
  }
  return true;
}

bool IsUsable(QuantizationParams& params) {
  const size_t size = std::max(params.scale.size(), params.zero_point.size());
  BroadcastTo(params.scale, size);
  BroadcastTo(params.zero_point, size);
  return params.scale.size() == params.zero_point.size() &&
         AllFinite(params.scale) && AllFinite(params.zero_point) &&
         *std::min_element(params.scale.begin(), params.scale.end()) > 0;
}

}  // namespace

bool IsByte(ElementType type) {
  return type == ElementType::kU8 || type == ElementType::kI8;
}

bool SameParams(const QuantizationParams& a, const QuantizationParams& b) {
  if (a.type != b.type || a.scale.size() != b.scale.size()) return false;
  for (size_t i = 0; i < a.scale.size(); ++i) {
    if (std::abs(a.scale[i] - b.scale[i]) > 1e-6f * a.scale[i] ||
        std::abs(a.zero_point[i] - b.zero_point[i]) > 1e-3f) {
      return false;
    }
  }
  return true;
}

bool HasZero(const QuantizationParams& params) {
  const float low = params.type == ElementType::kU8 ? 0 : -128;
  return std::all_of(params.zero_point.begin(), params.zero_point.end(),
                     [&](float zero) {
                       const float nearest = std::nearbyint(zero);
                       return std::abs(zero - nearest) <= kZeroPointTolerance &&
                              low <= nearest && nearest <= low + 255;
                     });
}

bool IsSymmetric(const QuantizationParams& params) {
  return std::all_of(params.zero_point.begin(), params.zero_point.end(),
                     [](float zero) { return zero == 0; });
}

std::optional<std::vector<float>> ChannelNumbers(Value value, int rank) {
  const Tensor* tensor = ConstantOf(value);
  if (tensor == nullptr ||
      !(IsFloat(tensor->type()) || IsInteger(tensor->type()))) {
    return std::nullopt;
  }
  const Shape& shape = tensor->shape();
  if (shape.rank() > rank) return std::nullopt;
  for (int i = 0; i < shape.rank(); ++i) {
    if (shape[i] != 1 && i + rank - shape.rank() != 1) return std::nullopt;
  }
  const std::vector<double> numbers = ToDoubleVector(*tensor);
  if (numbers.empty()) return std::nullopt;
  return std::vector<float>(numbers.begin(), numbers.end());
}

Value ChannelConstant(NodeBuilder& b, const std::vector<float>& numbers,
                      int rank) {
  if (numbers.size() == 1) return b.Number(ElementType::kF32, numbers[0]);
  Shape shape;
  for (int i = 0; i < rank; ++i) {
    shape.push_back(i == 1 ? static_cast<int64_t>(numbers.size()) : 1);
  }
  auto tensor = Tensor::FromValues<float>(shape, numbers);
  if (tensor.ok()) return b.Constant(*tensor);
  b.Update(tensor.status());
  return Value{};
}

std::optional<Dequantization> MatchDequantization(Value value) {
  if (!value || value.type() != ElementType::kF32 ||
      !value.shape().rank_known()) {
    return std::nullopt;
  }
  const int rank = value.shape().rank();
  Dequantization found;
  if (auto scale = TakeOff("Multiply", rank, value))
    found.params.scale = *scale;
  if (auto zero = TakeOff("Subtract", rank, value)) {
    found.params.zero_point = *zero;
  }
  if (!value.node->Is("Convert") || value.type() != ElementType::kF32 ||
      !IsByte(value.node->input(0).type()) ||
      ConstantOf(value.node->input(0)) != nullptr) {
    return std::nullopt;
  }
  found.converted = value;
  found.integers = value.node->input(0);
  found.params.type = found.integers.type();
  if (!IsUsable(found.params)) return std::nullopt;
  return found;
}

Value Dequantize(NodeBuilder& b, Value integers,
                 const QuantizationParams& params) {
  const int rank = integers.shape().rank_known() ? integers.shape().rank() : 0;
  Value value = b.Convert(integers, ElementType::kF32);
  if (!IsSymmetric(params)) {
    value = b.Subtract(value, ChannelConstant(b, params.zero_point, rank));
  }
  return b.Multiply(value, ChannelConstant(b, params.scale, rank));
}

std::optional<QuantizationParams> QuantizationParamsOf(
    const Node& fake_quantize) {
  const auto* attributes = fake_quantize.As<FakeQuantizeAttributes>();
  if (!fake_quantize.Is("FakeQuantize") || attributes == nullptr ||
      attributes->auto_broadcast != AutoBroadcast::kNumpy ||
      !GivesIntegers(attributes->levels)) {
    return std::nullopt;
  }
  const OutputPort& port = fake_quantize.port();
  if (port.type != ElementType::kF32 || !port.shape.rank_known()) {
    return std::nullopt;
  }
  std::vector<float> ends[4];
  for (int i = 0; i < 4; ++i) {
    auto numbers =
        ChannelNumbers(fake_quantize.input(i + 1), port.shape.rank());
    if (!numbers.has_value() || !AllFinite(*numbers)) return std::nullopt;
    ends[i] = *std::move(numbers);
  }
  if (!AllBelow(ends[0], ends[1]) || !AllBelow(ends[2], ends[3])) {
    return std::nullopt;
  }
  std::vector<float>&low = ends[2], &high = ends[3];
  const size_t size = std::max(low.size(), high.size());
  BroadcastTo(low, size);
  BroadcastTo(high, size);
  if (low.size() != high.size()) return std::nullopt;
  QuantizationParams params{ElementType::kU8, high, low};
  for (size_t i = 0; i < size; ++i) {
    // In doubles, so that a zero point that is an integer comes out as one.
    const double steps = static_cast<double>(attributes->levels - 1);
    const double width = static_cast<double>(high[i]) - low[i];
    params.scale[i] = static_cast<float>(width / steps);
    params.zero_point[i] = static_cast<float>(-low[i] * steps / width) + 0.0f;
  }
  return IsUsable(params) ? std::optional(params) : std::nullopt;
}

std::optional<QuantizationParams> SignedParams(
    const QuantizationParams& params) {
  if (params.type == ElementType::kI8) return params;
  QuantizationParams result = params;
  result.type = ElementType::kI8;
  // 127 is the middle of 255 levels.
  const float middle = params.zero_point[0] < 127.5f ? 127.0f : 128.0f;
  for (float& zero : result.zero_point) {
    zero -= middle;
    if (std::abs(zero) > kZeroPointTolerance) return std::nullopt;
  }
  return result;
}

bool GivesIntegers(int64_t levels) {
  if (levels < 2 || levels > 256) return false;
  const float steps = static_cast<float>(levels - 1);
  const float per_step = 1.0f / steps;
  return per_step * steps == 1.0f;
}

Value Quantize(NodeBuilder& b, Value x, Value input_low, Value input_high,
               ElementType type, int64_t low, int64_t levels) {
  const Value output_low =
      b.Number(ElementType::kF32, static_cast<double>(low));
  const Value output_high =
      b.Number(ElementType::kF32, static_cast<double>(low + levels - 1));
  const Value integers = b.Make(
      "FakeQuantize", {x, input_low, input_high, output_low, output_high},
      {{"levels", levels}, {"auto_broadcast", "numpy"}});
  return b.Convert(integers, type);
}

}  // namespace dovetail
