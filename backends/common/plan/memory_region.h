// A piece of a plan's memory, for descriptions.
#ifndef DOVETAIL_BACKENDS_COMMON_PLAN_MEMORY_REGION_H_
#define DOVETAIL_BACKENDS_COMMON_PLAN_MEMORY_REGION_H_

#include <cstdint>
#include <string>

namespace dovetail {

// What lies there from step `first` to step `last`, both included.
struct MemoryRegion {
  int arena = 0;
  int64_t offset = 0, bytes = 0;  // in the arena
  int first = 0, last = 0;
  // The layer that writes it first, and its type; of memory that a step alone
  // needs: the step's layer, and "scratch".
  std::string name, type;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PLAN_MEMORY_REGION_H_
