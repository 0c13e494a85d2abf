#include "dovetail/backends/gpu/plan/port_binding.h"

#include <utility>

#include "dovetail/backends/gpu/remote/gpu_memory.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {

const Buffer& PortBinding::buffer() const {
  return kind_ == Kind::kInput ? instance_.input(i_) : instance_.output(i_);
}

absl::Status PortBinding::Bind(std::shared_ptr<const Buffer> buffer) {
  return kind_ == Kind::kInput ? instance_.BindInput(i_, std::move(buffer))
                               : instance_.BindOutput(i_, std::move(buffer));
}

absl::Status PortBinding::Begin(const Tensor& tensor, bool in_place) {
  const bool is_bound = mode_ == Mode::kWrapped && in_place &&
                        tensor.is_on_host() && tensor.address() == memory_;
  tensor_ = tensor;
  if (!is_bound) DOVETAIL_RETURN_IF_ERROR(BindTensor(in_place));
  DOVETAIL_RETURN_IF_ERROR(Unmap());
  if (kind_ == Kind::kInput && mode_ == Mode::kCopied) return CopyIn();
  return absl::OkStatus();
}

absl::Status PortBinding::BindTensor(bool in_place) {
  if (mode_ == Mode::kWrapped) DOVETAIL_RETURN_IF_ERROR(Unmap());
  mode_ = Mode::kNothing;
  const std::shared_ptr<ClDevice>& device = queue_.device();
  const GpuMemory* const memory =
      tensor_.is_on_host() ? nullptr
                           : GpuMemoryOf(*tensor_.device_memory(), *device);
  if (in_place && memory != nullptr) {
    DOVETAIL_RETURN_IF_ERROR(Bind(memory->buffer()));
    mode_ = Mode::kShared;
    return absl::OkStatus();
  }
  // The driver does not write to an input: no kernel does.
  auto wrapped =
      in_place && tensor_.is_on_host()
          ? Buffer::AroundHost(device, const_cast<void*>(tensor_.address()),
                               tensor_.byte_size())
          : absl::UnimplementedError("");
  if (wrapped.ok()) {
    DOVETAIL_RETURN_IF_ERROR(
        Bind(std::make_shared<const Buffer>(*std::move(wrapped))));
    memory_ = tensor_.address();
    mode_ = Mode::kWrapped;
    return absl::OkStatus();
  }
  DOVETAIL_RETURN_IF_ERROR(Bind(nullptr));
  mode_ = Mode::kCopied;
  return absl::OkStatus();
}

absl::Status PortBinding::CopyIn() {
  if (tensor_.byte_size() == 0) return absl::OkStatus();
  if (tensor_.is_on_host()) {
    return queue_.Write(buffer(), 0, tensor_.raw_data(), tensor_.byte_size(),
                        Queue::Wait::kNo);
  }
  const GpuMemory* const memory =
      GpuMemoryOf(*tensor_.device_memory(), *queue_.device());
  return queue_.Copy(*memory->buffer(), 0, buffer(), 0, tensor_.byte_size());
}

absl::Status PortBinding::CopyOut() {
  if (tensor_.byte_size() == 0) return absl::OkStatus();
  if (tensor_.is_on_host()) {
    return queue_.Read(buffer(), 0, tensor_.mutable_raw_data(),
                       tensor_.byte_size(), Queue::Wait::kNo);
  }
  const GpuMemory* const memory =
      GpuMemoryOf(*tensor_.device_memory(), *queue_.device());
  return queue_.Copy(buffer(), 0, *memory->buffer(), 0, tensor_.byte_size());
}

absl::Status PortBinding::End() {
  if (mode_ == Mode::kCopied && kind_ == Kind::kOutput) return CopyOut();
  if (mode_ != Mode::kWrapped) return absl::OkStatus();
  // Until the next run the host may look at its memory, and write to it.
  DOVETAIL_ASSIGN_OR_RETURN(
      mapped_, queue_.Map(buffer(), 0, tensor_.byte_size(),
                          tensor_.is_read_only() ? Queue::Access::kRead
                                                 : Queue::Access::kWrite,
                          Queue::Wait::kNo));
  return absl::OkStatus();
}

absl::Status PortBinding::Unmap() {
  if (mapped_ == nullptr) return absl::OkStatus();
  return queue_.Unmap(buffer(), std::exchange(mapped_, nullptr));
}

absl::Status PortBinding::Release() {
  tensor_ = Tensor();
  const Mode mode = std::exchange(mode_, Mode::kNothing);
  if (mode != Mode::kWrapped) return absl::OkStatus();
  memory_ = nullptr;
  DOVETAIL_RETURN_IF_ERROR(Unmap());
  return queue_.Finish();
}

}  // namespace dovetail::gpu
