#include "dovetail/backends/common/scheduling/multi_context.h"

#include <atomic>
#include <memory>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "dovetail/core/base/log.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail::multi {
namespace {

absl::Status Cancelled() {
  return absl::CancelledError("the inference was cancelled");
}

// Another one for each set of tensors that any context has had.
uint64_t NewNumber() {
  static std::atomic<uint64_t> last = 0;
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

bool AnyDynamic(absl::Span<const PortInfo> ports) {
  return absl::c_any_of(
      ports, [](const PortInfo& port) { return !port.shape.is_static(); });
}

}  // namespace

MultiContext::MultiContext(const MultiExecutable& executable)
    : ExecutionContext(executable),
      executable_(executable),
      allocator_(CurrentAllocator()),
      is_timed_(executable.config().GetBool(properties::kPerfCount)),
      has_dynamic_outputs_(AnyDynamic(executable.outputs())),
      stages_({{"execute", nullptr,
                [this](StageDone done) { Run(std::move(done)); }}}),
      tensors_(NewNumber()) {}

void MultiContext::StayOn(int device, DeviceRun run) {
  only_device = device;
  own_ = std::move(run);
}

absl::Status MultiContext::SetInput(int i, const Tensor& tensor) {
  tensors_ = NewNumber();
  return ExecutionContext::SetInput(i, tensor);
}

absl::Status MultiContext::SetOutput(int i, const Tensor& tensor) {
  tensors_ = NewNumber();
  return ExecutionContext::SetOutput(i, tensor);
}

// ---- To a device ----

void MultiContext::Begin(bool synchronous) {
  std::lock_guard<std::mutex> lock(mutex_);
  synchronous_ = synchronous;
  is_withdrawn = false;
}

void MultiContext::Run(StageDone done) {
  done_ = std::move(done);
  records_.clear();
  caller_ = std::this_thread::get_id();
  start_.Begin();
  executable_.slots().Acquire(this);
  start_.End();
}

void MultiContext::TakeNone() {
  Finish(is_withdrawn ? Cancelled() : Unavailable("no device is left"));
}

void MultiContext::Take(DeviceSlot slot) {
  if (executable_.slots().is_timed()) start_ns_ = SteadyNanoseconds();
  bool is_over = true;
  const auto run = RunOf(slot);
  slot_ = slot;
  absl::Status status = run.ok() ? StartOn(**run, is_over) : run.status();
  if (is_over) Ended(std::move(status));
}

// Most often the slot is the one that it was the last time.
absl::StatusOr<DeviceRun*> MultiContext::RunOf(DeviceSlot slot) {
  if (own_.has_value()) return &*own_;
  if (run_ == nullptr || slot != slot_) {
    run_ = nullptr;
    DOVETAIL_ASSIGN_OR_RETURN(run_, executable_.RunAt(slot));
  }
  return run_;
}

// Where the user's own thread has got the slot at once, all stages run in it.
// `is_over`: whether the answer is the inference's; else Ended gets it.
absl::Status MultiContext::StartOn(DeviceRun& run, bool& is_over) {
  DOVETAIL_RETURN_IF_ERROR(Bind(run));
  const bool here = synchronous_ && caller_ == std::this_thread::get_id();
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (is_withdrawn) return Cancelled();
    run.context->Begin(here);
    run.chain->Begin();
    running_ = &run;
  }
  if (here) return run.chain->RunHere();
  is_over = false;
  run.chain->Start({&MultiContext::OnEnded, this});
  return absl::OkStatus();
}

// The device reads and writes this context's tensors; results whose shape
// nobody knows are its own at first.
absl::Status MultiContext::Bind(DeviceRun& run) {
  if (run.tensors == tensors_) return absl::OkStatus();
  run.tensors = 0;
  ExecutionContext& context = *run.context;
  for (size_t i = 0; i < executable_.inputs().size(); ++i) {
    const int port = static_cast<int>(i);
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor tensor, Input(port));
    DOVETAIL_RETURN_IF_ERROR(context.SetInput(port, tensor));
  }
  for (size_t i = 0; i < executable_.outputs().size(); ++i) {
    const int port = static_cast<int>(i);
    Tensor tensor;
    if (output_tensors().is_set(port) ||
        executable_.outputs()[i].shape.is_static()) {
      DOVETAIL_ASSIGN_OR_RETURN(tensor, Output(port));
    }
    DOVETAIL_RETURN_IF_ERROR(context.SetOutput(port, tensor));
  }
  run.tensors = tensors_;
  return absl::OkStatus();
}

