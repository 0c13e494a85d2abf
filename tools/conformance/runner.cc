#include "dovetail/tools/conformance/runner.h"

#include <poll.h>

#include <algorithm>
#include <memory>

#include "dovetail/core/base/status.h"

namespace dovetail::conformance {
namespace {

class Runner {
 public:
  Runner(int count, const CaseFn& run, const RunnerOptions& options)
      : run_(run), options_(options), outcomes_(count) {}

  absl::StatusOr<std::vector<Outcome>> Run(
      const std::function<void(int, const Outcome&)>& finished) {
    const int count = static_cast<int>(outcomes_.size());
    workers_.resize(std::clamp(options_.workers, 1, std::max(count, 1)));
    while (done_ < count) {
      DOVETAIL_RETURN_IF_ERROR(AssignAll());
      Wait();
      for (std::unique_ptr<Worker>& worker : workers_) {
        if (worker != nullptr) Check(*worker, finished);
      }
    }
    return std::move(outcomes_);
  }

 private:
  // A case for every free worker; one that has died is replaced.
  absl::Status AssignAll() {
    for (std::unique_ptr<Worker>& worker : workers_) {
      if (next_ == static_cast<int>(outcomes_.size())) break;
      if (worker == nullptr || !worker->alive()) {
        DOVETAIL_ASSIGN_OR_RETURN(worker, Worker::Start(run_));
      }
      if (!worker->assigned()) worker->Assign(next_++);
    }
    return absl::OkStatus();
  }

  void Wait() {
    std::vector<pollfd> descriptors;
    for (const std::unique_ptr<Worker>& worker : workers_) {
      if (worker != nullptr && worker->assigned()) {
        descriptors.push_back({worker->descriptor(), POLLIN, 0});
      }
    }
    constexpr int kLookAtClockMs = 200;
    poll(descriptors.data(), descriptors.size(), kLookAtClockMs);
  }

  void Check(Worker& worker,
             const std::function<void(int, const Outcome&)>& finished) {
    if (!worker.assigned()) return;
    const int i = *worker.assigned();
    pollfd descriptor = {worker.descriptor(), POLLIN, 0};
    const std::chrono::duration<double> taken =
        std::chrono::steady_clock::now() - worker.assigned_at();
    if (poll(&descriptor, 1, 0) > 0) {
      outcomes_[i] = worker.Collect();
    } else if (taken.count() > options_.limit_seconds) {
      outcomes_[i] = worker.Abandon(options_.limit_seconds);
    } else {
      return;
    }
    ++done_;
    finished(i, outcomes_[i]);
  }

  const CaseFn& run_;
  const RunnerOptions options_;
  std::vector<Outcome> outcomes_;
  std::vector<std::unique_ptr<Worker>> workers_;
  int next_ = 0, done_ = 0;
};

}  // namespace

absl::StatusOr<std::vector<Outcome>> RunCases(
    int count, const CaseFn& run, const RunnerOptions& options,
    const std::function<void(int i, const Outcome& outcome)>& finished) {
  return Runner(count, run, options).Run(finished);
}

}  // namespace dovetail::conformance
