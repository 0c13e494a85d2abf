// Recognises root mean square normalization, for which there is no operation.
#ifndef DOVETAIL_TRANSFORMATIONS_FUSION_NORMALIZATION_RMS_NORM_PATTERN_H_
#define DOVETAIL_TRANSFORMATIONS_FUSION_NORMALIZATION_RMS_NORM_PATTERN_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/core/graph/node.h"

namespace dovetail {

// gamma * x / sqrt(mean(x^2 over axes) + eps)
struct RmsNorm {
  Value x;
  Value gamma;  // empty for 1; broadcast as NumPy does
  std::vector<int64_t> axes;  // in order; from 0 on where the rank is known
  double eps = 0;
  // All nodes that it stands for, the last one first. But for the last one,
  // nobody else reads them.
  std::vector<const Node*> nodes;
};

// What fusion leaves of it ends in Divide(x, Sqrt(Add(ReduceMean(…), eps))),
// with the square as Power or Multiply, and a Multiply by gamma behind it;
// quotients in other forms are recognised too. `last` is that Multiply, or the
// Divide, which has no gamma. A gamma has to be a constant.
std::optional<RmsNorm> MatchRmsNorm(const Node& last);

// The longest one whose first node is that square, x^2 or x * x of f32.
std::optional<RmsNorm> RmsNormFrom(const Node& square);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_FUSION_NORMALIZATION_RMS_NORM_PATTERN_H_
