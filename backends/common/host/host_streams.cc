#include "dovetail/backends/common/host/host_streams.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/cpus/cpu_info.h"
#include "dovetail/core/executor/pools/threads.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {
namespace {

// Of an application's own threads nothing is known but how many there are.
CpuTopology TopologyFor(const PluginCall& call) {
  return call.executor != nullptr ? CpuTopology() : UsableCpuTopology();
}

int LimitFor(const PluginCall& call) {
  return call.executor != nullptr ? std::max(1, call.executor->concurrency())
                                  : UsableCpus();
}

std::shared_ptr<StreamsExecutor> ExecutorOf(const ThreadPlan& plan,
                                            const PluginCall& call) {
  const auto [streams, threads] = plan.choice;
  if (call.executor != nullptr) {
    return std::make_shared<StreamsExecutor>(call.executor, streams, threads);
  }
  return Threads::OfProcess()->SharedStreams(streams, threads, plan.placement);
}

std::string YesOrNo(bool yes) { return yes ? "YES" : "NO"; }

int ThreadCount(StreamsExecutor& executor) {
  int threads = 0;
  for (int i = 0; i < executor.stream_count(); ++i) {
    threads += executor.stream(i).threads();
  }
  return threads;
}

}  // namespace

HostStreams::HostStreams(const PluginCall& call)
    : all_(TopologyFor(call)),
      plan_(PlanThreads(call.config, all_, LimitFor(call))),
      executor_(ExecutorOf(plan_, call)) {}

absl::StatusOr<std::string> HostStreams::Property(
    absl::string_view name) const {
  // Where the system does not let threads be placed they run anywhere.
  const bool holds = plan_.placement.empty() || executor_->pinned();
  if (name == properties::kNumStreams ||
      name == properties::kOptimalNumberOfInferRequests) {
    return absl::StrCat(executor_->stream_count());
  }
  if (name == properties::kInferenceNumThreads) {
    return absl::StrCat(ThreadCount(*executor_));
  }
  if (name == properties::kEnableCpuPinning) {
    return YesOrNo(holds && plan_.pinning);
  }
  if (name == properties::kSchedulingCoreType) {
    return holds ? plan_.core_type : "ANY_CORE";
  }
  if (name == properties::kEnableHyperThreading) {
    const bool any = CoreCount(all_) < static_cast<int>(all_.size());
    return YesOrNo(holds ? plan_.hyper_threading : any);
  }
  return NotFound("property '", name, "' is not about threads");
}

std::shared_ptr<WorkTeam> CompileTeamFor(const PluginCall& call, int most) {
  if (call.executor == nullptr) return Threads::OfProcess()->CompileTeam(most);
  const int threads = call.executor->concurrency();
  return std::make_shared<WorkTeam>(
      call.executor.get(), most > 0 ? std::min(most, threads) : threads);
}

}  // namespace dovetail
