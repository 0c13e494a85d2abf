#include "dovetail/backends/cpu/cpu_executable.h"

#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/compute_type.h"
#include "dovetail/backends/cpu/cpu_context.h"
#include "dovetail/backends/cpu/program/check_constants.h"
#include "dovetail/backends/cpu/steps/packing_platform.h"
#include "dovetail/core/base/byte_sink.h"
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

// Work beside that of this thread, which waits for it in the end. Where the
// system gives no thread there is none.
class Helper {
 public:
  template <typename Work>
  explicit Helper(Work work) {
    try {
      thread_ = std::thread(std::move(work));
    } catch (const std::system_error&) {
    }
  }
  ~Helper() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::thread thread_;
};

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
  DOVETAIL_RETURN_IF_ERROR(executable->Compile(/*packed=*/nullptr));
  return std::unique_ptr<Executable>(std::move(executable));
}

absl::StatusOr<std::unique_ptr<Executable>> CpuExecutable::Import(
    const BlobReader& reader, const Config& config) {
  DOVETAIL_ASSIGN_OR_RETURN(
      LoweredModel lowered,
      ReadLowered(reader, ConstantsReader::Checking::kWhenNeeded));
  std::unique_ptr<CpuExecutable> executable(
      new CpuExecutable(std::move(lowered), config));
  DOVETAIL_RETURN_IF_ERROR(executable->Compile(&reader));
  return std::unique_ptr<Executable>(std::move(executable));
}

CpuExecutable::CpuExecutable(LoweredModel lowered, const Config& config)
    : inputs_(std::move(lowered.inputs)),
      outputs_(std::move(lowered.outputs)),
      variables_(std::move(lowered.variables)),
      optimized_out_(std::move(lowered.optimized_out)),
      model_(std::move(lowered.model)),
      variable_types_(VariableTypesOf(*model_)),
      config_(config),
      streams_(StreamsFor(config)) {}

absl::Status CpuExecutable::Compile(const BlobReader* packed) {
  CompileSettings settings;
  settings.threads = streams_->stream(0).threads();
  settings.compute_type = ComputeType(config_);
  // Compiling is one task whatever the streams are, and may use all there is.
  const int threads = config_.GetInt(properties::kInferenceNumThreads) == 1
                          ? 1
                          : UsableCpus();
  resources_ = MakeResources(std::move(settings));
  resources_->weights.SetModel(*model_);
  std::optional<Helper> checking;
  if (packed != nullptr) {
    DOVETAIL_RETURN_IF_ERROR(
        resources_->weights.Import(PackingPlatform(), *packed));
    // Beside the emission of steps, which one thread does.
    if (threads > 1) {
      checking.emplace([this] { resources_->weights.CheckImported(); });
    }
  }
  WorkTeam team(threads);
  const WorkTeam::Session session(team);
  DOVETAIL_ASSIGN_OR_RETURN(program_,
                            Program::Create(model_, resources_, team));
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
  std::string bytes;
  StringSink sink(&bytes);
  BlobWriter writer(&sink);
  DOVETAIL_RETURN_IF_ERROR(Export(CpuExportOptions(), writer));
  DOVETAIL_RETURN_IF_ERROR(writer.Finish());
  return bytes;
}

absl::Status CpuExecutable::Export(const CpuExportOptions& options,
                                   BlobWriter& writer) const {
  // Damage that nobody has noticed must not get a new checksum.
  DOVETAIL_RETURN_IF_ERROR(CheckConstants(*model_));
  DOVETAIL_RETURN_IF_ERROR(
      WriteLowered({*model_, inputs_, outputs_, variables_, optimized_out_},
                   options.weights, writer));
  if (!options.packed) return absl::OkStatus();
  return resources_->weights.Export(PackingPlatform(), writer);
}

}  // namespace dovetail::cpu
