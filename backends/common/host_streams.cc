#include "dovetail/backends/common/host_streams.h"

#include <algorithm>

#include "dovetail/core/executor/cpu_info.h"
#include "dovetail/core/executor/threads.h"
#include "dovetail/core/properties/streams_choice.h"

namespace dovetail {

std::shared_ptr<StreamsExecutor> StreamsFor(const PluginCall& call) {
  const bool own = call.executor != nullptr;
  const StreamsChoice choice =
      ChooseStreams(call.config, own ? std::max(1, call.executor->concurrency())
                                     : UsableCpus());
  if (!own) {
    return Threads::OfProcess()->SharedStreams(choice.streams,
                                               choice.threads_per_stream);
  }
  return std::make_shared<StreamsExecutor>(call.executor, choice.streams,
                                           choice.threads_per_stream);
}

std::shared_ptr<WorkTeam> CompileTeamFor(const PluginCall& call, int most) {
  if (call.executor == nullptr) return Threads::OfProcess()->CompileTeam(most);
  const int threads = call.executor->concurrency();
  return std::make_shared<WorkTeam>(
      call.executor.get(), most > 0 ? std::min(most, threads) : threads);
}

}  // namespace dovetail
