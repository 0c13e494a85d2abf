#include "dovetail/backends/common/host_streams.h"

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/cpu_info.h"
#include "dovetail/core/executor/threads.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {
namespace {

std::shared_ptr<StreamsExecutor> ExecutorOf(const ThreadPlan& plan) {
  return Threads::OfProcess()->SharedStreams(
      plan.choice.streams, plan.choice.threads_per_stream, plan.placement);
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

HostStreams::HostStreams(const Config& config)
    : all_(UsableCpuTopology()),
      plan_(PlanThreads(config, all_, UsableCpus())),
      executor_(ExecutorOf(plan_)) {}

absl::StatusOr<std::string> HostStreams::Property(
    absl::string_view name) const {
  // Where the system does not let threads be placed they run anywhere.
  const bool holds = plan_.placement.empty() || executor_->placed();
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

}  // namespace dovetail
