// A pooling as its kernels see it.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_POOLING_PROBLEM_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_POOLING_PROBLEM_H_

#include <optional>
#include <vector>

#include "dovetail/core/graph/node.h"
#include "dovetail/core/ops/common/window.h"

namespace dovetail::cpu {

enum class PoolingKind : uint8_t {
  kMax,
  kAverageOfData,    // divides by what the window covers of the data
  kAverageOfWindow,  // divides by the window's size
};

// Input 0 of the node, [N, C, spatial …], f32 (for maxima also u8 and i8), is
// pooled to its output 0 by windows along the spatial axes.
struct PoolingProblem {
  const Node* node = nullptr;
  PoolingKind kind = PoolingKind::kMax;
  std::vector<dovetail::WindowAxis> axes;
};

// An adaptive pooling of f32 to output 0, of which nothing else is read.
struct AdaptiveProblem {
  const Node* node = nullptr;
  PoolingKind kind = PoolingKind::kMax;
  // The same with windows of one size; none where they are of several.
  std::optional<PoolingProblem> even;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_POOLING_PROBLEM_H_
