#include "dovetail/core/executor/pools/serial_queue.h"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "dovetail/core/executor/pools/ring_queue.h"

namespace dovetail {

struct SerialQueue::Shared {
  Executor* executor = nullptr;
  std::mutex mutex;
  std::condition_variable idle;
  RingQueue<Task> tasks;
  bool draining = false;  // a task that drains the queue is scheduled or runs
  std::thread::id drainer;  // none: it has not begun
  bool gone = false;        // the queue is, and has seen to its tasks
  // While draining: keeps this alive for the scheduled task, which holds a
  // plain pointer so that it needs no memory.
  std::shared_ptr<Shared> self;

  void RunTasks(std::unique_lock<std::mutex>& lock) {
    while (!tasks.empty()) {
      Task task = tasks.pop();
      lock.unlock();
      task();
      task = nullptr;
      lock.lock();
    }
  }
};

SerialQueue::SerialQueue(Executor* executor)
    : shared_(std::make_shared<Shared>()) {
  shared_->executor = executor;
}

SerialQueue::~SerialQueue() {
  std::unique_lock<std::mutex> lock(shared_->mutex);
  const std::thread::id drainer = shared_->drainer;
  if (drainer != std::thread::id() && drainer != std::this_thread::get_id()) {
    shared_->idle.wait(lock, [&] { return !shared_->draining; });
    return;
  }
  shared_->gone = true;
  shared_->RunTasks(lock);
}

void SerialQueue::Schedule(Task task) {
  {
    std::lock_guard<std::mutex> lock(shared_->mutex);
    shared_->tasks.push(std::move(task));
    if (shared_->draining) return;
    shared_->draining = true;
    shared_->self = shared_;
  }
  shared_->executor->Schedule([shared = shared_.get()] { Drain(*shared); });
}

void SerialQueue::Drain(Shared& shared) {
  std::unique_lock<std::mutex> lock(shared.mutex);
  const std::shared_ptr<Shared> self = std::move(shared.self);
  if (shared.gone) {
    lock.unlock();  // before the last user goes
    return;
  }
  shared.drainer = std::this_thread::get_id();
  shared.RunTasks(lock);
  shared.drainer = std::thread::id();
  shared.draining = false;
  shared.idle.notify_all();
  lock.unlock();
}

}  // namespace dovetail
