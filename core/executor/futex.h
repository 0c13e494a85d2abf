// Sleeping until another thread changes a number. Unlike std::atomic's wait it
// neither spins nor yields the processor before, and wakes only on demand.
#ifndef DOVETAIL_CORE_EXECUTOR_FUTEX_H_
#define DOVETAIL_CORE_EXECUTOR_FUTEX_H_

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

namespace dovetail {

// Sleeps while `word` has that value; may also return early.
inline void FutexWait(std::atomic<int>& word, int value) {
  static_assert(sizeof(word) == 4 && std::atomic<int>::is_always_lock_free);
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr);
}

// Wakes at most one thread that sleeps on `word`.
inline void FutexWakeOne(std::atomic<int>& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1);
}

}  // namespace dovetail

#endif  // DOVETAIL_CORE_EXECUTOR_FUTEX_H_
