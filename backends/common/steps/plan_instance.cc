#include "dovetail/backends/common/steps/plan_instance.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/plan/step_clock.h"
#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

void* At(const void* base, int64_t offset) {
  return const_cast<char*>(static_cast<const char*>(base)) + offset;
}

}  // namespace

PlanInstance::PlanInstance(std::shared_ptr<const Plan> plan)
    : plan_(std::move(plan)) {
  size_t operands = 0;
  for (const PlannedStep& step : plan_->steps) {
    states_.push_back(StepOf(step).NewState());
    operands += step.inputs.size() + step.outputs.size() + 1;
  }
  pointers_.resize(operands);
}

absl::StatusOr<std::unique_ptr<PlanInstance>> PlanInstance::Create(
    std::shared_ptr<const Plan> plan) {
  std::unique_ptr<PlanInstance> instance(new PlanInstance(std::move(plan)));
  // Zeroed memory takes no pages where it is never touched.
  DOVETAIL_ASSIGN_OR_RETURN(
      instance->arena_,
      Tensor::Allocate(
          ElementType::kU8,
          {std::max<int64_t>(instance->plan_->arena_bytes[0], 1)}));
  return instance;
}

void PlanInstance::Resolve(absl::Span<const Tensor> inputs,
                           absl::Span<const Tensor> outputs) {
  size_t next = 0;
  const auto resolve = [&](const Address& address) -> void* {
    switch (address.space) {
      case Address::Space::kNowhere:
        return nullptr;
      case Address::Space::kArena:
        return At(arena_.raw_data(), address.offset);
      case Address::Space::kInput:
        return At(inputs[address.index].raw_data(), address.offset);
      case Address::Space::kOutput:
        return At(outputs[address.index].raw_data(), address.offset);
      case Address::Space::kConstant:
        return At(address.constant, address.offset);
    }
    return nullptr;
  };
  for (const PlannedStep& step : plan_->steps) {
    for (const Address& address : step.inputs) {
      pointers_[next++] = resolve(address);
    }
    for (const Address& address : step.outputs) {
      pointers_[next++] = resolve(address);
    }
    pointers_[next++] = resolve(step.scratch);
  }
}

absl::Status PlanInstance::Run(absl::Span<const Tensor> inputs,
                               absl::Span<const Tensor> outputs,
                               RunEnvironment& environment) {
  Resolve(inputs, outputs);
  StepClock* const clock = environment.clock();
  const auto& cancelled = environment.reference().check_cancelled;
  void* const* pointers = pointers_.data();
  for (size_t i = 0; i < plan_->steps.size(); ++i) {
    if (cancelled != nullptr) DOVETAIL_RETURN_IF_ERROR(cancelled());
    const PlannedStep& step = plan_->steps[i];
    const size_t in = step.inputs.size(), out = step.outputs.size();
    StepRun run;
    run.inputs = absl::MakeConstSpan(pointers, in);
    run.outputs = absl::MakeConstSpan(pointers + in, out);
    run.scratch = pointers[in + out];
    run.state = states_[i].get();
    run.environment = &environment;
    pointers += in + out + 1;

    if (clock != nullptr) clock->Start(step);
    const absl::Status status = StepOf(step).Run(run);
    if (clock != nullptr) clock->Stop();
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace dovetail
