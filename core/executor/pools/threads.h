// The one arbiter of a process's threads. Who asks in the same words gets the
// same threads, whichever model, device or shared library asks.
#ifndef DOVETAIL_CORE_EXECUTOR_POOLS_THREADS_H_
#define DOVETAIL_CORE_EXECUTOR_POOLS_THREADS_H_

#include <memory>
#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/core/executor/cpus/affinity.h"
#include "dovetail/core/executor/executor.h"
#include "dovetail/core/executor/pools/streams_executor.h"
#include "dovetail/core/executor/team/work_team.h"
#include "dovetail/core/executor/timer.h"

namespace dovetail {

// Thread-safe. What it gives ends with its last user; the next who asks makes
// it anew.
class Threads {
 public:
  // The process's, also in plugins that were loaded.
  static std::shared_ptr<Threads> OfProcess();

  virtual ~Threads() = default;

  // Streams of that form, both numbers at least 1: models that are compiled
  // with the same numbers share their threads, so that many models do not take
  // more threads than one. `placement` as of StreamsExecutor.
  virtual std::shared_ptr<StreamsExecutor> SharedStreams(
      int streams, int threads_per_stream,
      const std::vector<CpuSet>& placement) = 0;
  std::shared_ptr<StreamsExecutor> SharedStreams(int streams,
                                                 int threads_per_stream) {
    return SharedStreams(streams, threads_per_stream, {});
  }

  // One thread of that name, which runs tasks one at a time and in order: what
  // all who know the name have to take turns for. With EXCLUSIVE_ASYNC_REQUESTS
  // the requests of all models of a device run on the one named after it.
  virtual std::shared_ptr<Executor> NamedExecutor(absl::string_view name) = 0;

  // A team to compile with: of all usable processors, or of at most `most`
  // threads where that is above 0, the caller's own included. Compilations at
  // one time share it, so that together they do not take more threads: a loop
  // of one while another has the helpers runs in its caller.
  virtual std::shared_ptr<WorkTeam> CompileTeam(int most) = 0;

  virtual Timer& timer() = 0;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_EXECUTOR_POOLS_THREADS_H_
