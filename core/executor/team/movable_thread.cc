#include "dovetail/core/executor/team/movable_thread.h"

#include <time.h>

#include <utility>

namespace dovetail {

void MovableThread::Start(std::function<void()> body, const char* name) {
  thread_ = std::thread(std::move(body));
  pthread_setname_np(thread_.native_handle(), name);
}

std::chrono::nanoseconds MovableThread::CpuTime() {
  clockid_t clock;
  timespec time;
  if (pthread_getcpuclockid(thread_.native_handle(), &clock) != 0 ||
      clock_gettime(clock, &time) != 0) {
    return std::chrono::nanoseconds(0);
  }
  return std::chrono::seconds(time.tv_sec) +
         std::chrono::nanoseconds(time.tv_nsec);
}

bool MovableThread::MigrateTo(int cpu) {
  if (cpu < 0 || cpu >= CPU_SETSIZE) return false;
  if (moving_.exchange(true, std::memory_order_acquire)) return false;
  const pthread_t thread = thread_.native_handle();
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  if (pthread_getaffinity_np(thread, sizeof(allowed_), &allowed_) == 0 &&
      CPU_ISSET(cpu, &allowed_) &&
      pthread_setaffinity_np(thread, sizeof(one), &one) == 0) {
    return true;
  }
  moving_.store(false, std::memory_order_release);
  return false;
}

void MovableThread::Release(int cpu) {
  MoveAway(thread_.native_handle(), cpu);
  moving_.store(false, std::memory_order_release);
}

void MovableThread::Leave(int cpu) {
  if (cpu < 0 || cpu >= CPU_SETSIZE) return;
  if (moving_.exchange(true, std::memory_order_acquire)) return;
  // thread_ may not be assigned yet.
  const pthread_t self = pthread_self();
  if (pthread_getaffinity_np(self, sizeof(allowed_), &allowed_) == 0) {
    MoveAway(self, cpu);
  }
  moving_.store(false, std::memory_order_release);
}

void MovableThread::MoveAway(pthread_t thread, int cpu) {
  cpu_set_t others = allowed_;
  CPU_CLR(cpu, &others);
  if (CPU_COUNT(&others) > 0) {
    pthread_setaffinity_np(thread, sizeof(others), &others);
  }
  pthread_setaffinity_np(thread, sizeof(allowed_), &allowed_);
}

}  // namespace dovetail
