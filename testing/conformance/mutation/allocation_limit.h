// Watches what a program allocates. Whatever links this has another malloc and
// another operator new (see BUILD.bazel), which fail as if memory were out when
// a single request is larger than a limit, and note that.
#ifndef DOVETAIL_TESTING_CONFORMANCE_MUTATION_ALLOCATION_LIMIT_H_
#define DOVETAIL_TESTING_CONFORMANCE_MUTATION_ALLOCATION_LIMIT_H_

#include <cstddef>
#include <cstdint>

namespace dovetail {

// From its constructor to its destructor nothing gets more than `bytes` at
// once. One at a time in a process.
class AllocationLimit {
 public:
  explicit AllocationLimit(size_t bytes);
  ~AllocationLimit();

  // The largest request that has been refused; 0 when none was.
  static size_t refused();
};

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_CONFORMANCE_MUTATION_ALLOCATION_LIMIT_H_