// A stage of the device that is still in a queue may have to wait for the
// thread that cancels, so it is given up. An end that comes meanwhile is left
// to this thread: the run is another inference's as soon as it is given away.
void MultiContext::Cancel() {
  DeviceRun* run = nullptr;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    is_withdrawn = true;
    run = running_;
    if (run != nullptr) {
      ++cancelling_;
      run->context->Cancel();
      run->chain->Cancel();
    }
  }
  if (run == nullptr) {
    if (executable_.slots().Withdraw(this)) Finish(Cancelled());
    return;
  }
  run->chain->GiveUp();
  std::optional<absl::Status> ended;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (--cancelling_ == 0) ended.swap(ended_);
  }
  if (ended.has_value()) Ended(*std::move(ended));
}

// ---- And back ----

void MultiContext::End(const absl::Status& status) {
  if (!own_has_run_) return;
  own_has_run_ = false;
  own_->context->End(status);
}

void MultiContext::OnEnded(void* self, absl::Status status) {
  static_cast<MultiContext*>(self)->Ended(std::move(status));
}

// Results that are in the device's memory are copied from there, as its next
// inference is somebody else's. The thread is the device's, which knows nothing
// of the application's allocator.
absl::Status MultiContext::TakeOver(ExecutionContext& context) {
  if (!has_dynamic_outputs_) return absl::OkStatus();
  const AllocatorScope memory(allocator_);
  for (size_t i = 0; i < executable_.outputs().size(); ++i) {
    const int port = static_cast<int>(i);
    if (output_tensors().is_set(port) ||
        executable_.outputs()[i].shape.is_static()) {
      continue;
    }
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor result, context.Output(port));
    DOVETAIL_ASSIGN_OR_RETURN(
        const Tensor own,
        output_tensors().Destination(port, result.type(), result.shape()));
    DOVETAIL_RETURN_IF_ERROR(own.CopyFrom(result));
  }
  return absl::OkStatus();
}

void MultiContext::Ended(absl::Status status) {
  DeviceRun* run = nullptr;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (cancelling_ > 0) {
      ended_ = std::move(status);
      return;
    }
    run = std::exchange(running_, nullptr);
  }
  if (run != nullptr) {
    if (status.ok()) status = TakeOver(*run->context);
    if (status.ok() && is_timed_) {
      records_ = run->context->profiling();
      const std::string device = executable_.DeviceName(slot_.device);
      for (ProfilingRecord& record : run->chain->profiling()) {
        records_.push_back(std::move(record));
      }
      for (ProfilingRecord& record : records_) {
        if (record.device.empty()) record.device = device;
      }
    }
    // What keeps variables ends with the inference, which may yet be cancelled.
    if (!own_.has_value()) run->context->End(status);
    own_has_run_ = own_.has_value();
  }
  if (TryNext(status)) return;
  GiveBack();
  Finish(std::move(status));
}

void MultiContext::GiveBack() {
  DeviceSlots& slots = executable_.slots();
  slots.Release(slot_, slots.is_timed() ? SteadyNanoseconds() - start_ns_ : 0);
}

// Whether the inference runs again, on a device that is not lost.
bool MultiContext::TryNext(const absl::Status& status) {
  if (!executable_.options().falls_back || own_.has_value() ||
      !absl::IsUnavailable(status)) {
    return false;
  }
  DOVETAIL_LOG(
      kWarning, "device ", executable_.DeviceName(slot_.device),
      " is lost, the inference runs again on the next one: ", status.message());
  const std::shared_ptr<DeviceSlots> slots = executable_.shared_slots();
  slots->Expect(1);  // who waits goes on waiting until OnLost has been asked
  slots->Remove(slot_.device);
  executable_.OnLost();
  slots->Expect(-1);
  GiveBack();
  if (!slots->is_served()) {
    Finish(status);
    return true;
  }
  slots->Acquire(this);
  return true;
}

// The context may be gone afterwards.
void MultiContext::Finish(absl::Status status) {
  start_.AwaitEnd();
  const StageDone done = std::move(done_);
  done(std::move(status));
}

// ---- Variables ----

std::vector<Variable> MultiContext::variables() const {
  if (!own_.has_value()) return {};
  return own_->context->variables();
}

absl::Status MultiContext::SetVariable(absl::string_view id,
                                       const Tensor& value) {
  if (!own_.has_value()) return ExecutionContext::SetVariable(id, value);
  return own_->context->SetVariable(id, value);
}

}  // namespace dovetail::multi
