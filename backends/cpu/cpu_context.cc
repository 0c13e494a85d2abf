#include "dovetail/backends/cpu/cpu_context.h"

#include <set>
#include <string>
#include <utility>

#include "dovetail/backends/common/memory_overlap.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail::cpu {

CpuContext::CpuContext(const CpuExecutable& executable,
                       StreamsExecutor::Stream& stream)
    : executable_(executable),
      stream_(stream),
      inputs_("input", executable.inputs()),
      outputs_("output", executable.outputs()),
      variables_(executable.variables(), executable.variable_types()),
      environment_(&stream.team(), &reference_),
      loaded_(executable.inputs().size()),
      placed_(executable.outputs().size()) {
  stages_ = {
      SynchronousStage("execute", &stream.tasks(), [this] { return Run(); })};
  reference_.executor = &stream.loops();
  reference_.variables = variables_.running();
  reference_.check_cancelled = [this] { return CheckCancelled(); };
  if (executable.config().GetBool(properties::kPerfCount)) {
    environment_.set_clock(&clock_);
  }
}

// ---- An inference ----

absl::Status CpuContext::Run() {
  const WorkTeam::Session session(stream_.team());
  clock_.Begin();
  variables_.Begin();
  DOVETAIL_RETURN_IF_ERROR(CheckCancelled());
  DOVETAIL_RETURN_IF_ERROR(LoadInputs());
  DOVETAIL_RETURN_IF_ERROR(OutputsAreFree() ? RunInPlace() : RunAside());
  DOVETAIL_RETURN_IF_ERROR(CheckCancelled());
  variables_.Commit();
  return absl::OkStatus();
}

absl::Status CpuContext::LoadInputs() {
  for (size_t i = 0; i < loaded_.size(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(loaded_[i], inputs_.Get(static_cast<int>(i)));
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
    if (!outputs_.is_set(static_cast<int>(i))) continue;
    auto tensor = outputs_.Get(static_cast<int>(i));
    if (tensor.ok()) placed_[i] = *std::move(tensor);
  }
  return !OutputsShareMemory(loaded_, placed_);
}

absl::Status CpuContext::RunInPlace() {
  const auto place = [this](int i, ElementType type,
                            const Shape& shape) -> absl::StatusOr<Tensor> {
    DOVETAIL_ASSIGN_OR_RETURN(placed_[i],
                              outputs_.Destination(i, type, shape));
    return placed_[i];
  };
  DOVETAIL_RETURN_IF_ERROR(
      executable_.program().Run(loaded_, place, state_, environment_));
  for (size_t i = 0; i < placed_.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(outputs_.Store(static_cast<int>(i), placed_[i]));
  }
  return absl::OkStatus();
}

// Into memory that is nobody's, from where the outputs are copied.
absl::Status CpuContext::RunAside() {
  const auto place = [this](int i, ElementType type,
                            const Shape& shape) -> absl::StatusOr<Tensor> {
    DOVETAIL_ASSIGN_OR_RETURN(placed_[i], Tensor::Allocate(type, shape));
    return placed_[i];
  };
  DOVETAIL_RETURN_IF_ERROR(
      executable_.program().Run(loaded_, place, state_, environment_));
  for (size_t i = 0; i < placed_.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(outputs_.Store(static_cast<int>(i), placed_[i]));
  }
  return absl::OkStatus();
}

absl::Status CpuContext::CheckCancelled() const {
  if (!cancelled_.load(std::memory_order_relaxed)) return absl::OkStatus();
  return absl::CancelledError("the inference was cancelled");
}

// ---- Profiling ----

std::vector<ProfilingRecord> CpuContext::profiling() const {
  std::vector<ProfilingRecord> records = clock_.records();
  if (environment_.clock() == nullptr) return records;
  std::set<std::string> there;
  for (const ProfilingRecord& record : records) there.insert(record.name);
  for (const LayerName& layer : executable_.optimized_out()) {
    if (there.count(layer.name) > 0) continue;
    ProfilingRecord record;
    record.name = layer.name;
    record.type = layer.type;
    record.status = ProfilingRecord::Status::kOptimizedOut;
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace dovetail::cpu
