#include "dovetail/core/executor/timer.h"

#include <pthread.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"

namespace dovetail {
namespace {

using Clock = std::chrono::steady_clock;

struct Entry {
  Clock::time_point due;
  Timer::Id id;
  Task task;
};

// For a heap with the first to run on top.
bool RunsLater(const Entry& a, const Entry& b) {
  return a.due != b.due ? a.due > b.due : a.id > b.id;
}

// A moment that the clock can hold, whatever the wait.
Clock::time_point DueIn(std::chrono::nanoseconds wait) {
  const Clock::time_point now = Clock::now();
  const auto most = Clock::time_point::max() - now;
  return now + std::clamp(wait, std::chrono::nanoseconds(0),
                          std::chrono::nanoseconds(most));
}

}  // namespace

struct Timer::Shared {
  std::mutex mutex;
  std::condition_variable wake;   // another task is the first now
  std::condition_variable ended;  // of a task
  std::vector<Entry> heap;
  Id last = 0;
  Id running = 0;  // 0: none
  bool stopping = false;
  std::thread thread;
};

Timer::Timer() : shared_(std::make_unique<Shared>()) {}

Timer::~Timer() {
  {
    std::lock_guard<std::mutex> lock(shared_->mutex);
    shared_->stopping = true;
  }
  shared_->wake.notify_one();
  if (shared_->thread.joinable()) shared_->thread.join();
}

absl::StatusOr<Timer::Id> Timer::After(std::chrono::nanoseconds wait,
                                       Task task) {
  std::lock_guard<std::mutex> lock(shared_->mutex);
  if (!shared_->thread.joinable()) {
    try {
      shared_->thread = std::thread([shared = shared_.get()] { Run(*shared); });
      pthread_setname_np(shared_->thread.native_handle(), "dovetail-timer");
    } catch (const std::system_error& error) {
      return absl::ResourceExhaustedError(
          std::string("no thread for the timer: ") + error.what());
    }
  }
  const Id id = ++shared_->last;
  shared_->heap.push_back({DueIn(wait), id, std::move(task)});
  std::push_heap(shared_->heap.begin(), shared_->heap.end(), RunsLater);
  if (shared_->heap.front().id == id) shared_->wake.notify_one();
  return id;
}

bool Timer::Cancel(Id id) {
  Task task;  // what it holds goes after the lock
  std::unique_lock<std::mutex> lock(shared_->mutex);
  std::vector<Entry>& heap = shared_->heap;
  const auto it = std::find_if(heap.begin(), heap.end(),
                               [id](const Entry& e) { return e.id == id; });
  if (it != heap.end()) {
    task = std::move(it->task);
    heap.erase(it);
    std::make_heap(heap.begin(), heap.end(), RunsLater);
    lock.unlock();
    return true;
  }
  if (shared_->thread.get_id() != std::this_thread::get_id()) {
    shared_->ended.wait(lock, [&] { return shared_->running != id; });
  }
  return false;
}

void Timer::Run(Shared& shared) {
  std::unique_lock<std::mutex> lock(shared.mutex);
  while (!shared.stopping) {
    if (shared.heap.empty()) {
      shared.wake.wait(lock);
      continue;
    }
    const Clock::time_point due = shared.heap.front().due;
    if (Clock::now() < due) {
      shared.wake.wait_until(lock, due);
      continue;
    }
    std::pop_heap(shared.heap.begin(), shared.heap.end(), RunsLater);
    Task task = std::move(shared.heap.back().task);
    shared.running = shared.heap.back().id;
    shared.heap.pop_back();
    lock.unlock();
    task();
    task = nullptr;  // what it holds goes before Cancel returns
    lock.lock();
    shared.running = 0;
    shared.ended.notify_all();
  }
}

}  // namespace dovetail
