#include "dovetail/backends/gpu/gpu_executable.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/compile_beside_check.h"
#include "dovetail/backends/common/program/analysis/check_constants.h"
#include "dovetail/backends/common/program/analysis/memory_plan.h"
#include "dovetail/backends/common/program/program_context.h"
#include "dovetail/backends/gpu/custom/custom_kernels.h"
#include "dovetail/backends/gpu/gpu_context.h"
#include "dovetail/backends/gpu/gpu_properties.h"
#include "dovetail/backends/gpu/hand_over.h"
#include "dovetail/backends/gpu/plan/steps.h"
#include "dovetail/backends/gpu/remote/gpu_memory.h"
#include "dovetail/backends/gpu/remote/gpu_remote_context.h"
#include "dovetail/backends/gpu/steps/table.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/team/work_team.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/plugin/lowered/lowered_bytes.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail::gpu {
namespace {

// Its tensors go through the host.
class GpuProgramContext : public ProgramContext {
 public:
  GpuProgramContext(const ProgramContextParts& parts,
                    StreamsExecutor::Stream& stream, const ClDevice& device)
      : ProgramContext(parts, stream), device_(device) {}

  bool Takes(const DeviceMemory& memory) const override {
    return GpuMemoryOf(memory, device_) != nullptr;
  }

