// Gives tensors that are not needed at the same time the same memory.
#ifndef DOVETAIL_BACKENDS_COMMON_PLAN_ARENA_PLANNER_H_
#define DOVETAIL_BACKENDS_COMMON_PLAN_ARENA_PLANNER_H_

#include <cstdint>
#include <limits>
#include <vector>

namespace dovetail {

// A piece of memory and its live range: it is needed from step `first` to step
// `last`, both included.
struct ArenaRequest {
  int64_t bytes = 0;
  int first = 0;
  int last = 0;
};

// What the memory is like.
struct ArenaOptions {
  // Of all offsets and sizes, above 0: of a cache line, a vector, a line of a
  // DMA engine or a sub-buffer.
  int64_t alignment = 64;
  // The most bytes that there are, such as those of a memory on the chip.
  int64_t capacity = std::numeric_limits<int64_t>::max();
};

struct ArenaPlan {
  // The offset of a request that has found no room below the capacity.
  static constexpr int64_t kSpilled = -1;

  std::vector<int64_t> offsets;  // one a request
  int64_t bytes = 0;             // of the whole arena, at most the capacity
};

// The largest requests first, each into the smallest gap between those that are
// there already and live at the same time ("greedy by size", Pisarchyk and Lee,
// Efficient Memory Management for Deep Neural Net Inference, 2020). One that
// fits nowhere is spilled, and smaller ones may still find room.
ArenaPlan PlanArena(const std::vector<ArenaRequest>& requests,
                    const ArenaOptions& options = {});

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PLAN_ARENA_PLANNER_H_
