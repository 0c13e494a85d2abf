// Compressed weights, in the forms in which files hold them, and what they
// are as i8.
#ifndef DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_WEIGHTS_STORED_WEIGHTS_H_
#define DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_WEIGHTS_STORED_WEIGHTS_H_

#include <optional>
#include <vector>

#include "dovetail/core/graph/node.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/transformations/low_precision/analysis/linear.h"

namespace dovetail {

// One of
//
//   FakeQuantize(constant, four constants)
//   Multiply(Subtract(Convert(constant), zero point), scale)
//
// the latter without Subtract or Multiply where there is nothing to do, perhaps
// under Reshape, Squeeze and Unsqueeze.
struct StoredWeights {
  // The number that element x stands for is (x * factor - zero) * scale, where
  // factor is 1 / scale for FakeQuantize, whose x are the f32 that it gives,
  // and else 1. Scale and zero broadcast to `numbers`; without data they are 1
  // and 0.
  Tensor numbers;
  Tensor zero;
  Tensor scale;
  bool is_fake_quantized = false;
  bool is_reshaped = false;
  // What they are made of, each once.
  std::vector<Node*> nodes;
};
std::optional<StoredWeights> MatchStoredWeights(Value weights);

// The integers in the order of elements, as they are where they are i8 without
// a zero point, and scales: one, or one an output channel.
struct FoldedWeights {
  Tensor integers;
  std::vector<float> scale;
};
// Nothing when zero points or scales vary within a channel, or the numbers do
// not fit: weights are i8 without a zero point.
std::optional<FoldedWeights> FoldToInt8(const StoredWeights& stored,
                                        const WeightsLayout& layout);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_WEIGHTS_STORED_WEIGHTS_H_
