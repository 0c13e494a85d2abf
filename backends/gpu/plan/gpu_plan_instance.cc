#include "dovetail/backends/gpu/plan/gpu_plan_instance.h"

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "dovetail/backends/common/plan/step_clock.h"
#include "dovetail/backends/gpu/plan/queue_of.h"
#include "dovetail/backends/gpu/program/kernel_arguments.h"
#include "dovetail/backends/gpu/program/kernel_source.h"
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

// From argument `next` on, as kernel_source.h says.
absl::Status SetNumbers(const LaunchStep& launch, const Kernel& kernel,
                        int next) {
  std::array<int32_t, kNumbersTogether> together = {};
  const size_t count = launch.scalars.size();
  for (size_t i = 0; i < count; ++i) {
    const auto set = [&](const auto& value) -> absl::Status {
      together[i % kNumbersTogether] = std::bit_cast<int32_t>(value);
      if ((i + 1) % kNumbersTogether != 0 && i + 1 < count) {
        return absl::OkStatus();
      }
      const auto vector = std::exchange(together, {});
      return SetArgument(kernel, next++, vector.data(), sizeof(vector));
    };
    DOVETAIL_RETURN_IF_ERROR(std::visit(set, launch.scalars[i]));
  }
  return absl::OkStatus();
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
  for (const int64_t bytes : plan_->plan().arena_bytes) {
    DOVETAIL_ASSIGN_OR_RETURN(
        Buffer buffer,
        Buffer::Allocate(plan_->device(), std::max<int64_t>(bytes, 1)));
    arenas_.push_back(std::move(buffer));
  }
  if (const int64_t ints = plan_->joined().state_ints; ints > 0) {
    const std::vector<int32_t> zeros(static_cast<size_t>(ints));
    DOVETAIL_ASSIGN_OR_RETURN(
        joined_state_, Buffer::WithData(plan_->device(), zeros.data(),
                                        ints * int64_t{sizeof(int32_t)}));
  }
  DOVETAIL_RETURN_IF_ERROR(faults_.Allocate(plan_->device(), plan_->plan()));
  DOVETAIL_RETURN_IF_ERROR(AddPorts(plan_->plan().inputs, inputs_));
  return AddPorts(plan_->plan().outputs, outputs_);
}

absl::Status GpuPlanInstance::AddPorts(const std::vector<PlanPort>& from,
                                       std::vector<Port>& ports) {
  for (const PlanPort& planned : from) {
    Port port;
    DOVETAIL_ASSIGN_OR_RETURN(port.bytes, BytesOf(planned));
    DOVETAIL_RETURN_IF_ERROR(Bind(port, nullptr));
    ports.push_back(std::move(port));
  }
  return absl::OkStatus();
}

absl::Status GpuPlanInstance::PrepareSteps() {
  const std::vector<PlannedStep>& steps = plan_->plan().steps;
  for (size_t i = 0; i < steps.size(); ++i) {
    states_.emplace_back();
    const LaunchGroup* const group = plan_->joined().GroupOf(i);
    if (group != nullptr) {
      if (group->first != i) continue;
      DOVETAIL_ASSIGN_OR_RETURN(states_[i].kernel, plan_->NewKernel(i));
      DOVETAIL_RETURN_IF_ERROR(SetGroupArguments(*group));
    } else if (const LaunchStep* launch = AsLaunch(steps[i])) {
      DOVETAIL_ASSIGN_OR_RETURN(states_[i].kernel, plan_->NewKernel(i));
      DOVETAIL_RETURN_IF_ERROR(Annotate(launch->source.is_alone()
                                            ? SetUserArguments(i, *launch)
                                            : SetArguments(i, *launch),
                                        steps[i].name));
    } else {
      states_[i].host = AsHost(steps[i])->node->NewState();
    }
  }
  return absl::OkStatus();
}

GpuPlanInstance::Port* GpuPlanInstance::PortOf(const Address& address) {
  if (address.space == Address::Space::kInput) return &inputs_[address.index];
  if (address.space == Address::Space::kOutput) return &outputs_[address.index];
  return nullptr;
}

