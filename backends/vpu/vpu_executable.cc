#include "dovetail/backends/vpu/vpu_executable.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/custom/stand_in.h"
#include "dovetail/backends/common/program/analysis/check_constants.h"
#include "dovetail/backends/vpu/program/program_bytes.h"
#include "dovetail/backends/vpu/simulator/accumulation.h"
#include "dovetail/backends/vpu/vpu_context.h"
#include "dovetail/backends/vpu/vpu_properties.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/executor/team/work_team.h"
#include "dovetail/core/plugin/lowered/lowered_bytes.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail::vpu {
namespace {

constexpr absl::string_view kMachineSection = "vpu.machine";

PropertyMap FileProperties(const Config& config) {
  PropertyMap all;
  for (const auto& [name, nothing] : kMachineKeys) {
    all[std::string(name)] = config.GetString(name);
  }
  for (const absl::string_view name : kCustomLayersKeys) {
    all[std::string(name)] = config.GetString(name);
  }
  return all;
}

// Whether the call itself says something of the processor.
bool AsksForMachine(const Config& config) {
  for (const auto& [name, nothing] : kMachineKeys) {
    if (config.GetString(name) != nothing) return true;
  }
  return false;
}

// An export has what is in the files, and needs none.
Config WithoutFiles(Config config) {
  for (const auto& [name, nothing] : kMachineKeys) {
    config = config.With(name, nothing);
  }
  for (const absl::string_view name : kCustomLayersKeys) {
    config = config.With(name, "");
  }
  return config;
}

// Of an import: the machine that the program was made for.
absl::StatusOr<Machine> ImportedMachine(const PluginCall& call) {
  DOVETAIL_ASSIGN_OR_RETURN(const BlobBytes section,
                            call.blob->Section(kMachineSection));
  auto machine = ParseMachine(section.view(), "the exported machine");
  if (!machine.ok()) return DataLoss(machine.status().message());
  return machine;
}

absl::StatusOr<Machine> MachineFor(const PluginCall& call) {
  if (call.blob == nullptr) return MachineOf(call.config);
  DOVETAIL_ASSIGN_OR_RETURN(const Machine imported, ImportedMachine(call));
  if (!AsksForMachine(call.config)) return imported;
  DOVETAIL_ASSIGN_OR_RETURN(const Machine asked, MachineOf(call.config));
  const std::string difference = MachineDifference(imported, asked);
  if (difference.empty()) return imported;
  return InvalidArgument("the exported model is for another processor: ",
                         difference);
}

std::string ProgramSection(size_t number) {
  return absl::StrCat(kProgramSection, number);
}

// Of an import: what was compiled before, for this machine.
absl::StatusOr<Programs> ProgramsFor(const Machine& machine,
                                     const PluginCall& call) {
  Programs programs;
  while (call.blob != nullptr &&
         call.blob->HasSection(ProgramSection(programs.size()))) {
    DOVETAIL_ASSIGN_OR_RETURN(
        const BlobBytes section,
        call.blob->Section(ProgramSection(programs.size())));
    DOVETAIL_ASSIGN_OR_RETURN(Program program,
                              ReadProgramBytes(section.view()));
    const std::string difference =
        MachineDifference(program.machine(), machine);
    if (!difference.empty()) {
      return DataLoss(
          "the exported program is for another processor than the "
          "exported model: ",
          difference);
    }
    programs.push_back(std::make_shared<const Program>(std::move(program)));
  }
  return programs;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Executable>> VpuExecutable::Create(
    LoweredModel lowered, const PluginCall& call) {
  DOVETAIL_ASSIGN_OR_RETURN(const Machine machine, MachineFor(call));
  DOVETAIL_ASSIGN_OR_RETURN(Programs compiled, ProgramsFor(machine, call));
  DOVETAIL_ASSIGN_OR_RETURN(
      auto custom, call.blob == nullptr ? CustomLayers::Of(call.config)
                                        : CustomLayers::Import(*call.blob));
  if (!custom->empty()) {
    DOVETAIL_RETURN_IF_ERROR(
        MarkCustomKernels(*lowered.model, PlacesOf(*custom)));
  }
  std::unique_ptr<VpuExecutable> executable(
      new VpuExecutable(std::move(lowered), call, machine, std::move(compiled),
                        std::move(custom)));
  const std::shared_ptr<WorkTeam> team =
      CompileTeamFor(call, static_cast<int>(executable->config().GetInt(
                               properties::kCompilationNumThreads)));
  const WorkTeam::Session session(*team);
  DOVETAIL_ASSIGN_OR_RETURN(
      std::unique_ptr<dovetail::Program> program,
      dovetail::Program::Create(executable->model(), executable->plan_compiler_,
                                *team));
  executable->set_program(std::move(program));
  executable->programs_ = executable->plan_compiler_->programs();
  return std::unique_ptr<Executable>(std::move(executable));
}

VpuExecutable::VpuExecutable(LoweredModel lowered, const PluginCall& call,
                             const Machine& machine, Programs compiled,
                             std::shared_ptr<const CustomLayers> custom)
    : ProgramExecutable("VPU", std::move(lowered), call,
                        WithoutFiles(call.config)),
      machine_(machine),
      file_properties_(FileProperties(call.config)),
      custom_(std::move(custom)),
      plan_compiler_(std::make_shared<VpuPlanCompiler>(
          machine, std::move(compiled),
          call.config.GetString(properties::kPrintPasses), custom_,
          call.config.GetInt(kWatchdog),
          AccumulationOf(call.config.GetString(kAccumulation)),
          BlackListOf(call.config))) {}

absl::StatusOr<std::unique_ptr<ExecutionContext>> VpuExecutable::NewContext()
    const {
  return std::make_unique<VpuContext>(context_parts(),
                                      streams().executor().NextStream());
}

absl::StatusOr<std::string> VpuExecutable::GetMetric(
    absl::string_view name) const {
  const auto it = file_properties_.find(std::string(name));
  if (it != file_properties_.end()) return it->second;
  return ProgramExecutable::GetMetric(name);
}

absl::Status VpuExecutable::Export(BlobWriter& blob) const {
  // Damage that nobody has noticed must not get a new checksum.
  DOVETAIL_RETURN_IF_ERROR(CheckConstants(*model()));
  DOVETAIL_RETURN_IF_ERROR(WriteLowered(
      {*model(), inputs(), outputs(), variables(), optimized_out()},
      WeightsPlace::kInside, blob));
  DOVETAIL_RETURN_IF_ERROR(custom_->Export(blob));
  for (size_t i = 0; i < programs_.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(
        blob.AddSection(ProgramSection(i), ProgramBytes(*programs_[i])));
  }
  return blob.AddSection(kMachineSection, MachineText(machine_));
}

}  // namespace dovetail::vpu
