// How the operands of an elementwise kernel are walked: a few extents, and the
// strides of each operand along them.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_ELEMENTWISE_BROADCAST_WALK_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_ELEMENTWISE_BROADCAST_WALK_H_

#include <cstdint>
#include <vector>

namespace dovetail::gpu {

// Extents from the outermost one on. Strides are in elements, 0 where the
// operand is broadcast; those of the last extent are 1 or 0.
struct BroadcastWalk {
  std::vector<int64_t> extents;
  std::vector<std::vector<int64_t>> strides;  // one an operand

  int64_t inner() const { return extents.back(); }
  // The extent before the last one; 1: there is none.
  int64_t rows() const {
    return extents.size() < 2 ? 1 : extents[extents.size() - 2];
  }
  // All extents but the last one.
  int64_t outer() const;
};

// Over dense tensors of `operands`, each with as many extents as `shape`, which
// are those of the shape or 1. Neighboring extents that all operands walk alike
// are one.
BroadcastWalk WalkOf(const std::vector<int64_t>& shape,
                     const std::vector<std::vector<int64_t>>& operands);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_ELEMENTWISE_BROADCAST_WALK_H_
