// Quantization parameters of 8-bit integers, and how models say them.
#ifndef DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_ANALYSIS_QUANTIZATION_PARAMS_H_
#define DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_ANALYSIS_QUANTIZATION_PARAMS_H_

#include <optional>
#include <vector>

#include "dovetail/core/graph/node.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/transformations/common/node_builder.h"

namespace dovetail {

// An integer q of `type`, u8 or i8, stands for (q - zero_point) * scale. Both
// have one element, or one for each channel (axis 1). A zero point need not be
// an integer: files round the ends of ranges. Scales are above 0.
struct QuantizationParams {
  ElementType type = ElementType::kU8;
  std::vector<float> scale = {1};
  std::vector<float> zero_point = {0};

  bool is_per_channel() const { return scale.size() > 1; }
};

// Whether it is u8 or i8.
bool IsByte(ElementType type);

// Zero points this near to an integer are meant to be one: ends of ranges that
// have been rounded to f16 leave them up to 0.06 off.
inline constexpr float kZeroPointTolerance = 0.1f;

// Whether equal integers stand for equal numbers, but for rounding.
bool SameParams(const QuantizationParams& a, const QuantizationParams& b);
// Whether 0 is representable, as it has to be where zeros are put in.
bool HasZero(const QuantizationParams& params);
// Whether all zero points are 0, so that there is nothing to subtract.
bool IsSymmetric(const QuantizationParams& params);

// The elements of a constant of floats or integers that is a scalar, or varies
// along axis 1 only when it is broadcast to that rank.
std::optional<std::vector<float>> ChannelNumbers(Value value, int rank);
// The other way round: a scalar for one number, else f32 [1, C, 1 …].
Value ChannelConstant(NodeBuilder& b, const std::vector<float>& numbers,
                      int rank);

// ---- Dequantization: Multiply(Subtract(Convert(integers), …), …) ----

struct Dequantization {
  Value integers;   // u8 or i8
  Value converted;  // the same as f32
  QuantizationParams params;
};

// What `value` is, if it is the result of a dequantization; Subtract and
// Multiply may be missing, as for a zero point of 0 and a scale of 1.
std::optional<Dequantization> MatchDequantization(Value value);
// The other way round.
Value Dequantize(NodeBuilder& b, Value integers,
                 const QuantizationParams& params);

// ---- FakeQuantize ----

// The integers that an f32 FakeQuantize of at most 256 levels gives, from 0 on
// in u8, and the parameters that its output ranges make. Nothing when the
// ranges are not constant or not in order, vary along other axes than that of
// channels, or when its formula would not give exactly the integers.
std::optional<QuantizationParams> QuantizationParamsOf(
    const Node& fake_quantize);

// The same numbers as integers of i8, when the ranges are symmetric.
std::optional<QuantizationParams> SignedParams(
    const QuantizationParams& params);

// Whether the formula of FakeQuantize, in f32, gives 0, 1, … levels - 1 for
// the output range [0, levels - 1]: (1 / steps) * steps has to be 1.
bool GivesIntegers(int64_t levels);

// FakeQuantize(x, input_low, input_high, low, low + levels - 1) as `type`.
Value Quantize(NodeBuilder& b, Value x, Value input_low, Value input_high,
               ElementType type, int64_t low, int64_t levels);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_ANALYSIS_QUANTIZATION_PARAMS_H_
