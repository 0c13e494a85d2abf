// Sleeping until another thread changes a number. Unlike std::atomic's wait it
// neither spins nor yields the processor before, and wakes only on demand.
#ifndef DOVETAIL_CORE_EXECUTOR_TEAM_FUTEX_H_
#define DOVETAIL_CORE_EXECUTOR_TEAM_FUTEX_H_

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>

namespace dovetail {

inline constexpr std::chrono::nanoseconds kNoLimit =
    std::chrono::nanoseconds::max();

// Sleeps while `word` has that value, at most so long; may also return early.
inline void FutexWait(std::atomic<int>& word, int value,
                      std::chrono::nanoseconds limit = kNoLimit) {
  static_assert(sizeof(word) == 4 && std::atomic<int>::is_always_lock_free);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limit);
  timespec time = {};
  time.tv_sec = seconds.count();
  time.tv_nsec = (limit - seconds).count();
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value,
          limit == kNoLimit ? nullptr : &time);
}

// Wakes at most one thread that sleeps on `word`.
inline void FutexWakeOne(std::atomic<int>& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1);
}

}  // namespace dovetail

#endif  // DOVETAIL_CORE_EXECUTOR_TEAM_FUTEX_H_
