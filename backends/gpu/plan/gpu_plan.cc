#include "dovetail/backends/gpu/plan/gpu_plan.h"

#include <utility>

#include "dovetail/backends/common/compiler/describe_plan.h"
#include "dovetail/backends/gpu/plan/gpu_plan_instance.h"
#include "dovetail/backends/gpu/plan/steps.h"
#include "dovetail/backends/gpu/program/kernel_arguments.h"
#include "dovetail/backends/gpu/queue/queue.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {

absl::StatusOr<std::shared_ptr<GpuPlan>> GpuPlan::Build(
    std::shared_ptr<ClDevice> device, std::shared_ptr<const Plan> plan,
    ProgramStore& programs, bool joins_launches) {
  std::shared_ptr<GpuPlan> made(
      new GpuPlan(std::move(device), std::move(plan)));
  if (joins_launches) DOVETAIL_RETURN_IF_ERROR(made->Join());
  DOVETAIL_RETURN_IF_ERROR(made->BuildKernels(programs));
  return made;
}

absl::Status GpuPlan::Complete(ProgramStore& programs,
                               DeviceConstants& constants) {
  DOVETAIL_RETURN_IF_ERROR(PlaceConstants(constants));
  const auto built = std::exchange(new_programs_, {});
  if (!built.empty() && HasSingleLaunches()) {
    DOVETAIL_ASSIGN_OR_RETURN(const std::unique_ptr<GpuPlanInstance> instance,
                              GpuPlanInstance::Create(shared_from_this()));
    DOVETAIL_RETURN_IF_ERROR(instance->LaunchSinglesOnce());
  }
  for (const auto& program : built) programs.Store(*program);
  return absl::OkStatus();
}

absl::Status GpuPlan::Join() {
  joined_ = JoinLaunches(*plan_, device_->traits());
  if (joined_.groups.empty()) return absl::OkStatus();
  DOVETAIL_ASSIGN_OR_RETURN(
      joined_table_,
      Buffer::WithData(device_, joined_.table.data(),
                       static_cast<int64_t>(joined_.table.size() *
                                            sizeof(joined_.table[0]))));
  return absl::OkStatus();
}

absl::Status GpuPlan::BuildKernels(ProgramStore& programs) {
  std::vector<KernelSource> sources;
  std::vector<size_t> steps;
  for (size_t i = 0; i < plan_->steps.size(); ++i) {
    const LaunchStep* const launch = AsLaunch(plan_->steps[i]);
    if (launch == nullptr) continue;
    const LaunchGroup* const group = joined_.GroupOf(i);
    if (group != nullptr && group->first != i) continue;
    steps.push_back(i);
    sources.push_back(group != nullptr ? joined_.source : launch->source);
  }
  if (sources.empty()) return absl::OkStatus();
  DOVETAIL_ASSIGN_OR_RETURN(ProgramStore::Found found,
                            programs.FindOrBuild(device_, sources));
  for (size_t i = 0; i < steps.size(); ++i) {
    kernels_[steps[i]] = std::move(found.kernels[i]);
  }
  new_programs_ = std::move(found.built);
  if (new_programs_.empty() || joined_.groups.empty()) return absl::OkStatus();
  return LaunchJoinedOnce();
}

// Without any step, so that no argument but the state is looked at.
absl::Status GpuPlan::LaunchJoinedOnce() const {
  const LaunchGroup& group = joined_.groups.front();
  DOVETAIL_ASSIGN_OR_RETURN(const Kernel kernel, NewKernel(group.first));
  const std::vector<int32_t> zeros(static_cast<size_t>(joined_.state_ints));
  DOVETAIL_ASSIGN_OR_RETURN(
      const Buffer state,
      Buffer::WithData(device_, zeros.data(),
                       joined_.state_ints * int64_t{sizeof(int32_t)}));
  const int arguments = static_cast<int>(group.buffers.size()) + 2;
  for (int i = 0; i < arguments; ++i) {
    DOVETAIL_RETURN_IF_ERROR(SetArgument(kernel, i, state));
  }
  LaunchNumbers numbers = group.numbers;
  numbers.count = 0;
  DOVETAIL_RETURN_IF_ERROR(
      SetArgument(kernel, arguments, &numbers, sizeof(numbers)));
  DOVETAIL_ASSIGN_OR_RETURN(const std::unique_ptr<Queue> queue,
                            Queue::Create(device_));
  DOVETAIL_RETURN_IF_ERROR(queue->Launch(kernel, joined_.range));
  return queue->Finish();
}

bool GpuPlan::HasSingleLaunches() const {
  for (size_t i = 0; i < plan_->steps.size(); ++i) {
    if (AsLaunch(plan_->steps[i]) != nullptr && joined_.GroupOf(i) == nullptr) {
      return true;
    }
  }
  return false;
}

// Those that launches read; the host reads its own where they are.
absl::Status GpuPlan::PlaceConstants(DeviceConstants& constants) {
  std::map<const void*, int64_t> bytes;
  for (const PlannedConstant& constant : plan_->constants) {
    bytes[constant.data] = constant.bytes;
  }
  for (const PlannedStep& step : plan_->steps) {
    if (AsLaunch(step) == nullptr) continue;
    for (const Address& address : step.inputs) {
      if (address.space != Address::Space::kConstant) continue;
      std::shared_ptr<const Buffer>& buffer = constants_[address.constant];
      if (buffer != nullptr) continue;
      DOVETAIL_ASSIGN_OR_RETURN(
          buffer, constants.Get(address.constant, bytes.at(address.constant)));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Kernel> GpuPlan::NewKernel(size_t step) const {
  const BuiltKernel& kernel = kernels_.at(step);
  return kernel.program->NewKernel(kernel.index);
}

absl::StatusOr<std::unique_ptr<StaticPlan::Instance>> GpuPlan::NewInstance()
    const {
  return GpuPlanInstance::Create(shared_from_this());
}

std::optional<ExecutionInfo> GpuPlan::Describe(const Node& node) const {
  return DescribeInPlan(*plan_, node);
}

}  // namespace dovetail::gpu
