#include "dovetail/backends/gpu/plan/gpu_plan_instance.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "dovetail/backends/common/plan/step_clock.h"
#include "dovetail/backends/gpu/plan/queue_of.h"
#include "dovetail/backends/gpu/program/kernel_arguments.h"
#include "dovetail/backends/gpu/queue/event_times.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

char* At(void* base, int64_t offset) {
  return static_cast<char*>(base) + offset;
}

// Bytes of a port's tensor.
absl::StatusOr<int64_t> BytesOf(const PlanPort& port) {
  return ByteSize(port.type, port.shape.Count());
}

}  // namespace

// ---- What is prepared ----

absl::StatusOr<std::unique_ptr<GpuPlanInstance>> GpuPlanInstance::Create(
    std::shared_ptr<const GpuPlan> plan) {
  std::unique_ptr<GpuPlanInstance> instance(
      new GpuPlanInstance(std::move(plan)));
  DOVETAIL_RETURN_IF_ERROR(instance->Allocate());
  DOVETAIL_RETURN_IF_ERROR(instance->PrepareSteps());
  return instance;
}

absl::Status GpuPlanInstance::Allocate() {
  const auto add = [this](std::vector<Buffer>& to, int64_t bytes) {
    auto buffer =
        Buffer::Allocate(plan_->device(), std::max<int64_t>(bytes, 1));
    if (buffer.ok()) to.push_back(*std::move(buffer));
    return buffer.status();
  };
  for (const int64_t bytes : plan_->plan().arena_bytes) {
    DOVETAIL_RETURN_IF_ERROR(add(arenas_, bytes));
  }
  for (const PlanPort& port : plan_->plan().inputs) {
    DOVETAIL_ASSIGN_OR_RETURN(const int64_t bytes, BytesOf(port));
    DOVETAIL_RETURN_IF_ERROR(add(inputs_, bytes));
  }
  for (const PlanPort& port : plan_->plan().outputs) {
    DOVETAIL_ASSIGN_OR_RETURN(const int64_t bytes, BytesOf(port));
    DOVETAIL_RETURN_IF_ERROR(add(outputs_, bytes));
  }
  return absl::OkStatus();
}

absl::Status GpuPlanInstance::PrepareSteps() {
  int launches = 0;
  for (const PlannedStep& step : plan_->plan().steps) {
    StepState state;
    if (const LaunchStep* launch = AsLaunch(step)) {
      DOVETAIL_ASSIGN_OR_RETURN(state.kernel, plan_->NewKernel(launches++));
      DOVETAIL_RETURN_IF_ERROR(
          Annotate(SetArguments(step, *launch, state.kernel), step.name));
    } else {
      state.host = AsHost(step)->node->NewState();
    }
    states_.push_back(std::move(state));
  }
  return absl::OkStatus();
}

const Buffer& GpuPlanInstance::BufferOf(const Address& address) const {
  switch (address.space) {
    case Address::Space::kInput:
      return inputs_[address.index];
    case Address::Space::kOutput:
      return outputs_[address.index];
    case Address::Space::kConstant:
      return plan_->constant(address.constant);
    default:
      return arenas_[address.index];
  }
}

absl::Status GpuPlanInstance::SetArguments(const PlannedStep& step,
                                           const LaunchStep& launch,
                                           const Kernel& kernel) {
  int next = 0;
  size_t operand = 0;
  const auto set_buffer = [&](const Address& address) -> absl::Status {
    if (address.space == Address::Space::kNowhere) {
      if (operand < launch.element_bytes.size()) ++operand;
      return absl::OkStatus();
    }
    const auto at =
        static_cast<int32_t>(address.offset / launch.element_bytes[operand++]);
    DOVETAIL_RETURN_IF_ERROR(SetArgument(kernel, next++, BufferOf(address)));
    return SetArgument(kernel, next++, at);
  };
  for (const Address& address : step.inputs) {
    DOVETAIL_RETURN_IF_ERROR(set_buffer(address));
  }
  for (const Address& address : step.outputs) {
    DOVETAIL_RETURN_IF_ERROR(set_buffer(address));
  }
  DOVETAIL_RETURN_IF_ERROR(set_buffer(step.scratch));
  for (const ScalarArgument& scalar : launch.scalars) {
    DOVETAIL_RETURN_IF_ERROR(std::visit(
        [&](const auto& value) { return SetArgument(kernel, next++, value); },
        scalar));
  }
  return absl::OkStatus();
}

// Kernels that read indices find none that is out of range, as all are 0.
absl::Status GpuPlanInstance::LaunchEachKernelOnce() {
  DOVETAIL_ASSIGN_OR_RETURN(const std::unique_ptr<Queue> queue,
                            Queue::Create(plan_->device()));
  for (const auto* buffers : {&arenas_, &inputs_, &outputs_}) {
    for (const Buffer& buffer : *buffers) {
      DOVETAIL_RETURN_IF_ERROR(
          queue->Fill(buffer, 0, buffer.bytes(), std::string(1, '\0')));
    }
  }
  const std::vector<PlannedStep>& steps = plan_->plan().steps;
  std::set<std::string> launched;
  for (size_t i = 0; i < steps.size(); ++i) {
    const LaunchStep* const launch = AsLaunch(steps[i]);
    if (launch == nullptr || !launched.insert(launch->source.text).second) {
      continue;
    }
    DOVETAIL_RETURN_IF_ERROR(Annotate(
        queue->Launch(states_[i].kernel, launch->range), steps[i].name));
  }
  return queue->Finish();
}

