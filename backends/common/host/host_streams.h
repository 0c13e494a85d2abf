// The threads of a compiled model of the machine's own processor.
#ifndef DOVETAIL_BACKENDS_COMMON_HOST_HOST_STREAMS_H_
#define DOVETAIL_BACKENDS_COMMON_HOST_HOST_STREAMS_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/common/host/thread_plan.h"
#include "dovetail/core/executor/pools/streams_executor.h"
#include "dovetail/core/executor/team/work_team.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail {

// Immutable; thread-safe. Compiled models with the same plan share threads.
class HostStreams {
 public:
  // As the call's configuration says, as far as the process may; in the threads
  // of the application's executor, where the call has one: with its concurrency
  // for the usable processors, and placed nowhere.
  explicit HostStreams(const PluginCall& call);

  StreamsExecutor& executor() const { return *executor_; }
  // The value in force of a key about threads, which may be other than what was
  // asked for, and OPTIMAL_NUMBER_OF_INFER_REQUESTS; kNotFound for others.
  absl::StatusOr<std::string> Property(absl::string_view name) const;

 private:
  const CpuTopology all_;
  const ThreadPlan plan_;
  const std::shared_ptr<StreamsExecutor> executor_;
};

// Likewise a team to compile with, of at most `most` threads where that is
// above 0. Not to be used after the call.
std::shared_ptr<WorkTeam> CompileTeamFor(const PluginCall& call, int most);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_HOST_HOST_STREAMS_H_