absl::Status GpuPlanInstance::Bind(Port& port,
                                   std::shared_ptr<const Buffer> buffer) {
  const bool is_own = buffer == nullptr;
  if (is_own ? port.is_own && port.buffer != nullptr : buffer == port.buffer) {
    return absl::OkStatus();
  }
  if (is_own) {
    DOVETAIL_ASSIGN_OR_RETURN(
        Buffer own,
        Buffer::Allocate(plan_->device(), std::max<int64_t>(port.bytes, 1)));
    buffer = std::make_shared<const Buffer>(std::move(own));
  }
  for (const Port::Argument& argument : port.arguments) {
    DOVETAIL_RETURN_IF_ERROR(
        SetArgument(states_[argument.step].kernel, argument.index, *buffer));
  }
  port.buffer = std::move(buffer);
  port.is_own = is_own;
  return absl::OkStatus();
}

absl::Status GpuPlanInstance::BindInput(int i,
                                        std::shared_ptr<const Buffer> buffer) {
  return Bind(inputs_[i], std::move(buffer));
}

absl::Status GpuPlanInstance::BindOutput(int i,
                                         std::shared_ptr<const Buffer> buffer) {
  return Bind(outputs_[i], std::move(buffer));
}

const Buffer& GpuPlanInstance::BufferOf(const Address& address) const {
  switch (address.space) {
    case Address::Space::kInput:
      return *inputs_[address.index].buffer;
    case Address::Space::kOutput:
      return *outputs_[address.index].buffer;
    case Address::Space::kConstant:
      return plan_->constant(address.constant);
    case Address::Space::kNowhere:
      return faults_.buffer();
    default:
      return arenas_[address.index];
  }
}

