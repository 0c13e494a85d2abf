#include "dovetail/backends/cpu/cpu_executable.h"

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "dovetail/backends/common/compile_beside_check.h"
#include "dovetail/backends/common/program/analysis/check_constants.h"
#include "dovetail/backends/common/program/analysis/memory_plan.h"
#include "dovetail/backends/cpu/compute_type.h"
#include "dovetail/backends/cpu/isa/machine_model.h"
#include "dovetail/backends/cpu/steps/packing_platform.h"
#include "dovetail/backends/cpu/tuning/choices_section.h"
#include "dovetail/backends/cpu/tuning/plan_timer.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/team/work_team.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/core/tensor/memory/mapped_file.h"

namespace dovetail::cpu {
namespace {

// Most constants have been packed: their pages of the file need not stay in
// memory.
void ForgetConstants(const Model& model) {
  for (const auto& node : model.nodes()) {
    const auto* constant = node->As<ConstantAttributes>();
    if (constant == nullptr) continue;
    MappedFile::ForgetPages(constant->value.address(),
                            static_cast<size_t>(constant->value.byte_size()));
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<Executable>> CpuExecutable::Create(
    LoweredModel lowered, const PluginCall& call) {
  std::unique_ptr<CpuExecutable> executable(
      new CpuExecutable(std::move(lowered), call));
  DOVETAIL_RETURN_IF_ERROR(executable->Compile(call));
  return std::unique_ptr<Executable>(std::move(executable));
}

CpuExecutable::CpuExecutable(LoweredModel lowered, const PluginCall& call)
    : ProgramExecutable("CPU", std::move(lowered), call,
                        ConfigInForce(call.config)) {
  set_denormals_as_zeros(config().GetBool(kDenormalsOptimization));
  set_shares_states(true);
}

absl::Status CpuExecutable::Compile(const PluginCall& call) {
  CompileSettings settings;
  settings.threads = threads_a_stream();
  settings.compute_type = ComputeType(config());
  // The executable's own has types in force, as if they were asked for.
  settings.rounds_activations = MayRoundActivations(call.config);
  settings.quantization_group = QuantizationGroup(call.config);
  settings.print_plan = config().GetBool(properties::kPrintPlan);
  // Asked for while no thread of the team spins: a helper is woken for it.
  const MachineModel& machine = settings.machine_model();
  if (settings.print_plan) {
    absl::FPrintF(stderr, "machine: %s\n", DescribeMachine(machine));
  }
  // Compiling is one task whatever threads infer, and may use all there is.
  const std::shared_ptr<WorkTeam> team = CompileTeamFor(
      call,
      static_cast<int>(config().GetInt(properties::kCompilationNumThreads)));
  plan_compiler_ = CpuPlanCompiler::Create(std::move(settings));
  plan_compiler_->weights().SetModel(*model());
  const WorkTeam::Session session(*team);
  DOVETAIL_RETURN_IF_ERROR(ReadImportedChoices(call));
  if (config().GetBool(kTune) && choices().empty()) {
    DOVETAIL_RETURN_IF_ERROR(CreateTunedProgram(*team));
  } else if (call.blob == nullptr) {
    DOVETAIL_RETURN_IF_ERROR(CreateProgram(*team));
  } else {
    DOVETAIL_RETURN_IF_ERROR(CompileBesideCheck(
        plan_compiler_->weights(), PackingPlatform(), call, *team, [&] {
          set_program(nullptr);
          return CreateProgram(*team);
        }));
  }
  ForgetConstants(*model());
  return absl::OkStatus();
}

absl::Status CpuExecutable::CreateProgram(WorkTeam& team) {
  DOVETAIL_ASSIGN_OR_RETURN(std::unique_ptr<Program> program,
                            Program::Create(model(), plan_compiler_, team));
  set_program(std::move(program));
  return absl::OkStatus();
}

absl::Status CpuExecutable::ReadImportedChoices(const PluginCall& call) {
  if (call.blob == nullptr) return absl::OkStatus();
  const std::string platform = PackingPlatform();
  DOVETAIL_ASSIGN_OR_RETURN(
      KernelChoices choices,
      ReadChoices(*call.blob, {platform, threads_a_stream()}));
  plan_compiler_->set_choices(std::move(choices));
  return absl::OkStatus();
}

// Plans are timed by the threads that will run them. Those of shapes that are
// not known yet are not: their first inference would take as long.
absl::Status CpuExecutable::CreateTunedProgram(WorkTeam& team) {
  PlanTimer timer(streams().executor().stream(0).team(),
                  config().GetBool(kDenormalsOptimization));
  plan_compiler_->set_timer(&timer);
  const absl::Status created = CreateProgram(team);
  plan_compiler_->set_timer(nullptr);
  return created;
}

int CpuExecutable::threads_a_stream() const {
  return streams().executor().stream(0).threads();
}

absl::StatusOr<std::string> CpuExecutable::GetMetric(
    absl::string_view name) const {
  if (name == kMemoryPlan) return MemoryPlanText(program());
  return ProgramExecutable::GetMetric(name);
}

std::vector<PropertySpec> CpuExecutable::own_properties() const {
  return {MemoryPlanProperty()};
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
  DOVETAIL_RETURN_IF_ERROR(CheckConstants(*model()));
  DOVETAIL_RETURN_IF_ERROR(WriteLowered(
      {*model(), inputs(), outputs(), variables(), optimized_out()},
      options.weights, writer));
  const std::string platform = PackingPlatform();
  DOVETAIL_RETURN_IF_ERROR(
      WriteChoices(choices(), {platform, threads_a_stream()}, writer));
  if (!options.packed) return absl::OkStatus();
  return plan_compiler_->weights().Export(platform, writer);
}

}  // namespace dovetail::cpu
