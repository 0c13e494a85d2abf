#include "dovetail/backends/cpu/cpu_executable.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/compute_type.h"
#include "dovetail/backends/cpu/cpu_context.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/cpu_info.h"
#include "dovetail/core/executor/work_team.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/core/properties/streams_choice.h"
#include "dovetail/core/tensor/mapped_file.h"

namespace dovetail::cpu {
namespace {

std::shared_ptr<StreamsExecutor> StreamsFor(const Config& config) {
  const StreamsChoice choice = ChooseStreams(config, UsableCpus());
  return SharedStreams(choice.streams, choice.threads_per_stream);
}

// Most constants have been packed: their pages of the file need not stay in
// memory.
void ForgetConstants(const Model& model) {
  for (const auto& node : model.nodes()) {
    const auto* constant = node->As<ConstantAttributes>();
    if (constant == nullptr) continue;
    MappedFile::ForgetPages(constant->value.raw_data(),
                            static_cast<size_t>(constant->value.byte_size()));
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<Executable>> CpuExecutable::Create(
    LoweredModel lowered, const Config& config) {
  std::unique_ptr<CpuExecutable> executable(
      new CpuExecutable(std::move(lowered), config));
  DOVETAIL_RETURN_IF_ERROR(executable->Compile());
  return std::unique_ptr<Executable>(std::move(executable));
}

CpuExecutable::CpuExecutable(LoweredModel lowered, const Config& config)
    : inputs_(std::move(lowered.inputs)),
      outputs_(std::move(lowered.outputs)),
      variables_(std::move(lowered.variables)),
      optimized_out_(std::move(lowered.optimized_out)),
      model_(std::move(lowered.model)),
      variable_types_(VariableTypesOf(*model_)),
      config_(ConfigInForce(config)),
      streams_(StreamsFor(config)) {}

absl::Status CpuExecutable::Compile() {
  CompileSettings settings;
  settings.threads = streams_->stream(0).threads();
  settings.compute_type = ComputeType(config_);
  // Compiling is one task whatever the streams are, and may use all there is.
  const int threads = config_.GetInt(properties::kInferenceNumThreads) == 1
                          ? 1
                          : UsableCpus();
  WorkTeam team(threads);
  const WorkTeam::Session session(team);
  DOVETAIL_ASSIGN_OR_RETURN(
      program_,
      Program::Create(model_, MakeResources(std::move(settings)), team));
  ForgetConstants(*model_);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<ExecutionContext>> CpuExecutable::NewContext()
    const {
  return std::make_unique<CpuContext>(*this, streams_->NextStream());
}

absl::StatusOr<std::string> CpuExecutable::GetMetric(
    absl::string_view name) const {
  if (name == properties::kOptimalNumberOfInferRequests) {
    return absl::StrCat(streams_->stream_count());
  }
  return Executable::GetMetric(name);
}

absl::StatusOr<std::string> CpuExecutable::Export() const {
  LoweredModel lowered;
  lowered.model = model_->Clone();
  lowered.inputs = inputs_;
  lowered.outputs = outputs_;
  lowered.variables = variables_;
  lowered.optimized_out = optimized_out_;
  return WriteLowered(lowered);
}

}  // namespace dovetail::cpu
