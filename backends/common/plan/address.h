// The address of a tensor when a plan runs.
#ifndef DOVETAIL_BACKENDS_COMMON_PLAN_ADDRESS_H_
#define DOVETAIL_BACKENDS_COMMON_PLAN_ADDRESS_H_

#include <cstdint>

namespace dovetail {

// `offset` bytes into one of these.
struct Address {
  enum class Space : uint8_t {
    kNowhere,   // an optional operand that is not there
    kArena,     // the arena number `index`, memory of the context
    kInput,     // the input number `index`
    kOutput,    // the output number `index`
    kConstant,  // at `constant`, in memory that the plan keeps alive
  };
  Space space = Space::kNowhere;
  int index = 0;
  int64_t offset = 0;
  const void* constant = nullptr;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PLAN_ADDRESS_H_
