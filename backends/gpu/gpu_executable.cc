#include "dovetail/backends/gpu/gpu_executable.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/program/check_constants.h"
#include "dovetail/backends/common/sections_check.h"
#include "dovetail/backends/gpu/steps/table.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/team/work_team.h"
#include "dovetail/core/plugin/lowered_bytes.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail::gpu {
namespace {

// What packed weights depend on beside the model.
std::string PackingPlatform(const CompileSettings& settings) {
  return absl::StrCat("opencl lanes ", settings.lanes.lanes);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Executable>> GpuExecutable::Create(
    std::shared_ptr<ClDevice> device, LoweredModel lowered,
    const PluginCall& call) {
  std::unique_ptr<GpuExecutable> executable(
      new GpuExecutable(std::move(lowered), call));
  DOVETAIL_RETURN_IF_ERROR(executable->Compile(std::move(device), call));
  return std::unique_ptr<Executable>(std::move(executable));
}

GpuExecutable::GpuExecutable(LoweredModel lowered, const PluginCall& call)
    : ProgramExecutable("GPU", std::move(lowered), call, call.config) {}

absl::Status GpuExecutable::Compile(std::shared_ptr<ClDevice> device,
                                    const PluginCall& call) {
  CompileSettings settings;
  settings.lanes = LaneModelOf(device->traits());
  settings.device = std::move(device);
  settings.cache_dir = config().GetString(properties::kCacheDir);
  settings.print_plan = config().GetBool(properties::kPrintPlan);
  const std::shared_ptr<WorkTeam> team = CompileTeamFor(
      call,
      static_cast<int>(config().GetInt(properties::kCompilationNumThreads)));
  platform_ = PackingPlatform(settings);
  plan_compiler_ = GpuPlanCompiler::Create(std::move(settings), &Emit);
  plan_compiler_->weights().SetModel(*model());
  if (call.blob != nullptr) DOVETAIL_RETURN_IF_ERROR(Import(*call.blob));
  const WorkTeam::Session session(*team);
  DOVETAIL_ASSIGN_OR_RETURN(
      std::unique_ptr<dovetail::Program> program,
      dovetail::Program::Create(model(), plan_compiler_, *team));
  set_program(std::move(program));
  return absl::OkStatus();
}

// Damaged entries are packed again.
absl::Status GpuExecutable::Import(const BlobReader& blob) {
  DOVETAIL_RETURN_IF_ERROR(plan_compiler_->programs().Import(blob));
  WeightsCache& weights = plan_compiler_->weights();
  DOVETAIL_ASSIGN_OR_RETURN(std::vector<std::string> sections,
                            weights.Import(platform_, blob));
  weights.Forget(SectionsCheck(blob, std::move(sections)).Finish());
  return absl::OkStatus();
}

absl::Status GpuExecutable::Export(BlobWriter& blob) const {
  // Damage that nobody has noticed must not get a new checksum.
  DOVETAIL_RETURN_IF_ERROR(CheckConstants(*model()));
  DOVETAIL_RETURN_IF_ERROR(WriteLowered(
      {*model(), inputs(), outputs(), variables(), optimized_out()},
      WeightsPlace::kInside, blob));
  DOVETAIL_RETURN_IF_ERROR(plan_compiler_->programs().Export(blob));
  return plan_compiler_->weights().Export(platform_, blob);
}

}  // namespace dovetail::gpu