// ---- A run ----

absl::Status GpuPlanInstance::Run(absl::Span<const Tensor> inputs,
                                  absl::Span<const Tensor> outputs,
                                  RunEnvironment& environment) {
  DOVETAIL_ASSIGN_OR_RETURN(Queue* const queue,
                            QueueOf(environment, plan_->device()));
  absl::Status status = RunSteps(inputs, *queue, environment);
  for (size_t i = 0; status.ok() && i < outputs.size(); ++i) {
    if (outputs[i].byte_size() == 0) continue;
    status = queue->Read(outputs_[i], 0, outputs[i].mutable_raw_data(),
                         outputs[i].byte_size(), Queue::Wait::kNo);
  }
  // Also after an error: until then the device uses the caller's memory.
  const absl::Status finished = queue->Finish();
  DOVETAIL_RETURN_IF_ERROR(status);
  DOVETAIL_RETURN_IF_ERROR(finished);
  if (environment.clock() == nullptr) return absl::OkStatus();
  return NoteTimes(*environment.clock());
}

absl::Status GpuPlanInstance::RunSteps(absl::Span<const Tensor> inputs,
                                       Queue& queue,
                                       RunEnvironment& environment) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].byte_size() == 0) continue;
    DOVETAIL_RETURN_IF_ERROR(queue.Write(inputs_[i], 0, inputs[i].raw_data(),
                                         inputs[i].byte_size(),
                                         Queue::Wait::kNo));
  }
  const auto& cancelled = environment.reference().check_cancelled;
  const bool timed = environment.clock() != nullptr;
  const std::vector<PlannedStep>& steps = plan_->plan().steps;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (cancelled != nullptr) DOVETAIL_RETURN_IF_ERROR(cancelled());
    StepState& state = states_[i];
    if (const LaunchStep* launch = AsLaunch(steps[i])) {
      if (launch->range.global[0] == 0) continue;  // a copy of no elements
      DOVETAIL_RETURN_IF_ERROR(
          Annotate(queue.Launch(state.kernel, launch->range,
                                timed ? &state.event : nullptr),
                   steps[i].name));
    } else {
      DOVETAIL_RETURN_IF_ERROR(RunOnHost(steps[i], *AsHost(steps[i]), state,
                                         inputs, queue, environment));
    }
  }
  return absl::OkStatus();
}

// Memory of the device where the host sees it, for as long as a node runs.
struct GpuPlanInstance::Mapped {
  ~Mapped() {
    for (const auto& [buffer, pointer] : mapped) {
      queue.Unmap(*buffer, pointer).IgnoreError();
    }
  }
  absl::StatusOr<void*> Map(const Buffer& buffer, int64_t offset, int64_t bytes,
                            bool is_read) {
    DOVETAIL_ASSIGN_OR_RETURN(
        void* const pointer,
        queue.Map(buffer, offset, bytes,
                  is_read ? Queue::Access::kRead : Queue::Access::kOverwrite));
    mapped.emplace_back(&buffer, pointer);
    return pointer;
  }

  Queue& queue;
  std::vector<std::pair<const Buffer*, void*>> mapped;
};

absl::Status GpuPlanInstance::RunOnHost(const PlannedStep& step,
                                        const HostStep& host, StepState& state,
                                        absl::Span<const Tensor> inputs,
                                        Queue& queue,
                                        RunEnvironment& environment) {
  Mapped mapped{queue, {}};
  size_t operand = 0;
  const auto resolve = [&](const Address& address,
                           bool is_read) -> absl::StatusOr<void*> {
    const int64_t bytes = host.bytes[operand++];
    switch (address.space) {
      case Address::Space::kNowhere:
        return nullptr;
      case Address::Space::kConstant:
        return At(const_cast<void*>(address.constant), address.offset);
      case Address::Space::kInput:
        return At(const_cast<void*>(inputs[address.index].raw_data()),
                  address.offset);
      default:
        return mapped.Map(BufferOf(address), address.offset, bytes, is_read);
    }
  };
  std::vector<void*> in, out;
  for (const Address& address : step.inputs) {
    DOVETAIL_ASSIGN_OR_RETURN(void* const pointer, resolve(address, true));
    in.push_back(pointer);
  }
  for (const Address& address : step.outputs) {
    DOVETAIL_ASSIGN_OR_RETURN(void* const pointer, resolve(address, false));
    out.push_back(pointer);
  }
  return TimedStep(step, environment.clock(), [&] {
    return host.node->Run(in, out, *state.host, environment);
  });
}

// The device's clock is not the host's, so steps are laid one behind the other
// up to now.
absl::Status GpuPlanInstance::NoteTimes(StepClock& clock) {
  const std::vector<PlannedStep>& steps = plan_->plan().steps;
  int64_t end_ns = 0;
  for (size_t i = steps.size(); i-- > 0 && end_ns == 0;) {
    if (states_[i].event.get() == nullptr) continue;
    DOVETAIL_ASSIGN_OR_RETURN(const EventTimes times,
                              TimesOf(states_[i].event));
    end_ns = times.end;
  }
  const int64_t shift_ns = SteadyNanoseconds() - end_ns;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (states_[i].event.get() == nullptr) continue;
    DOVETAIL_ASSIGN_OR_RETURN(const EventTimes times,
                              TimesOf(states_[i].event));
    clock.Add(steps[i], times.start + shift_ns, times.end - times.start);
  }
  return absl::OkStatus();
}

}  // namespace dovetail::gpu
