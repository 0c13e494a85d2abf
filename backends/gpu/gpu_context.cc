#include "dovetail/backends/gpu/gpu_context.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/host/host_context.h"
#include "dovetail/backends/common/memory_overlap.h"
#include "dovetail/backends/gpu/hand_over.h"
#include "dovetail/backends/gpu/remote/gpu_memory.h"
#include "dovetail/core/base/catch_exceptions.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail::gpu {
namespace {

absl::StatusOr<std::shared_ptr<Queue>> QueueFor(const GpuContextParts& parts) {
  if (parts.shared_queue != nullptr) return parts.shared_queue;
  const Config& config = parts.executable.config();
  return Queue::Create(parts.plan->device(),
                       config.GetBool(properties::kPerfCount));
}

bool IsSameMemory(const Tensor& a, const Tensor& b) {
  return !a.is_on_host() && !b.is_on_host() &&
         a.device_memory()->handle() == b.device_memory()->handle();
}

}  // namespace

absl::StatusOr<std::unique_ptr<ExecutionContext>> GpuContext::Create(
    const GpuContextParts& parts) {
  DOVETAIL_ASSIGN_OR_RETURN(std::shared_ptr<Queue> queue, QueueFor(parts));
  DOVETAIL_ASSIGN_OR_RETURN(std::unique_ptr<GpuPlanInstance> instance,
                            GpuPlanInstance::Create(parts.plan));
  return std::unique_ptr<ExecutionContext>(
      new GpuContext(parts, std::move(queue), std::move(instance)));
}

GpuContext::GpuContext(const GpuContextParts& parts,
                       std::shared_ptr<Queue> queue,
                       std::unique_ptr<GpuPlanInstance> instance)
    : ExecutionContext(parts.executable),
      parts_(parts),
      queue_(std::move(queue)),
      instance_(std::move(instance)),
      loaded_(parts.executable.inputs().size()),
      placed_(parts.executable.outputs().size()),
      is_copy_(parts.executable.inputs().size()),
      stages_({SynchronousStage("input copy", &parts.executor,
                                [this] { return CopyInputs(); }),
               {"execute", nullptr,
                [this](StageDone done) { Execute(std::move(done)); }},
               SynchronousStage("output copy", &parts.executor,
                                [this] { return StoreOutputs(); })}) {
  for (size_t i = 0; i < loaded_.size(); ++i) {
    bound_inputs_.emplace_back(PortBinding::Kind::kInput, static_cast<int>(i),
                               instance_.get(), queue_.get());
  }
  for (size_t i = 0; i < placed_.size(); ++i) {
    bound_outputs_.emplace_back(PortBinding::Kind::kOutput, static_cast<int>(i),
                                instance_.get(), queue_.get());
  }
}

GpuContext::~GpuContext() { ReleaseAll(); }

void GpuContext::ReleaseAll() {
  for (auto* ports : {&bound_inputs_, &bound_outputs_}) {
    for (PortBinding& port : *ports) port.Release().IgnoreError();
  }
}

// ---- Tensors ----

absl::Status GpuContext::SetInput(int i, const Tensor& tensor) {
  // A lost device tells in the next inference.
  bound_inputs_[i].Release().IgnoreError();
  return ExecutionContext::SetInput(i, tensor);
}

absl::Status GpuContext::SetOutput(int i, const Tensor& tensor) {
  bound_outputs_[i].Release().IgnoreError();
  return ExecutionContext::SetOutput(i, tensor);
}

bool GpuContext::Takes(const DeviceMemory& memory) const {
  return GpuMemoryOf(memory, *queue_->device()) != nullptr;
}

// ---- An inference ----

void GpuContext::Begin(bool synchronous) {
  synchronous_ = synchronous;
  cancelled_.store(false);
}

absl::Status GpuContext::CheckCancelled() const {
  if (!cancelled_.load(std::memory_order_relaxed)) return absl::OkStatus();
  return absl::CancelledError("the inference was cancelled");
}

// After an error, too, what was added has to come to its end: until then the
// device uses the tensors.
void GpuContext::End(const absl::Status& status) {
  if (status.ok()) return;
  queue_->Finish().IgnoreError();
  ReleaseAll();
}

absl::Status GpuContext::CopyInputs() {
  records_.clear();
  DOVETAIL_RETURN_IF_ERROR(LoadInputs());
  DOVETAIL_RETURN_IF_ERROR(PlaceOutputs());
  // Kernels may write an output before they have read all inputs.
  const bool in_place = OutputsAreFree();
  for (size_t i = 0; i < placed_.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(bound_outputs_[i].Begin(placed_[i], in_place));
  }
  for (size_t i = 0; i < loaded_.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(
        bound_inputs_[i].Begin(loaded_[i], MayUseInPlace(static_cast<int>(i))));
  }
  return queue_->Flush();
}

