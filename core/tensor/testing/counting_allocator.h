// An application's allocator for tests: knows what it has given.
#ifndef DOVETAIL_CORE_TENSOR_TESTING_COUNTING_ALLOCATOR_H_
#define DOVETAIL_CORE_TENSOR_TESTING_COUNTING_ALLOCATOR_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

#include "dovetail/core/tensor/memory/allocator.h"

namespace dovetail {

// Thread-safe. Fills what it gives with a pattern, so that nobody takes it for
// zeroed.
class CountingAllocator : public Allocator {
 public:
  void* Allocate(size_t bytes, size_t alignment) override {
    std::lock_guard<std::mutex> lock(mutex_);
    if (bytes > left_) return nullptr;
    const size_t whole = (bytes + alignment - 1) / alignment * alignment;
    void* const memory = std::aligned_alloc(alignment, whole);
    std::memset(memory, 0xa5, bytes);
    blocks_[static_cast<char*>(memory)] = {bytes, alignment};
    ++count_;
    bytes_ += bytes;
    return memory;
  }
  void Free(void* memory, size_t bytes, size_t alignment) override {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto block = blocks_.find(static_cast<char*>(memory));
    if (block == blocks_.end() ||
        block->second != std::pair(bytes, alignment)) {
      ++wrong_frees_;
      return;
    }
    blocks_.erase(block);
    std::free(memory);
  }

  // From now on there is no memory for more than that at once.
  void set_most(size_t bytes) {
    std::lock_guard<std::mutex> lock(mutex_);
    left_ = bytes;
  }

  // Whether it lies in what was given and has not come back.
  bool Has(const void* address) const {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto* const at = static_cast<const char*>(address);
    auto block = blocks_.upper_bound(const_cast<char*>(at));
    if (block == blocks_.begin()) return false;
    --block;
    return at < block->first + block->second.first;
  }
  size_t live() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return blocks_.size();
  }
  int count() const {  // of all that it gave
    std::lock_guard<std::mutex> lock(mutex_);
    return count_;
  }
  size_t bytes() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return bytes_;
  }
  int wrong_frees() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return wrong_frees_;
  }

 private:
  mutable std::mutex mutex_;
  std::map<char*, std::pair<size_t, size_t>> blocks_;  // bytes, alignment
  size_t left_ = SIZE_MAX, bytes_ = 0;
  int count_ = 0, wrong_frees_ = 0;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_TENSOR_TESTING_COUNTING_ALLOCATOR_H_
