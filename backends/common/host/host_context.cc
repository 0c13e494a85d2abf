#include "dovetail/backends/common/host/host_context.h"

#include <set>
#include <string>
#include <utility>

#include "dovetail/core/base/catch_exceptions.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/pools/threads.h"
#include "dovetail/core/executor/turns/turn.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {

namespace {

std::shared_ptr<Executor> ExclusiveExecutor(const Config& config,
                                            absl::string_view device) {
  if (!config.GetBool(properties::kExclusiveAsyncRequests)) return nullptr;
  return Threads::OfProcess()->NamedExecutor(device);
}

}  // namespace

HostContext::HostContext(absl::string_view device, const Executable& executable,
                         Executor& executor,
                         const std::vector<VariableInfo>& variables,
                         const VariableTypes& variable_types)
    : ExecutionContext(executable),
      variables_(variables, variable_types),
      exclusive_(ExclusiveExecutor(executable.config(), device)),
      stages_({SynchronousStage(
          "execute", exclusive_ != nullptr ? exclusive_.get() : &executor,
          [this] { return RunCaught(); })}) {}

absl::Status HostContext::RunCaught() {
  variables_.Begin();
  return CatchExceptions([] { return "the inference"; },
                         [this] { return Run(); });
}

absl::Status HostContext::CheckCancelled() const {
  if (cancelled_.load(std::memory_order_relaxed)) {
    return absl::CancelledError("the inference was cancelled");
  }
  Turn::LetOthersGoOn();
  return absl::OkStatus();
}

void AddOptimizedOut(const std::vector<LayerName>& layers,
                     std::vector<ProfilingRecord>& records) {
  std::set<std::string> there;
  for (const ProfilingRecord& record : records) there.insert(record.name);
  for (const LayerName& layer : layers) {
    if (there.count(layer.name) > 0) continue;
    ProfilingRecord record;
    record.name = layer.name;
    record.type = layer.type;
    record.status = ProfilingRecord::Status::kOptimizedOut;
    records.push_back(std::move(record));
  }
}

}  // namespace dovetail
