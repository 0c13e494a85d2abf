// Count of the bytes that a device's buffers hold.
#ifndef DOVETAIL_BACKENDS_GPU_DRIVER_MEMORY_COUNTER_H_
#define DOVETAIL_BACKENDS_GPU_DRIVER_MEMORY_COUNTER_H_

#include <atomic>
#include <cstdint>

namespace dovetail::gpu {

// Thread-safe.
class MemoryCounter {
 public:
  void Add(int64_t bytes) {
    const int64_t now = in_use_.fetch_add(bytes) + bytes;
    int64_t peak = peak_.load();
    while (now > peak && !peak_.compare_exchange_weak(peak, now)) {
    }
  }
  void Remove(int64_t bytes) { in_use_.fetch_sub(bytes); }

  // Bytes.
  int64_t in_use() const { return in_use_.load(); }
  int64_t peak() const { return peak_.load(); }

 private:
  std::atomic<int64_t> in_use_ = 0;
  std::atomic<int64_t> peak_ = 0;
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_DRIVER_MEMORY_COUNTER_H_
