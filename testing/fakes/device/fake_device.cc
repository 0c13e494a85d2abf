#include "dovetail/testing/fakes/device/fake_device.h"

#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/reference/kernel_table.h"

namespace dovetail {

FakeDevice::FakeDevice(absl::string_view name, int64_t memory_bytes,
                       ElementType compute_type)
    : name_(name),
      memory_(std::make_shared<FakeMemory>(memory_bytes)),
      processor_(memory_, compute_type),
      host_thread_(1, "fake_host") {}

// ---- The driver ----

absl::Status FakeDevice::CheckPresent() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return absent_;
}

absl::StatusOr<FakeBuffer> FakeDevice::Upload(const Tensor& host) {
  DOVETAIL_RETURN_IF_ERROR(CheckPresent());
  DOVETAIL_ASSIGN_OR_RETURN(const FakeMemory::Handle handle,
                            memory_->Upload(host));
  return FakeBuffer(memory_, handle);
}

absl::Status FakeDevice::Download(FakeMemory::Handle handle,
                                  const Tensor& host) {
  DOVETAIL_RETURN_IF_ERROR(CheckPresent());
  return memory_->Download(handle, host);
}

absl::StatusOr<FakeBuffer> FakeDevice::Allocate(ElementType type,
                                                const Shape& shape) {
  DOVETAIL_RETURN_IF_ERROR(CheckPresent());
  DOVETAIL_ASSIGN_OR_RETURN(const FakeMemory::Handle handle,
                            memory_->Allocate(type, shape));
  return FakeBuffer(memory_, handle);
}

absl::Status FakeDevice::Copy(FakeMemory::Handle from, FakeMemory::Handle to) {
  DOVETAIL_RETURN_IF_ERROR(CheckPresent());
  return memory_->Copy(from, to);
}

absl::StatusOr<FakeMemory::BufferInfo> FakeDevice::Describe(
    FakeMemory::Handle handle) {
  DOVETAIL_RETURN_IF_ERROR(CheckPresent());
  return memory_->Describe(handle);
}

void FakeDevice::WaitUntilUnused() const {
  for (int i = 0; i < 10000 && executables_ > 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

absl::Status FakeDevice::CheckSupported(const Node& node) const {
  std::lock_guard<std::mutex> lock(mutex_);
  if (const auto it = refused_.find(std::string(node.op().type));
      it != refused_.end()) {
    return Unimplemented(node.Describe(), ": ", it->second);
  }
  if (FindKernel(node.op()) != nullptr) return absl::OkStatus();
  return Unimplemented(node.Describe(), ": ", name_, " has no kernel for ",
                       node.op().ToString());
}

absl::StatusOr<std::shared_ptr<const LoadedProgram>> FakeDevice::Load(
    std::unique_ptr<Model> model) {
  DOVETAIL_RETURN_IF_ERROR(CheckPresent());
  {
    std::unique_lock<std::mutex> lock(mutex_);
    compile_released_.wait(lock, [this] { return !holds_compile_; });
    DOVETAIL_RETURN_IF_ERROR(compile_failure_);
  }
  auto loaded = std::make_shared<LoadedProgram>();
  DOVETAIL_ASSIGN_OR_RETURN(loaded->program,
                            CompileFakeProgram(std::move(model)));
  for (FakeConstant& constant : loaded->program.constants) {
    DOVETAIL_ASSIGN_OR_RETURN(FakeBuffer buffer, Upload(constant.value));
    loaded->constants.push_back(std::move(buffer));
  }
  return std::shared_ptr<const LoadedProgram>(std::move(loaded));
}

absl::StatusOr<Tensor> FakeDevice::ReadVariable(const DeviceSession& session,
                                                absl::string_view id) {
  DOVETAIL_RETURN_IF_ERROR(CheckPresent());
  return DeviceProcessor::ReadVariable(session, id);
}

absl::Status FakeDevice::WriteVariable(DeviceSession& session,
                                       absl::string_view id,
                                       const Tensor& value) {
  DOVETAIL_RETURN_IF_ERROR(CheckPresent());
  return DeviceProcessor::WriteVariable(session, id, value);
}

CommandQueue::Ticket FakeDevice::Submit(
    std::shared_ptr<const LoadedProgram> program, DeviceSession* session,
    std::vector<FakeMemory::Handle> inputs, RunReport* report,
    CommandQueue::Completion completion) {
  auto work = [this, program = std::move(program), session,
               inputs = std::move(inputs),
               report](const std::atomic<bool>& aborted) {
    const int64_t launch = ++launches_;
    if (launch == lost_at_) Lose(absl::StrCat("launch ", launch));
    std::this_thread::sleep_for(price_.load());
    bool first = true;
    const auto check = [&](const Node& node) {
      if (aborted) return absl::CancelledError("stopped by the host");
      return CheckRun(node, std::exchange(first, false));
    };
    const auto spoil = [this](const Node& node, Tensor& output) {
      SpoilOutput(node, output);
    };
    return processor_.Run(*program, *session, inputs, check, spoil, *report);
  };
  return queue_.Submit(std::move(work), std::move(completion));
}

absl::Status FakeDevice::CheckRun(const Node& node, bool first) const {
  std::lock_guard<std::mutex> lock(mutex_);
  DOVETAIL_RETURN_IF_ERROR(absent_);
  const bool here =
      failing_layer_.empty() ? first : node.name() == failing_layer_;
  return here ? Annotate(run_failure_, node.Describe()) : absl::OkStatus();
}

// Kernels of views give their input's memory, which must stay as it is.
void FakeDevice::SpoilOutput(const Node& node, Tensor& output) const {
  std::lock_guard<std::mutex> lock(mutex_);
  if (spoil_ == nullptr || node.name() != spoilt_layer_) return;
  absl::StatusOr<Tensor> copy = output.Clone();
  if (!copy.ok()) return;
  spoil_(*copy);
  output = *std::move(copy);
}

// ---- Faults ----

void FakeDevice::SetNoDriver(absl::string_view reason) {
  std::lock_guard<std::mutex> lock(mutex_);
  absent_ = reason.empty()
                ? absl::OkStatus()
                : Unavailable("device ", name_, " has no driver: ", reason);
}

void FakeDevice::RefuseOp(absl::string_view type, absl::string_view reason) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (reason.empty()) {
    refused_.erase(std::string(type));
  } else {
    refused_[std::string(type)] = std::string(reason);
  }
}

void FakeDevice::FailCompile(const absl::Status& status) {
  std::lock_guard<std::mutex> lock(mutex_);
  compile_failure_ = status;
}

void FakeDevice::HoldCompile() {
  std::lock_guard<std::mutex> lock(mutex_);
  holds_compile_ = true;
}

void FakeDevice::ReleaseCompile() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    holds_compile_ = false;
  }
  compile_released_.notify_all();
}

void FakeDevice::FailRun(const absl::Status& status, absl::string_view layer) {
  std::lock_guard<std::mutex> lock(mutex_);
  run_failure_ = status;
  failing_layer_ = std::string(layer);
}

void FakeDevice::SpoilRun(absl::string_view layer,
                          std::function<void(Tensor&)> spoil) {
  std::lock_guard<std::mutex> lock(mutex_);
  spoilt_layer_ = std::string(layer);
  spoil_ = std::move(spoil);
}

void FakeDevice::Lose(absl::string_view reason) {
  const absl::Status lost =
      Unavailable("device ", name_, " was lost: ", reason);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    absent_ = lost;
  }
  queue_.Fail(lost);
}

}  // namespace dovetail