absl::Status GpuPlanInstance::SetArguments(size_t index,
                                           const LaunchStep& launch) {
  const PlannedStep& step = plan_->plan().steps[index];
  const Kernel& kernel = states_[index].kernel;
  int next = 0;
  size_t operand = 0;
  const auto set_buffer = [&](const Address& address) -> absl::Status {
    if (address.space == Address::Space::kNowhere) {
      if (operand < launch.element_bytes.size()) ++operand;
      return absl::OkStatus();
    }
    const auto at =
        static_cast<int32_t>(address.offset / launch.element_bytes[operand++]);
    if (Port* const port = PortOf(address)) {
      port->arguments.push_back({index, next});
    }
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
  if (launch.source.reports_faults) {
    DOVETAIL_RETURN_IF_ERROR(SetArgument(kernel, next++, faults_.buffer()));
    DOVETAIL_RETURN_IF_ERROR(
        SetArgument(kernel, next++, Faults::OffsetOf(index)));
  }
  return SetNumbers(launch, kernel, next);
}

absl::Status GpuPlanInstance::SetGroupArguments(const LaunchGroup& group) {
  const Kernel& kernel = states_[group.first].kernel;
  int next = 0;
  for (const Address& address : group.buffers) {
    if (Port* const port = PortOf(address)) {
      port->arguments.push_back({group.first, next});
    }
    DOVETAIL_RETURN_IF_ERROR(SetArgument(kernel, next++, BufferOf(address)));
  }
  DOVETAIL_RETURN_IF_ERROR(SetArgument(kernel, next++, plan_->joined_table()));
  DOVETAIL_RETURN_IF_ERROR(SetArgument(kernel, next++, joined_state_));
  return SetArgument(kernel, next, &group.numbers, sizeof(group.numbers));
}

absl::Status GpuPlanInstance::SetUserArguments(size_t index,
                                               const LaunchStep& launch) {
  const PlannedStep& step = plan_->plan().steps[index];
  const Kernel& kernel = states_[index].kernel;
  const auto given = static_cast<int>(launch.user_arguments.size());
  DOVETAIL_ASSIGN_OR_RETURN(const int count, ArgumentCount(kernel));
  if (count != given) {
    return InvalidArgument(launch.source.origin, ": kernel '",
                           launch.source.entry, "' takes ", count,
                           " arguments, <Buffers> has ", given);
  }
  for (int i = 0; i < given; ++i) {
    const UserArgument& argument = launch.user_arguments[i];
    absl::Status status;
    if (const auto* buffer = std::get_if<BufferArgument>(&argument)) {
      const size_t operand = static_cast<size_t>(buffer->operand);
      const bool is_input = operand < step.inputs.size();
      status = SetBuffer(index, i,
                         is_input ? step.inputs[operand]
                                  : step.outputs[operand - step.inputs.size()],
                         *buffer);
    } else if (const auto* local = std::get_if<LocalArgument>(&argument)) {
      status = SetLocalArgument(kernel, i, local->bytes);
    } else {
      const std::string& bytes = std::get<NumberArgument>(argument).bytes;
      status = SetArgument(kernel, i, bytes.data(), bytes.size());
    }
    DOVETAIL_RETURN_IF_ERROR(Annotate(status, launch.source.origin));
  }
  return absl::OkStatus();
}

// A buffer of a port may be any, also part of another, of which there are no
// parts.
absl::Status GpuPlanInstance::SetBuffer(size_t step, int index,
                                        const Address& address,
                                        const BufferArgument& argument) {
  StepState& state = states_[step];
  Port* const port = PortOf(address);
  if (address.offset == 0) {
    if (port != nullptr) port->arguments.push_back({step, index});
    return SetArgument(state.kernel, index, BufferOf(address));
  }
  const std::shared_ptr<ClDevice>& device = plan_->device();
  if (port == nullptr &&
      address.offset % device->traits().base_alignment_bytes == 0) {
    DOVETAIL_ASSIGN_OR_RETURN(
        Buffer part, BufferOf(address).Part(address.offset, argument.bytes));
    state.parts.push_back(std::move(part));
    return SetArgument(state.kernel, index, state.parts.back());
  }
  DOVETAIL_ASSIGN_OR_RETURN(Buffer own,
                            Buffer::Allocate(device, argument.bytes));
  state.copied.push_back({address, argument.is_output, std::move(own)});
  return SetArgument(state.kernel, index, state.copied.back().buffer);
}

absl::Status GpuPlanInstance::CopyOperands(size_t step, bool outputs,
                                           Queue& queue) {
  for (const Copied& copied : states_[step].copied) {
    if (copied.is_output != outputs) continue;
    const Buffer& there = BufferOf(copied.address);
    const int64_t at = copied.address.offset, bytes = copied.buffer.bytes();
    DOVETAIL_RETURN_IF_ERROR(
        outputs ? queue.Copy(copied.buffer, 0, there, at, bytes)
                : queue.Copy(there, at, copied.buffer, 0, bytes));
  }
  return absl::OkStatus();
}

// Kernels that read indices find none that is out of range, as all are 0.
absl::Status GpuPlanInstance::LaunchSinglesOnce() {
  DOVETAIL_ASSIGN_OR_RETURN(const std::unique_ptr<Queue> queue,
                            Queue::Create(plan_->device()));
  const auto clear = [&](const Buffer& buffer) {
    return queue->Fill(buffer, 0, buffer.bytes(), std::string(1, '\0'));
  };
  for (const Buffer& arena : arenas_) DOVETAIL_RETURN_IF_ERROR(clear(arena));
  for (const auto* ports : {&inputs_, &outputs_}) {
    for (const Port& port : *ports) {
      DOVETAIL_RETURN_IF_ERROR(clear(*port.buffer));
    }
  }
  for (const StepState& state : states_) {
    for (const Copied& copied : state.copied) {
      DOVETAIL_RETURN_IF_ERROR(clear(copied.buffer));
    }
  }
  const std::vector<PlannedStep>& steps = plan_->plan().steps;
  std::set<std::string> launched;
  for (size_t i = 0; i < steps.size(); ++i) {
    const LaunchStep* const launch = AsLaunch(steps[i]);
    if (launch == nullptr || plan_->joined().GroupOf(i) != nullptr) continue;
    const KernelSource& source = launch->source;
    if (!source.is_alone() && !launched.insert(source.text).second) continue;
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
    status = queue->Read(output(i), 0, outputs[i].mutable_raw_data(),
                         outputs[i].byte_size(), Queue::Wait::kNo);
  }
  if (status.ok()) status = faults_.Read(*queue);
  // Also after an error: until then the device uses the caller's memory.
  const absl::Status finished = queue->Finish();
  DOVETAIL_RETURN_IF_ERROR(status);
  DOVETAIL_RETURN_IF_ERROR(finished);
  DOVETAIL_RETURN_IF_ERROR(CheckFaults(*queue));
  if (environment.clock() == nullptr) return absl::OkStatus();
  environment.clock()->Skip();
  return NoteTimes(*environment.clock());
}

absl::Status GpuPlanInstance::RunSteps(absl::Span<const Tensor> inputs,
                                       Queue& queue,
                                       RunEnvironment& environment) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].byte_size() == 0) continue;
    DOVETAIL_RETURN_IF_ERROR(queue.Write(input(i), 0, inputs[i].raw_data(),
                                         inputs[i].byte_size(),
                                         Queue::Wait::kNo));
  }
  const auto& cancelled = environment.reference().check_cancelled;
  const std::vector<PlannedStep>& steps = plan_->plan().steps;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (cancelled != nullptr) DOVETAIL_RETURN_IF_ERROR(cancelled());
    if (const LaunchStep* launch = AsLaunch(steps[i])) {
      DOVETAIL_RETURN_IF_ERROR(Launch(i, *launch, queue));
    } else {
      DOVETAIL_RETURN_IF_ERROR(RunOnHost(
          steps[i], *AsHost(steps[i]), states_[i], inputs, queue, environment));
    }
  }
  return absl::OkStatus();
}

