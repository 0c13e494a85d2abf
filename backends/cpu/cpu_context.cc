#include "dovetail/backends/cpu/cpu_context.h"

#include <optional>
#include <utility>

#include "dovetail/backends/common/kernels/host_kernels.h"
#include "dovetail/backends/common/memory_overlap.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail::cpu {

CpuContext::CpuContext(const CpuExecutable& executable,
                       StreamsExecutor::Stream& stream)
    : HostContext("CPU", executable, stream.tasks(), executable.variables(),
                  executable.variable_types()),
      executable_(executable),
      stream_(stream),
      environment_(&stream.team(), &reference_),
      loaded_(executable.inputs().size()),
      placed_(executable.outputs().size()) {
  reference_.find_kernel = &FindHostKernel;
  reference_.executor = &stream.loops();
  reference_.variables = running_variables();
  reference_.check_cancelled = [this] { return CheckCancelled(); };
  if (executable.config().GetBool(properties::kPerfCount)) {
    environment_.set_clock(&clock_);
  }
}

// ---- An inference ----

absl::Status CpuContext::Run() {
  const WorkTeam::Session session(stream_.team());
  std::optional<WorkTeam::CountHelpers> counted;
  if (environment_.clock() != nullptr) {
    clock_.Begin();
    counted.emplace(clock_.helpers_ns());
  }
  DOVETAIL_RETURN_IF_ERROR(CheckCancelled());
  DOVETAIL_RETURN_IF_ERROR(LoadInputs());
  DOVETAIL_RETURN_IF_ERROR(OutputsAreFree() ? RunInPlace()
                                            : RunToTemporaries());
  return CheckCancelled();
}

absl::Status CpuContext::LoadInputs() {
  for (size_t i = 0; i < loaded_.size(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(loaded_[i],
                              input_tensors().Get(static_cast<int>(i)));
    if (loaded_[i].is_contiguous()) continue;
    DOVETAIL_ASSIGN_OR_RETURN(loaded_[i], loaded_[i].Clone());
  }
  return absl::OkStatus();
}

// Whether no output that there is before the inference shares memory with an
// input or another output.
bool CpuContext::OutputsAreFree() {
  for (size_t i = 0; i < placed_.size(); ++i) {
    placed_[i] = Tensor();
    if (!output_tensors().is_set(static_cast<int>(i))) continue;
    auto tensor = output_tensors().Get(static_cast<int>(i));
    if (tensor.ok()) placed_[i] = *std::move(tensor);
  }
  return !OutputsShareMemory(loaded_, placed_);
}

absl::Status CpuContext::RunInPlace() {
  const auto place = [this](int i, ElementType type,
                            const Shape& shape) -> absl::StatusOr<Tensor> {
    DOVETAIL_ASSIGN_OR_RETURN(placed_[i],
                              output_tensors().Destination(i, type, shape));
    return placed_[i];
  };
  DOVETAIL_RETURN_IF_ERROR(
      executable_.program().Run(loaded_, place, state_, environment_));
  for (size_t i = 0; i < placed_.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(
        output_tensors().Store(static_cast<int>(i), placed_[i]));
  }
  return absl::OkStatus();
}

// Into memory that is nobody's, from where the outputs are copied.
absl::Status CpuContext::RunToTemporaries() {
  const auto place = [this](int i, ElementType type,
                            const Shape& shape) -> absl::StatusOr<Tensor> {
    DOVETAIL_ASSIGN_OR_RETURN(placed_[i], Tensor::Allocate(type, shape));
    return placed_[i];
  };
  DOVETAIL_RETURN_IF_ERROR(
      executable_.program().Run(loaded_, place, state_, environment_));
  for (size_t i = 0; i < placed_.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(
        output_tensors().Store(static_cast<int>(i), placed_[i]));
  }
  return absl::OkStatus();
}

// ---- Profiling ----

std::vector<ProfilingRecord> CpuContext::profiling() const {
  std::vector<ProfilingRecord> records = clock_.records();
  if (environment_.clock() == nullptr) return records;
  AddOptimizedOut(executable_.optimized_out(), records);
  return records;
}

}  // namespace dovetail::cpu
