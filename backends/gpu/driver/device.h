// The devices that OpenCL drivers give.
#ifndef DOVETAIL_BACKENDS_GPU_DRIVER_DEVICE_H_
#define DOVETAIL_BACKENDS_GPU_DRIVER_DEVICE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/backends/gpu/driver/cl_api.h"
#include "dovetail/backends/gpu/driver/handle.h"

namespace dovetail::gpu {

struct DeviceTraits {
  std::string name, vendor, platform, version, driver_version;
  bool is_cpu = false;
  bool has_fp16 = false, has_fp64 = false, has_subgroups = false;
  bool has_unified_memory = false;  // with the host
  int vector_width = 1;             // of floats, that the driver likes
  int compute_units = 1;
  int64_t memory_bytes = 0, max_allocation_bytes = 0, local_memory_bytes = 0;
  int64_t base_alignment_bytes = 128;  // of buffers
  int64_t max_group_size = 1;          // work items
  std::string uuid;                    // 32 hexadecimal digits
};

// One device with a context of its own. Immutable; thread-safe.
class ClDevice {
 public:
  ClDevice(const ClApi* api, cl_device_id id, DeviceTraits traits,
           Context context)
      : api_(*api),
        id_(id),
        traits_(std::move(traits)),
        context_(std::move(context)) {}

  const ClApi& api() const { return api_; }
  cl_device_id id() const { return id_; }
  cl_context context() const { return context_.get(); }
  const DeviceTraits& traits() const { return traits_; }

 private:
  const ClApi& api_;
  const cl_device_id id_;
  const DeviceTraits traits_;
  const Context context_;
};

// Those of all drivers: first GPUs, then accelerators, then processors, each in
// the drivers' order; once a process where there are any. kUnavailable says why
// there are none. Thread-safe.
absl::StatusOr<std::vector<std::shared_ptr<ClDevice>>> ListClDevices();

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_DRIVER_DEVICE_H_
