// One OpenCL device with the context in which its objects are made.
#ifndef DOVETAIL_BACKENDS_GPU_DRIVER_DEVICE_H_
#define DOVETAIL_BACKENDS_GPU_DRIVER_DEVICE_H_

#include <memory>
#include <vector>

#include "CL/cl.h"
#include "absl/status/statusor.h"
#include "dovetail/backends/gpu/driver/cl_api.h"
#include "dovetail/backends/gpu/driver/device_traits.h"
#include "dovetail/backends/gpu/driver/handle.h"
#include "dovetail/backends/gpu/driver/memory_counter.h"

namespace dovetail::gpu {

// Those of an application's context, in its order.
absl::StatusOr<std::vector<cl_device_id>> DevicesOf(const ClApi& api,
                                                    cl_context context);

// Thread-safe. Whatever is made of a device keeps it. Objects of one ClDevice
// must not be used with another's, even where it is the same hardware: they
// belong to its context.
class ClDevice {
 public:
  // With a context of its own. kUnavailable and the like as the driver says;
  // kUnimplemented for a device without compiler or older than OpenCL 1.2.
  // `ordinal` as for QueryDeviceTraits.
  static absl::StatusOr<std::shared_ptr<ClDevice>> Create(
      const ClApi& api, cl_platform_id platform, cl_device_id id, int ordinal);

  // Around an application's context, of which it takes a reference. `id` is one
  // of the context's devices, null for the only one: kInvalidArgument else.
  static absl::StatusOr<std::shared_ptr<ClDevice>> Around(
      const ClApi& api, cl_context context, cl_device_id id = nullptr);

  const DeviceTraits& traits() const { return traits_; }
  cl_device_id id() const { return id_; }
  const Context& context() const { return context_; }
  const ClApi& api() const { return api_; }
  // Whether its context is an application's, see Around.
  bool is_shared() const { return is_shared_; }
  // The bytes of this device's buffers.
  MemoryCounter& memory() { return memory_; }
  const MemoryCounter& memory() const { return memory_; }

 private:
  ClDevice(const ClApi& api, cl_device_id id, DeviceTraits traits,
           Context context, bool is_shared);

  const ClApi& api_;
  cl_device_id id_;
  DeviceTraits traits_;
  Context context_;
  bool is_shared_;
  MemoryCounter memory_;
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_DRIVER_DEVICE_H_