absl::Status GpuContext::LoadInputs() {
  for (size_t i = 0; i < loaded_.size(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(loaded_[i],
                              input_tensors().Get(static_cast<int>(i)));
    is_copy_[i] = !loaded_[i].is_contiguous();
    if (!is_copy_[i]) continue;
    DOVETAIL_ASSIGN_OR_RETURN(loaded_[i], loaded_[i].Clone());
  }
  return absl::OkStatus();
}

// A copy has another address each time. Two buffers around one memory are
// nothing that OpenCL defines.
bool GpuContext::MayUseInPlace(int i) const {
  for (int j = 0; j < i; ++j) {
    if (loaded_[i].is_on_host() && loaded_[j].is_on_host() &&
        OutputsShareMemory({&loaded_[j], 1}, {&loaded_[i], 1})) {
      return false;
    }
  }
  return !is_copy_[i];
}

absl::Status GpuContext::PlaceOutputs() {
  const std::vector<PlanPort>& ports = parts_.plan->outputs();
  for (size_t i = 0; i < placed_.size(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(
        placed_[i], output_tensors().Destination(
                        static_cast<int>(i), ports[i].type, ports[i].shape));
  }
  return absl::OkStatus();
}

bool GpuContext::OutputsAreFree() const {
  for (size_t i = 0; i < placed_.size(); ++i) {
    for (const Tensor& input : loaded_) {
      if (IsSameMemory(placed_[i], input)) return false;
    }
    for (size_t j = 0; j < i; ++j) {
      if (IsSameMemory(placed_[i], placed_[j])) return false;
    }
  }
  std::vector<Tensor> inputs, outputs;
  for (const Tensor& tensor : loaded_) {
    if (tensor.is_on_host()) inputs.push_back(tensor);
  }
  for (const Tensor& tensor : placed_) {
    if (tensor.is_on_host()) outputs.push_back(tensor);
  }
  return !OutputsShareMemory(inputs, outputs);
}

absl::Status GpuContext::Enqueue() {
  DOVETAIL_RETURN_IF_ERROR(
      instance_->Enqueue(*queue_, [this] { return CheckCancelled(); }));
  for (PortBinding& port : bound_inputs_) DOVETAIL_RETURN_IF_ERROR(port.End());
  for (PortBinding& port : bound_outputs_) DOVETAIL_RETURN_IF_ERROR(port.End());
  return absl::OkStatus();
}

void GpuContext::Execute(StageDone done) {
  absl::Status status = CatchExceptions([] { return "the inference"; },
                                        [this] { return Enqueue(); });
  if (synchronous_) {
    const absl::Status finished = queue_->Finish();
    done(status.ok() ? finished : std::move(status));
    return;
  }
  if (queue_->device()->traits().computes_in_waiting_threads) {
    HandOver([this, status, done] {
      const absl::Status finished = queue_->Finish();
      done(status.ok() ? finished : status);
    });
    return;
  }
  const auto completed = [this, status, done](absl::Status finished) {
    // In a thread of the driver, which must not run what follows.
    HandOver(
        [status, done, finished] { done(status.ok() ? finished : status); });
  };
  absl::Status refused = queue_->OnComplete(completed);
  if (!refused.ok()) done(status.ok() ? std::move(refused) : std::move(status));
}

absl::Status GpuContext::StoreOutputs() {
  DOVETAIL_RETURN_IF_ERROR(instance_->CheckFaults(*queue_));
  for (size_t i = 0; i < placed_.size(); ++i) {
    const int port = static_cast<int>(i);
    // A tensor on the device that was set is where the result is already.
    if (!placed_[i].is_on_host()) continue;
    DOVETAIL_RETURN_IF_ERROR(output_tensors().Store(port, placed_[i]));
  }
  if (queue_->profiling()) {
    DOVETAIL_ASSIGN_OR_RETURN(
        records_, instance_->Records(absl::StrCat("queue ", parts_.number)));
  }
  return CheckCancelled();
}

std::vector<ProfilingRecord> GpuContext::profiling() const {
  if (!parts_.executable.config().GetBool(properties::kPerfCount)) return {};
  std::vector<ProfilingRecord> records = records_;
  AddOptimizedOut(parts_.optimized_out, records);
  return records;
}

}  // namespace dovetail::gpu
