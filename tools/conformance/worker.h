// A process of its own that runs cases, so that a crash or a hang costs one
// case and not the run.
#ifndef DOVETAIL_TOOLS_CONFORMANCE_WORKER_H_
#define DOVETAIL_TOOLS_CONFORMANCE_WORKER_H_

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "dovetail/tools/conformance/run_case.h"

namespace dovetail::conformance {

// Runs case number `i` in the worker's process.
using CaseFn = std::function<Outcome(int i)>;

// Started by fork: the parent must not have threads. Parent side, one thread.
class Worker {
 public:
  // kResourceExhausted when there is no process or pipe to be had.
  static absl::StatusOr<std::unique_ptr<Worker>> Start(const CaseFn& run);
  // Ends the process.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Hands it a case. Only when it has none.
  void Assign(int i);
  // The case it has; nothing when it is free.
  std::optional<int> assigned() const { return assigned_; }
  std::chrono::steady_clock::time_point assigned_at() const { return since_; }

  // Readable when there is something to Collect.
  int descriptor() const { return from_worker_; }
  // The outcome of the assigned case. A worker that has died gives a failed
  // outcome that names the signal, and is of no further use: see alive().
  Outcome Collect();
  // Ends the process and gives the outcome of a case that took too long.
  Outcome Abandon(double limit_seconds);
  bool alive() const { return pid_ > 0; }

 private:
  Worker(pid_t pid, int to_worker, int from_worker)
      : pid_(pid), to_worker_(to_worker), from_worker_(from_worker) {}
  // Waits for the process; how it ended, in words.
  std::string Reap();

  pid_t pid_;
  int to_worker_, from_worker_;
  std::optional<int> assigned_;
  std::chrono::steady_clock::time_point since_;
};

}  // namespace dovetail::conformance

#endif  // DOVETAIL_TOOLS_CONFORMANCE_WORKER_H_
