// Memory of an application's own for the elements of tensors.
#ifndef DOVETAIL_CORE_TENSOR_MEMORY_ALLOCATOR_H_
#define DOVETAIL_CORE_TENSOR_MEMORY_ALLOCATOR_H_

#include <cstddef>
#include <memory>
#include <utility>

namespace dovetail {

// Where memory comes from, and where it goes back to: an application derives
// one of its own (Core::SetAllocator, AllocatorScope). Thread-safe. What it has
// given keeps it, so it goes with the last tensor, which may be after the Core.
class Allocator {
 public:
  virtual ~Allocator() = default;

  // `bytes`, at least 1, that begin at a multiple of `alignment`, a power of
  // two; what is in them does not matter. Null, or std::bad_alloc, when there
  // is not that much: who asked then fails with kResourceExhausted.
  virtual void* Allocate(size_t bytes, size_t alignment) = 0;

  // Takes back what Allocate gave for these numbers, in any thread. Must not
  // throw.
  virtual void Free(void* memory, size_t bytes, size_t alignment) = 0;
};

// While it lives, the tensors that this thread allocates have memory of
// `allocator`; null: of the process. Scopes nest. Costs what reading and writing
// a pointer does.
class AllocatorScope {
 public:
  explicit AllocatorScope(std::shared_ptr<Allocator> allocator);
  ~AllocatorScope();
  AllocatorScope(const AllocatorScope&) = delete;
  AllocatorScope& operator=(const AllocatorScope&) = delete;

 private:
  const std::shared_ptr<Allocator> allocator_;
  const std::shared_ptr<Allocator>* const outer_;
};

// Of this thread's innermost scope; null: the process's memory.
std::shared_ptr<Allocator> CurrentAllocator();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_TENSOR_MEMORY_ALLOCATOR_H_
