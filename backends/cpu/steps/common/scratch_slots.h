// Parts of a step's scratch memory, one for each thread that is at work.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_COMMON_SCRATCH_SLOTS_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_COMMON_SCRATCH_SLOTS_H_

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace dovetail::cpu {

class ScratchSlots {
 public:
  // How many there are for so many threads.
  static int For(int threads) { return std::clamp(threads, 1, kMost); }

  explicit ScratchSlots(int count)
      : free_(count >= kMost ? ~uint64_t{0} : (uint64_t{1} << count) - 1) {}

  // The number of a slot that nobody has. Waits where more threads than slots
  // are at work.
  int Take() {
    uint64_t before = free_.load(std::memory_order_relaxed);
    while (before == 0 ||
           !free_.compare_exchange_weak(before, before & (before - 1),
                                        std::memory_order_acquire)) {
      if (before == 0) before = free_.load(std::memory_order_relaxed);
    }
    return __builtin_ctzll(before);
  }
  void Return(int slot) {
    free_.fetch_or(uint64_t{1} << slot, std::memory_order_release);
  }

 private:
  static constexpr int kMost = 64;

  std::atomic<uint64_t> free_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_COMMON_SCRATCH_SLOTS_H_
