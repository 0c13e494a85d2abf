#include "dovetail/backends/cpu/onednn/quantize_ops.h"

#include <algorithm>
#include <cmath>

namespace dovetail::cpu {
namespace {

using Algorithm = dnnl::algorithm;
using Numbers = std::vector<float>;

// Rounding to integers by adding a large number works up to here.
constexpr int64_t kMaxLevels = 1 << 22;

// What x is multiplied by, and what is added, before and after it is rounded.
struct Factors {
  Numbers in_scale, in_shift, out_scale;
};

Factors FactorsOf(const QuantizeRanges& ranges, float steps) {
  Factors factors;
  for (size_t i = 0; i < ranges.in_low.size(); ++i) {
    const float inverse = 1.0f / (ranges.in_high[i] - ranges.in_low[i]);
    factors.in_scale.push_back(inverse * steps);
    factors.in_shift.push_back(-(ranges.in_low[i] * inverse * steps));
    const float range = ranges.out_high[i] - ranges.out_low[i];
    factors.out_scale.push_back(range == steps ? 1.0f : 1.0f / steps * range);
  }
  return factors;
}

bool AreWhole(const QuantizeRanges& ranges, float steps) {
  const float low = ranges.out_low[0];
  if (low != std::trunc(low)) return false;
  for (size_t i = 0; i < ranges.out_low.size(); ++i) {
    if (ranges.out_low[i] != low) return false;
    if (ranges.out_high[i] - ranges.out_low[i] != steps) return false;
  }
  return true;
}

}  // namespace

std::optional<QuantizeOps> QuantizeOpsOf(const QuantizeRanges& ranges) {
  if (ranges.levels < 2 || ranges.levels > kMaxLevels) return std::nullopt;
  const bool has_room = std::equal(ranges.in_low.begin(), ranges.in_low.end(),
                                   ranges.in_high.begin(),
                                   [](float a, float b) { return a < b; });
  if (!has_room) return std::nullopt;

  const float steps = static_cast<float>(ranges.levels - 1);
  const Factors factors = FactorsOf(ranges, steps);
  QuantizeOps result;
  AppendLinear(factors.in_scale, factors.in_shift, result.ops);
  result.ops_before_convert = result.ops;
  result.ops.push_back(PostOp::Eltwise(Algorithm::eltwise_round));
  result.ops.push_back(PostOp::Eltwise(Algorithm::eltwise_clip, 0, steps));
  AppendLinear(factors.out_scale, ranges.out_low, result.ops);

  result.is_whole = AreWhole(ranges, steps);
  if (!result.is_whole) return result;
  result.low = ranges.out_low[0];
  result.high = result.low + steps;
  if (result.low != 0) {
    result.ops_before_convert = result.ops;
  } else if (steps != 255) {
    result.ops_before_convert.push_back(
        PostOp::Eltwise(Algorithm::eltwise_clip, 0, steps));
  }
  return result;
}

}  // namespace dovetail::cpu
