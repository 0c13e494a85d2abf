#include "dovetail/core/executor/pools/thread_pool.h"

#include <pthread.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <utility>

#include "dovetail/core/executor/pools/ring_queue.h"

namespace dovetail {

// Outlives the pool in a thread whose own task has destroyed the pool.
struct ThreadPool::Shared {
  std::mutex mutex;
  std::condition_variable wake;
  RingQueue<Task> tasks;
  bool stopping = false;
};

ThreadPool::ThreadPool(int threads, absl::string_view name)
    : shared_(std::make_shared<Shared>()) {
  const std::string short_name(name.substr(0, 15));
  try {
    for (int i = 0; i < std::max(1, threads); ++i) {
      threads_.emplace_back(&ThreadPool::Run, shared_);
      pthread_setname_np(threads_.back().native_handle(), short_name.c_str());
    }
  } catch (const std::system_error&) {
    // The system's limit on threads: those there are have to do.
  }
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard<std::mutex> lock(shared_->mutex);
    shared_->stopping = true;
  }
  shared_->wake.notify_all();
  for (std::thread& thread : threads_) {
    if (thread.get_id() == std::this_thread::get_id()) {
      // The thread goes on when the task that runs this returns, and ends then.
      thread.detach();
      Run(shared_);
    }
  }
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

void ThreadPool::Schedule(Task task) {
  if (threads_.empty()) return task();
  // A copy: as soon as the lock is gone the task may run and destroy the pool.
  const std::shared_ptr<Shared> shared = shared_;
  {
    std::lock_guard<std::mutex> lock(shared->mutex);
    shared->tasks.push(std::move(task));
  }
  shared->wake.notify_one();
}

int ThreadPool::concurrency() const {
  return std::max<int>(1, threads_.size());
}

bool ThreadPool::Pin(const CpuSet& cpus) {
  bool pinned = true;
  for (std::thread& thread : threads_) {
    pinned = SetAffinity(thread.native_handle(), cpus) && pinned;
  }
  return pinned;
}

void ThreadPool::Run(const std::shared_ptr<Shared>& shared_in) {
  // By value: in the pool's own threads the argument is theirs, but the
  // destructor passes the pool's member.
  const std::shared_ptr<Shared> shared = shared_in;
  std::unique_lock<std::mutex> lock(shared->mutex);
  for (;;) {
    shared->wake.wait(
        lock, [&] { return shared->stopping || !shared->tasks.empty(); });
    if (shared->tasks.empty()) return;
    Task task = shared->tasks.pop();
    lock.unlock();
    task();
    task = nullptr;  // what it captured is destroyed without the lock
    lock.lock();
  }
}

}  // namespace dovetail
