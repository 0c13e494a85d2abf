#include "dovetail/backends/gpu/driver/device.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "dovetail/backends/gpu/driver/cl_status.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

absl::Status CheckUsable(const ClApi& api, cl_device_id id,
                         const DeviceTraits& traits) {
  cl_bool available = CL_FALSE;
  DOVETAIL_RETURN_IF_ERROR(
      ClStatus(api.GetDeviceInfo(id, CL_DEVICE_AVAILABLE, sizeof(available),
                                 &available, nullptr),
               "clGetDeviceInfo"));
  if (available == CL_FALSE) {
    return Unavailable("device '", traits.name, "' is not available");
  }
  cl_bool compiles = CL_FALSE;
  DOVETAIL_RETURN_IF_ERROR(
      ClStatus(api.GetDeviceInfo(id, CL_DEVICE_COMPILER_AVAILABLE,
                                 sizeof(compiles), &compiles, nullptr),
               "clGetDeviceInfo"));
  if (compiles == CL_FALSE) {
    return Unimplemented("device '", traits.name,
                         "' has no compiler of OpenCL C");
  }
  if (absl::StartsWith(traits.version, "OpenCL 1.0") ||
      absl::StartsWith(traits.version, "OpenCL 1.1")) {
    return Unimplemented("device '", traits.name, "' has ", traits.version,
                         "; OpenCL 1.2 is the oldest that is used");
  }
  return absl::OkStatus();
}

absl::StatusOr<cl_device_id> PickDevice(
    const std::vector<cl_device_id>& devices, cl_device_id id) {
  if (id == nullptr && devices.size() == 1) return devices[0];
  if (id == nullptr) {
    return InvalidArgument("the OpenCL context has ", devices.size(),
                           " devices: please say which is meant");
  }
  if (std::find(devices.begin(), devices.end(), id) == devices.end()) {
    return InvalidArgument("the OpenCL device is none of the ", devices.size(),
                           " of the context");
  }
  return id;
}

void CL_CALLBACK SetAndDelete(cl_event, cl_int, void* data) {
  const std::unique_ptr<std::promise<void>> called(
      static_cast<std::promise<void>*>(data));
  called->set_value();
}

// PoCL makes the thread that calls callbacks of events when the first one is
// due, in the thread that finds it due. Of a pinned stream it would inherit
// the one processor, for all streams of the process: so the first one is due
// here. Where a driver refuses, its thread is made later.
void StartCallbackThread(const ClApi& api, cl_device_id id,
                         cl_context context) {
  cl_int code = CL_SUCCESS;
  const CommandQueue queue(api, api.CreateCommandQueue(context, id, 0, &code));
  if (code != CL_SUCCESS) return;
  cl_event raw = nullptr;
  if (api.EnqueueMarkerWithWaitList(queue.get(), 0, nullptr, &raw) !=
      CL_SUCCESS) {
    return;
  }
  const Event marker(api, raw);
  auto called = std::make_unique<std::promise<void>>();
  const std::future<void> is_called = called->get_future();
  if (api.SetEventCallback(marker.get(), CL_COMPLETE, SetAndDelete,
                           called.get()) != CL_SUCCESS) {
    return;
  }
  called.release();  // SetAndDelete has it
  api.Finish(queue.get());
  is_called.wait_for(std::chrono::seconds(1));
}

}  // namespace

absl::StatusOr<std::vector<cl_device_id>> DevicesOf(const ClApi& api,
                                                    cl_context context) {
  size_t bytes = 0;
  DOVETAIL_RETURN_IF_ERROR(ClStatus(
      api.GetContextInfo(context, CL_CONTEXT_DEVICES, 0, nullptr, &bytes),
      "clGetContextInfo"));
  std::vector<cl_device_id> devices(bytes / sizeof(cl_device_id));
  DOVETAIL_RETURN_IF_ERROR(
      ClStatus(api.GetContextInfo(context, CL_CONTEXT_DEVICES, bytes,
                                  devices.data(), nullptr),
               "clGetContextInfo"));
  return devices;
}

ClDevice::ClDevice(const ClApi& api, cl_device_id id, DeviceTraits traits,
                   Context context, bool is_shared)
    : api_(api),
      id_(id),
      traits_(std::move(traits)),
      context_(std::move(context)),
      is_shared_(is_shared) {}

absl::StatusOr<std::shared_ptr<ClDevice>> ClDevice::Create(
    const ClApi& api, cl_platform_id platform, cl_device_id id, int ordinal) {
  DOVETAIL_ASSIGN_OR_RETURN(DeviceTraits traits,
                            QueryDeviceTraits(api, platform, id, ordinal));
  DOVETAIL_RETURN_IF_ERROR(CheckUsable(api, id, traits));
  const cl_context_properties properties[] = {
      CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(platform),
      0};
  cl_int code = CL_SUCCESS;
  Context context(
      api, api.CreateContext(properties, 1, &id, nullptr, nullptr, &code));
  DOVETAIL_RETURN_IF_ERROR(
      ClStatus(code, absl::StrCat("clCreateContext on '", traits.name, "'")));
  if (traits.is_cpu) StartCallbackThread(api, id, context.get());
  return std::shared_ptr<ClDevice>(
      new ClDevice(api, id, std::move(traits), std::move(context), false));
}

absl::StatusOr<std::shared_ptr<ClDevice>> ClDevice::Around(const ClApi& api,
                                                           cl_context context,
                                                           cl_device_id id) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<cl_device_id> devices,
                            DevicesOf(api, context));
  DOVETAIL_ASSIGN_OR_RETURN(id, PickDevice(devices, id));
  cl_platform_id platform = nullptr;
  DOVETAIL_RETURN_IF_ERROR(
      ClStatus(api.GetDeviceInfo(id, CL_DEVICE_PLATFORM, sizeof(platform),
                                 &platform, nullptr),
               "clGetDeviceInfo"));
  DOVETAIL_ASSIGN_OR_RETURN(DeviceTraits traits,
                            QueryDeviceTraits(api, platform, id, 0));
  DOVETAIL_RETURN_IF_ERROR(CheckUsable(api, id, traits));
  return std::shared_ptr<ClDevice>(new ClDevice(
      api, id, std::move(traits), Context::Retained(api, context), true));
}

}  // namespace dovetail::gpu