 private:
  const ClDevice& device_;
};

const GpuRemoteContext* ContextOf(const PluginCall& call) {
  return dynamic_cast<const GpuRemoteContext*>(call.context.get());
}

// In which type floats are stored. Half of the precision is for those who ask.
ElementType StorageType(const Config& config) {
  return config.GetString(properties::kInferencePrecisionHint) == "f16"
             ? ElementType::kF16
             : ElementType::kF32;
}

// With the hint as it is in force, which compiled models tell.
Config ConfigInForce(const Config& config) {
  return config.With(properties::kInferencePrecisionHint,
                     ElementTypeName(StorageType(config)));
}

PropertyMap KernelProperties(const Config& config) {
  PropertyMap all;
  for (const absl::string_view name :
       {kConfigFile, kConfigText, kConfigSources, kGlobalKernels}) {
    all[std::string(name)] = config.GetString(name);
  }
  return all;
}

Config WithoutKernels(Config config) {
  for (const auto& [name, value] : KernelProperties(config)) {
    config = config.With(name, "");
  }
  return config;
}

// Of the bodies, too.
bool IsStatic(const Model& model) {
  for (const auto& node : model.nodes()) {
    for (int i = 0; i < node->output_count(); ++i) {
      if (!node->port(i).shape.ToShape().ok()) return false;
    }
    for (const auto& body : node->bodies()) {
      if (!IsStatic(*body->model)) return false;
    }
  }
  return true;
}

// Plans for new shapes would be new programs. Profiles want each launch's time.
bool JoinsLaunches(const Model& model, const Config& config) {
  return config.GetBool(kJoinLaunches) &&
         !config.GetBool(properties::kPerfCount) && IsStatic(model);
}

// What packed weights depend on beside the model.
std::string PackingPlatform(const CompileSettings& settings) {
  return absl::StrCat("opencl lanes ", settings.lanes.lanes, " ",
                      ElementTypeName(settings.storage_type));
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
    : ProgramExecutable("GPU", std::move(lowered), call,
                        ConfigInForce(WithoutKernels(call.config))),
      kernel_properties_(KernelProperties(call.config)) {}

absl::Status GpuExecutable::Compile(std::shared_ptr<ClDevice> device,
                                    const PluginCall& call) {
  PrepareHandOver();
  CompileSettings settings;
  settings.lanes = LaneModelOf(device->traits());
  device_ = device;
  settings.device = std::move(device);
  DOVETAIL_ASSIGN_OR_RETURN(custom_kernels_,
                            call.blob == nullptr
                                ? CustomKernels::Of(call.config)
                                : CustomKernels::Import(*call.blob));
  settings.custom_kernels = custom_kernels_;
  settings.storage_type = StorageType(config());
  settings.cache_dir = config().GetString(properties::kCacheDir);
  settings.kept_text =
      static_cast<size_t>(config().GetInt(kKeptPrograms)) << 10;
  settings.joins_launches = JoinsLaunches(*model(), config());
  settings.print_plan = config().GetBool(properties::kPrintPlan);
  const std::shared_ptr<WorkTeam> team = CompileTeamFor(
      call,
      static_cast<int>(config().GetInt(properties::kCompilationNumThreads)));
  platform_ = PackingPlatform(settings);
  plan_compiler_ = GpuPlanCompiler::Create(std::move(settings), &Emit);
  plan_compiler_->weights().SetModel(*model());
  const WorkTeam::Session session(*team);
  const auto create = [&] { return CreateProgram(*team); };
  if (call.blob == nullptr) {
    DOVETAIL_RETURN_IF_ERROR(create());
  } else {
    DOVETAIL_RETURN_IF_ERROR(plan_compiler_->programs().Import(*call.blob));
    DOVETAIL_RETURN_IF_ERROR(CompileBesideCheck(
        plan_compiler_->weights(), platform_, call, *team, create));
  }
  plan_ = PlanOfKernels();
  if (const auto* context = ContextOf(call)) {
    shared_queue_ = context->shared_queue();
  }
  return absl::OkStatus();
}

absl::Status GpuExecutable::CreateProgram(WorkTeam& team) {
  set_program(nullptr);
  DOVETAIL_ASSIGN_OR_RETURN(
      std::unique_ptr<dovetail::Program> program,
      dovetail::Program::Create(model(), plan_compiler_, team));
  set_program(std::move(program));
  return absl::OkStatus();
}

std::shared_ptr<const GpuPlan> GpuExecutable::PlanOfKernels() const {
  const SpecializedModel* const model = program().static_model();
  // Variables are the host's. Inferences that take turns may not overlap.
  if (model == nullptr || !model->is_one_plan || !variables().empty() ||
      config().GetBool(properties::kExclusiveAsyncRequests)) {
    return nullptr;
  }
  auto plan = std::dynamic_pointer_cast<const GpuPlan>(model->plan);
  if (plan == nullptr) return nullptr;
  for (const PlannedStep& step : plan->plan().steps) {
    if (AsLaunch(step) == nullptr) return nullptr;
  }
  return plan;
}

absl::StatusOr<std::string> GpuExecutable::GetMetric(
    absl::string_view name) const {
  const auto it = kernel_properties_.find(std::string(name));
  if (it != kernel_properties_.end()) return it->second;
  if (name == kMemoryPlan) return MemoryPlanText(program());
  return ProgramExecutable::GetMetric(name);
}

std::vector<PropertySpec> GpuExecutable::own_properties() const {
  return {MemoryPlanProperty()};
}

absl::StatusOr<std::unique_ptr<ExecutionContext>> GpuExecutable::NewContext()
    const {
  StreamsExecutor::Stream& stream = streams().executor().NextStream();
  if (plan_ == nullptr) {
    ProgramContextParts parts = context_parts();
    parts.takes_turns = false;
    return std::make_unique<GpuProgramContext>(parts, stream, *device_);
  }
  return GpuContext::Create({*this, plan_, optimized_out(), shared_queue_,
                             stream.tasks(), contexts_.fetch_add(1)});
}

absl::Status GpuExecutable::Export(BlobWriter& blob) const {
  // Damage that nobody has noticed must not get a new checksum.
  DOVETAIL_RETURN_IF_ERROR(CheckConstants(*model()));
  DOVETAIL_RETURN_IF_ERROR(WriteLowered(
      {*model(), inputs(), outputs(), variables(), optimized_out()},
      WeightsPlace::kInside, blob));
  DOVETAIL_RETURN_IF_ERROR(plan_compiler_->programs().Export(blob));
  DOVETAIL_RETURN_IF_ERROR(custom_kernels_->Export(blob));
  return plan_compiler_->weights().Export(platform_, blob);
}

}  // namespace dovetail::gpu
