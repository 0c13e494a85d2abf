// Gives tensors that are not needed at the same time the same memory.
#ifndef DOVETAIL_BACKENDS_CPU_PLAN_ARENA_PLANNER_H_
#define DOVETAIL_BACKENDS_CPU_PLAN_ARENA_PLANNER_H_

#include <cstdint>
#include <vector>

namespace dovetail::cpu {

// A piece of memory that is needed from step `first` to step `last`, both
// included.
struct ArenaRequest {
  int64_t bytes = 0;
  int first = 0;
  int last = 0;
};

struct ArenaPlan {
  std::vector<int64_t> offsets;  // one a request, multiples of 64
  int64_t bytes = 0;             // of the whole arena
};

// The largest requests first, each into the smallest gap between those that are
// there already and live at the same time ("greedy by size", Pisarchyk and Lee,
// Efficient Memory Management for Deep Neural Net Inference, 2020).
ArenaPlan PlanArena(const std::vector<ArenaRequest>& requests);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_PLAN_ARENA_PLANNER_H_
