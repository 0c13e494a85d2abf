// The threads of a compiled model of the machine's own processor.
#ifndef DOVETAIL_BACKENDS_COMMON_HOST_STREAMS_H_
#define DOVETAIL_BACKENDS_COMMON_HOST_STREAMS_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/common/thread_plan.h"
#include "dovetail/core/executor/streams_executor.h"
#include "dovetail/core/properties/config.h"

namespace dovetail {

// Immutable; thread-safe. Compiled models with the same plan share threads.
class HostStreams {
 public:
  // As the configuration says, as far as the process may.
  explicit HostStreams(const Config& config);

  StreamsExecutor& executor() const { return *executor_; }
  // The value in force of a key about threads, which may be other than what was
  // asked for, and OPTIMAL_NUMBER_OF_INFER_REQUESTS; kNotFound for others.
  absl::StatusOr<std::string> Property(absl::string_view name) const;

 private:
  const CpuTopology all_;
  const ThreadPlan plan_;
  const std::shared_ptr<StreamsExecutor> executor_;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_HOST_STREAMS_H_
