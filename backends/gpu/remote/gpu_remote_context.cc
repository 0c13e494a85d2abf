#include "dovetail/backends/gpu/remote/gpu_remote_context.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/driver/cl_status.h"
#include "dovetail/backends/gpu/remote/gpu_memory.h"
#include "dovetail/backends/gpu/remote/remote_params.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail::gpu {
namespace {

absl::StatusOr<cl_device_id> DeviceOfContext(const ClApi& api,
                                             cl_context context,
                                             int64_t number) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<cl_device_id> devices,
                            DevicesOf(api, context));
  if (number >= 0 && number < static_cast<int64_t>(devices.size())) {
    return devices[number];
  }
  return InvalidArgument("parameter ", kOclContextDeviceId, " is ", number,
                         ", but the OpenCL context has ", devices.size(),
                         " devices");
}

}  // namespace

absl::StatusOr<std::shared_ptr<ClDevice>> SharedDevice(
    const ClApi& api, const RemoteParams& params) {
  DOVETAIL_ASSIGN_OR_RETURN(void* const handle,
                            HandleParam(params, kOclContext));
  if (handle == nullptr) return nullptr;
  const auto context = static_cast<cl_context>(handle);
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t number,
                            NumberParam(params, kOclContextDeviceId));
  DOVETAIL_ASSIGN_OR_RETURN(const cl_device_id id,
                            DeviceOfContext(api, context, number));
  return ClDevice::Around(api, context, id);
}

absl::StatusOr<std::shared_ptr<GpuRemoteContext>> GpuRemoteContext::Create(
    std::string name, std::shared_ptr<ClDevice> own,
    const RemoteParams& params) {
  DOVETAIL_RETURN_IF_ERROR(CheckNames(
      params, {kContextType, kOclContext, kOclContextDeviceId, kOclQueue}));
  DOVETAIL_RETURN_IF_ERROR(CheckText(params, kContextType, "OCL"));
  DOVETAIL_ASSIGN_OR_RETURN(std::shared_ptr<ClDevice> device,
                            SharedDevice(own->api(), params));
  if (device == nullptr) device = std::move(own);
  std::shared_ptr<Queue> shared;
  DOVETAIL_ASSIGN_OR_RETURN(void* const queue, HandleParam(params, kOclQueue));
  if (queue != nullptr) {
    DOVETAIL_ASSIGN_OR_RETURN(
        shared, Queue::Share(device, static_cast<cl_command_queue>(queue)));
  }
  std::shared_ptr<Queue> copies = shared;
  if (copies == nullptr) {
    DOVETAIL_ASSIGN_OR_RETURN(copies, Queue::Create(device));
  }
  return std::shared_ptr<GpuRemoteContext>(
      new GpuRemoteContext(std::move(name), std::move(device),
                           std::move(copies), std::move(shared)));
}

RemoteParams GpuRemoteContext::params() const {
  RemoteParams params;
  params[std::string(kContextType)] = "OCL";
  params[std::string(kOclContext)] =
      static_cast<void*>(device_->context().get());
  if (shared_queue_ != nullptr) {
    params[std::string(kOclQueue)] = static_cast<void*>(shared_queue_->get());
  }
  return params;
}

absl::StatusOr<Tensor> GpuRemoteContext::NewTensor(ElementType type,
                                                   const Shape& shape,
                                                   const RemoteParams& params) {
  DOVETAIL_RETURN_IF_ERROR(CheckNames(params, {kSharedMemType, kMemHandle}));
  DOVETAIL_RETURN_IF_ERROR(CheckText(params, kSharedMemType, "OCL_BUFFER"));
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t count, shape.ElementCount());
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t bytes, ByteSize(type, count));
  DOVETAIL_ASSIGN_OR_RETURN(void* const handle,
                            HandleParam(params, kMemHandle));
  auto buffer = handle != nullptr
                    ? Buffer::Share(device_, static_cast<cl_mem>(handle))
                    : Buffer::Allocate(device_, bytes);
  DOVETAIL_RETURN_IF_ERROR(buffer.status());
  if (buffer->bytes() < bytes) {
    return InvalidArgument("parameter ", kMemHandle, ": the buffer has ",
                           buffer->bytes(), " bytes, but ",
                           ElementTypeName(type), shape.ToString(), " takes ",
                           bytes);
  }
  return Tensor::OnDevice(
      type, shape,
      std::make_shared<GpuMemory>(
          name_, std::make_shared<const Buffer>(*std::move(buffer)), bytes,
          copies_));
}

}  // namespace dovetail::gpu
