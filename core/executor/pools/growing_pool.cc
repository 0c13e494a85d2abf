#include "dovetail/core/executor/pools/growing_pool.h"

#include <pthread.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace dovetail {

GrowingPool::GrowingPool(absl::string_view name)
    : name_(name.substr(0, 15)), cpus_(AffinityOf(pthread_self())) {}

GrowingPool::~GrowingPool() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

int GrowingPool::concurrency() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return std::max<int>(1, threads_.size());
}

void GrowingPool::Schedule(Task task) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    const bool has_thread =
        free_ > tasks_.size() || Grow() || !threads_.empty();
    if (has_thread) {
      tasks_.push(std::move(task));
      wake_.notify_one();
      return;
    }
  }
  task();
}

bool GrowingPool::Grow() {
  try {
    threads_.emplace_back([this] { Run(); });
  } catch (const std::system_error&) {
    return false;
  }
  const pthread_t thread = threads_.back().native_handle();
  pthread_setname_np(thread, name_.c_str());
  SetAffinity(thread, cpus_);
  ++free_;
  return true;
}

void GrowingPool::Run() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    wake_.wait(lock, [&] { return stopping_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    Task task = tasks_.pop();
    --free_;
    lock.unlock();
    task();
    task = nullptr;  // what it captured is destroyed without the lock
    lock.lock();
    ++free_;
  }
}

}  // namespace dovetail