absl::Status GpuPlanInstance::Launch(size_t step, const LaunchStep& launch,
                                     Queue& queue) {
  if (const LaunchGroup* const group = plan_->joined().GroupOf(step)) {
    if (group->first != step) return absl::OkStatus();
    return Annotate(queue.Launch(states_[step].kernel, plan_->joined().range),
                    plan_->plan().steps[step].name);
  }
  if (launch.range.global[0] == 0) return absl::OkStatus();  // no elements
  StepState& state = states_[step];
  DOVETAIL_RETURN_IF_ERROR(CopyOperands(step, /*outputs=*/false, queue));
  DOVETAIL_RETURN_IF_ERROR(
      Annotate(queue.Launch(state.kernel, launch.range,
                            queue.profiling() ? &state.event : nullptr),
               plan_->plan().steps[step].name));
  return CopyOperands(step, /*outputs=*/true, queue);
}

absl::Status GpuPlanInstance::Enqueue(
    Queue& queue, absl::FunctionRef<absl::Status()> check_cancelled) {
  const std::vector<PlannedStep>& steps = plan_->plan().steps;
  for (size_t i = 0; i < steps.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(check_cancelled());
    DOVETAIL_RETURN_IF_ERROR(Launch(i, *AsLaunch(steps[i]), queue));
  }
  return faults_.Read(queue);
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
  if (environment.clock() != nullptr) environment.clock()->Skip();
  return TimedStep(step, environment.clock(), [&] {
    return host.node->Run(in, out, *state.host, environment);
  });
}

// ---- Times ----

// The device's clock is not the host's, so the last launch ends now.
absl::StatusOr<std::vector<GpuPlanInstance::LaunchTimes>>
GpuPlanInstance::TimesOfLaunches() const {
  const int64_t now_ns = SteadyNanoseconds();
  std::vector<LaunchTimes> launches;
  for (size_t i = 0; i < states_.size(); ++i) {
    if (states_[i].event.get() == nullptr) continue;
    DOVETAIL_ASSIGN_OR_RETURN(const EventTimes times,
                              TimesOf(states_[i].event));
    launches.push_back({&plan_->plan().steps[i], times});
  }
  if (launches.empty()) return launches;
  const int64_t shift_ns = now_ns - launches.back().times.end;
  for (LaunchTimes& launch : launches) {
    launch.start_ns = launch.times.start + shift_ns;
  }
  return launches;
}

absl::Status GpuPlanInstance::NoteTimes(StepClock& clock) const {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<LaunchTimes> launches,
                            TimesOfLaunches());
  for (const LaunchTimes& launch : launches) {
    clock.Add(*launch.step, launch.start_ns,
              launch.times.end - launch.times.start);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<ProfilingRecord>> GpuPlanInstance::Records(
    absl::string_view lane) const {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<LaunchTimes> launches,
                            TimesOfLaunches());
  std::vector<ProfilingRecord> records;
  for (const auto& [step, times, start_ns] : launches) {
    ProfilingRecord record;
    record.name = step->name;
    record.type = step->type;
    record.kernel = step->kernel;
    record.lane = std::string(lane);
    record.status = ProfilingRecord::Status::kExecuted;
    record.start_ns = start_ns;
    record.duration_ns = times.end - times.start;
    record.counters = {{"queued_ns", times.submitted - times.queued},
                       {"submitted_ns", times.start - times.submitted}};
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace dovetail::gpu
