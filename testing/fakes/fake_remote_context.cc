#include "dovetail/testing/fakes/fake_remote_context.h"

#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {
namespace {

// A buffer whose handle, for the host, is the address of its FakeBuffer.
class BufferMemory : public DeviceMemory {
 public:
  BufferMemory(std::shared_ptr<FakeDevice> device, FakeBuffer buffer,
               int64_t byte_size)
      : device_(std::move(device)),
        buffer_(std::move(buffer)),
        byte_size_(byte_size) {}

  absl::string_view device() const override { return device_->name(); }
  void* handle() const override { return const_cast<FakeBuffer*>(&buffer_); }
  int64_t byte_size() const override { return byte_size_; }
  absl::Status CopyTo(const Tensor& host) const override {
    return device_->Download(buffer_.handle(), host);
  }
  absl::Status CopyFrom(const Tensor& host) override {
    DOVETAIL_ASSIGN_OR_RETURN(const FakeBuffer copy, device_->Upload(host));
    return device_->Copy(copy.handle(), buffer_.handle());
  }

 private:
  const std::shared_ptr<FakeDevice> device_;
  const FakeBuffer buffer_;
  const int64_t byte_size_;
};

absl::Status CheckEmpty(const RemoteParams& params) {
  if (params.empty()) return absl::OkStatus();
  return InvalidArgument("the fake device takes no parameters, such as '",
                         params.begin()->first, "'");
}

class FakeRemoteContext : public RemoteContext {
 public:
  explicit FakeRemoteContext(std::shared_ptr<FakeDevice> device)
      : device_(std::move(device)) {}

  absl::string_view device() const override { return device_->name(); }

  absl::StatusOr<Tensor> NewTensor(ElementType type, const Shape& shape,
                                   const RemoteParams& params) override {
    DOVETAIL_RETURN_IF_ERROR(CheckEmpty(params));
    DOVETAIL_ASSIGN_OR_RETURN(const int64_t count, shape.ElementCount());
    DOVETAIL_ASSIGN_OR_RETURN(const int64_t bytes, ByteSize(type, count));
    DOVETAIL_ASSIGN_OR_RETURN(FakeBuffer buffer,
                              device_->Allocate(type, shape));
    return Tensor::OnDevice(type, shape,
                            std::make_shared<BufferMemory>(
                                device_, std::move(buffer), bytes));
  }

 private:
  const std::shared_ptr<FakeDevice> device_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<RemoteContext>> MakeFakeContext(
    std::shared_ptr<FakeDevice> device, const RemoteParams& params) {
  DOVETAIL_RETURN_IF_ERROR(device->CheckPresent());
  DOVETAIL_RETURN_IF_ERROR(CheckEmpty(params));
  return std::make_shared<FakeRemoteContext>(std::move(device));
}

const FakeBuffer* FakeBufferOf(const DeviceMemory& memory,
                               const FakeDevice& device) {
  if (memory.device() != device.name()) return nullptr;
  return static_cast<const FakeBuffer*>(memory.handle());
}

}  // namespace dovetail
