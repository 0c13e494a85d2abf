// One inference at a time of the null device.
#ifndef DOVETAIL_BACKENDS_NULL_NULL_CONTEXT_H_
#define DOVETAIL_BACKENDS_NULL_NULL_CONTEXT_H_

#include <vector>

#include "dovetail/backends/null/null_executable.h"
#include "dovetail/core/executor/inline_executor.h"
#include "dovetail/core/plugin/plugin.h"
#include "dovetail/core/plugin/ports/port_tensors.h"

namespace dovetail {

class NullContext : public ExecutionContext {
 public:
  // `executable` outlives the context.
  explicit NullContext(const NullExecutable& executable);

  absl::Span<const Stage> stages() override { return stages_; }
  std::vector<ProfilingRecord> profiling() const override;

 private:
  absl::Status Run();

  const NullExecutable& executable_;
  InlineExecutor executor_;
  std::vector<Stage> stages_;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_NULL_NULL_CONTEXT_H_
