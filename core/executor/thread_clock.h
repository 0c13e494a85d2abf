// The processor time of a thread.
#ifndef DOVETAIL_CORE_EXECUTOR_THREAD_CLOCK_H_
#define DOVETAIL_CORE_EXECUTOR_THREAD_CLOCK_H_

#include <time.h>

#include <cstdint>

namespace dovetail {

// What the calling thread has had of it, in nanoseconds; 0 where the system
// does not tell. A call takes some hundred nanoseconds.
inline int64_t ThreadCpuNanoseconds() {
  timespec now = {};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0) return 0;
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace dovetail

#endif  // DOVETAIL_CORE_EXECUTOR_THREAD_CLOCK_H_
