#include "dovetail/backends/common/steps/copy_step.h"

#include <cstring>

#include "dovetail/core/executor/parallel_for.h"

namespace dovetail {
namespace {

constexpr int64_t kBytesAtATime = 1 << 16;

}  // namespace

absl::Status CopyStep::Run(const StepRun& run) const {
  ParallelFor(run.environment->team(), bytes_, kBytesAtATime,
              [&](int64_t begin, int64_t end) {
                std::memcpy(run.output<char>() + begin,
                            run.input<char>(0) + begin, end - begin);
              });
  return absl::OkStatus();
}

}  // namespace dovetail
