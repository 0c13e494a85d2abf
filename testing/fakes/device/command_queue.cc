#include "dovetail/testing/fakes/device/command_queue.h"

#include <utility>

namespace dovetail {

CommandQueue::CommandQueue() : thread_(1, "fake_device") {}

CommandQueue::~CommandQueue() {
  Drop(absl::CancelledError("the device's queue was closed"));
}

CommandQueue::Ticket CommandQueue::Submit(Work work, Completion completion) {
  auto job = std::make_shared<Job>();
  job->work = std::move(work);
  job->completion = std::move(completion);
  Ticket ticket;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    ticket = job->ticket = ++last_;
    waiting_.push_back(std::move(job));
  }
  thread_.Schedule([this] { DoNext(); });
  return ticket;
}

void CommandQueue::DoNext() {
  JobPtr job;
  absl::Status status;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (held_ || waiting_.empty()) return;
    job = std::move(waiting_.front());
    waiting_.pop_front();
    running_ = job;
    status = failure_;
  }
  if (status.ok()) status = job->work(job->aborted);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    running_ = nullptr;
    if (!failure_.ok()) status = failure_;
  }
  job->work = nullptr;
  job->completion(std::move(status));  // may destroy this
}

void CommandQueue::Abort(Ticket ticket) {
  JobPtr job;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (running_ != nullptr && running_->ticket == ticket) {
      running_->aborted = true;
      return;
    }
    for (auto it = waiting_.begin(); it != waiting_.end(); ++it) {
      if ((*it)->ticket != ticket) continue;
      job = std::move(*it);
      waiting_.erase(it);
      break;
    }
  }
  if (job == nullptr) return;
  job->work = nullptr;
  job->completion(absl::CancelledError("taken off the device's queue"));
}

void CommandQueue::Hold() {
  std::lock_guard<std::mutex> lock(mutex_);
  held_ = true;
}

void CommandQueue::Release() {
  size_t count;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    held_ = false;
    count = waiting_.size();
  }
  for (; count > 0; --count) thread_.Schedule([this] { DoNext(); });
}

void CommandQueue::Fail(const absl::Status& status) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    failure_ = status;
    held_ = false;
    if (running_ != nullptr) running_->aborted = true;
  }
  Drop(status);
}

void CommandQueue::Drop(const absl::Status& status) {
  std::deque<JobPtr> dropped;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    dropped.swap(waiting_);
  }
  for (const JobPtr& job : dropped) {
    job->work = nullptr;
    job->completion(status);
  }
}

}  // namespace dovetail
