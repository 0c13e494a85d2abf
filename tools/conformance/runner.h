// Runs many cases at the same time, each in a process that may crash.
#ifndef DOVETAIL_TOOLS_CONFORMANCE_RUNNER_H_
#define DOVETAIL_TOOLS_CONFORMANCE_RUNNER_H_

#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/tools/conformance/worker.h"

namespace dovetail::conformance {

struct RunnerOptions {
  int workers = 1;
  // A case that takes longer has failed and its worker is ended.
  double limit_seconds = 600;
};

// The outcome of each of `count` cases. `finished` is called as they come in,
// in the calling thread. The process must not have other threads.
absl::StatusOr<std::vector<Outcome>> RunCases(
    int count, const CaseFn& run, const RunnerOptions& options,
    const std::function<void(int i, const Outcome& outcome)>& finished);

}  // namespace dovetail::conformance

#endif  // DOVETAIL_TOOLS_CONFORMANCE_RUNNER_H_
