#include "dovetail/backends/gpu/steps/elementwise/broadcast_walk.h"

#include <algorithm>
#include <cstddef>

namespace dovetail::gpu {
namespace {

std::vector<int64_t> StridesOf(const std::vector<int64_t>& operand) {
  std::vector<int64_t> strides(operand.size());
  int64_t stride = 1;
  for (size_t i = operand.size(); i-- > 0;) {
    strides[i] = operand[i] == 1 ? 0 : stride;
    stride *= operand[i];
  }
  return strides;
}

}  // namespace

int64_t BroadcastWalk::outer() const {
  int64_t count = 1;
  for (size_t i = 0; i + 1 < extents.size(); ++i) count *= extents[i];
  return count;
}

BroadcastWalk WalkOf(const std::vector<int64_t>& shape,
                     const std::vector<std::vector<int64_t>>& operands) {
  std::vector<std::vector<int64_t>> all;
  for (const auto& operand : operands) all.push_back(StridesOf(operand));
  BroadcastWalk walk;
  walk.strides.resize(operands.size());
  // From the innermost extent on, and turned round at the end.
  for (size_t i = shape.size(); i-- > 0;) {
    if (shape[i] == 1) continue;
    bool joins = !walk.extents.empty();
    for (size_t k = 0; joins && k < all.size(); ++k) {
      joins = all[k][i] == walk.strides[k].back() * walk.extents.back();
    }
    if (joins) {
      walk.extents.back() *= shape[i];
      continue;
    }
    walk.extents.push_back(shape[i]);
    for (size_t k = 0; k < all.size(); ++k) {
      walk.strides[k].push_back(all[k][i]);
    }
  }
  if (walk.extents.empty()) {  // of one element
    walk.extents = {1};
    for (auto& strides : walk.strides) strides = {0};
  }
  std::reverse(walk.extents.begin(), walk.extents.end());
  for (auto& strides : walk.strides) {
    std::reverse(strides.begin(), strides.end());
  }
  return walk;
}

}  // namespace dovetail::gpu
