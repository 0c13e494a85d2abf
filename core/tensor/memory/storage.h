// Memory for the elements of a tensor.
#ifndef DOVETAIL_CORE_TENSOR_MEMORY_STORAGE_H_
#define DOVETAIL_CORE_TENSOR_MEMORY_STORAGE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "absl/status/statusor.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

// What is in new memory.
enum class Contents {
  kZeros,
  // Anything; all of it is going to be written next, so it has its pages.
  kWrittenAtOnce,
  // Anything; who writes a part of it calls ClaimPages, so that several threads
  // make pages.
  kWrittenInParts,
};

// `count` elements that begin at a multiple of Tensor::kAlignment, in memory of
// CurrentAllocator(); strings are always constructed, and destroyed with the
// storage. Never null, even for no elements.
// kInvalidArgument for a size that overflows, kResourceExhausted when there is
// not that much memory, kFailedPrecondition when the application's allocator
// gives what is not aligned.
absl::StatusOr<std::shared_ptr<void>> AllocateStorage(ElementType type,
                                                      int64_t count,
                                                      Contents contents);

// Backs memory with pages that is going to be written, whatever is in it. Any
// part, by any thread; where it is a small one, pages come as they are touched.
void ClaimPages(void* memory, size_t bytes);

// Bytes that lie where elements of their type may not be read, and a copy of
// them that lies right, from when somebody asks for it. Thread-safe.
class UnalignedStorage {
 public:
  UnalignedStorage(const void* bytes, size_t size,
                   std::shared_ptr<const void> owner)
      : bytes_(bytes), size_(size), owner_(std::move(owner)) {}

  // The copy, which lives as long as this; throws std::bad_alloc.
  const void* AlignedCopy() const;

 private:
  const void* const bytes_;
  const size_t size_;
  const std::shared_ptr<const void> owner_;  // of the bytes
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const void> copy_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_TENSOR_MEMORY_STORAGE_H_
