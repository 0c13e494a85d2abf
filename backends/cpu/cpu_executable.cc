#include "dovetail/backends/cpu/cpu_executable.h"

#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "dovetail/backends/cpu/compute_type.h"
#include "dovetail/backends/cpu/cpu_context.h"
#include "dovetail/backends/cpu/program/check_constants.h"
#include "dovetail/backends/cpu/steps/packing_platform.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/threads.h"
#include "dovetail/core/executor/work_team.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/core/tensor/mapped_file.h"

namespace dovetail::cpu {
namespace {

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

// At most so many threads compile; 0: as many as may be used.
int CompileThreads(const Config& config) {
  if (config.GetInt(properties::kInferenceNumThreads) == 1) return 1;
  return static_cast<int>(config.GetInt(properties::kCompilationNumThreads));
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
    LoweredModel lowered, const Config& config, const BlobReader* exported) {
  std::unique_ptr<CpuExecutable> executable(
      new CpuExecutable(std::move(lowered), config));
  DOVETAIL_RETURN_IF_ERROR(executable->Compile(exported));
  return std::unique_ptr<Executable>(std::move(executable));
}

CpuExecutable::CpuExecutable(LoweredModel lowered, const Config& config)
    : Executable({std::move(lowered.inputs), std::move(lowered.outputs),
                  ConfigInForce(config)}),
      variables_(std::move(lowered.variables)),
      optimized_out_(std::move(lowered.optimized_out)),
      model_(std::move(lowered.model)),
      variable_types_(VariableTypesOf(*model_)),
      streams_(config) {}

absl::Status CpuExecutable::Compile(const BlobReader* packed) {
  CompileSettings settings;
  settings.threads = streams_.executor().stream(0).threads();
  settings.compute_type = ComputeType(config());
  // Compiling is one task whatever the streams are, and may use all there is.
  const std::shared_ptr<WorkTeam> team =
      Threads::OfProcess()->CompileTeam(CompileThreads(config()));
  resources_ = MakeResources(std::move(settings));
  resources_->weights.SetModel(*model_);
  std::optional<Helper> checking;
  if (packed != nullptr) {
    DOVETAIL_RETURN_IF_ERROR(
        resources_->weights.Import(PackingPlatform(), *packed));
    // Beside the emission of steps, which one thread does.
    if (team->threads() > 1) {
      checking.emplace([this] { resources_->weights.CheckImported(); });
    }
  }
  const WorkTeam::Session session(*team);
  DOVETAIL_ASSIGN_OR_RETURN(program_,
                            Program::Create(model_, resources_, *team));
  ForgetConstants(*model_);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<ExecutionContext>> CpuExecutable::NewContext()
    const {
  return std::make_unique<CpuContext>(*this, streams_.executor().NextStream());
}

absl::StatusOr<std::string> CpuExecutable::GetMetric(
    absl::string_view name) const {
  auto value = streams_.Property(name);
  if (value.ok()) return value;
  return Executable::GetMetric(name);
}

absl::Status CpuExecutable::Export(BlobWriter& blob) const {
  CpuExportOptions options;
  if (config().GetString(properties::kCacheMode) == "OPTIMIZE_SIZE") {
    options.weights = WeightsPlace::kInTheirFile;
    options.packed = false;
  }
  return Export(options, blob);
}

absl::Status CpuExecutable::Export(const CpuExportOptions& options,
                                   BlobWriter& writer) const {
  // Damage that nobody has noticed must not get a new checksum.
  DOVETAIL_RETURN_IF_ERROR(CheckConstants(*model_));
  DOVETAIL_RETURN_IF_ERROR(
      WriteLowered({*model_, inputs(), outputs(), variables_, optimized_out_},
                   options.weights, writer));
  if (!options.packed) return absl::OkStatus();
  return resources_->weights.Export(PackingPlatform(), writer);
}

}  // namespace dovetail::cpu
