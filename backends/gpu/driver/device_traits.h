// What an OpenCL device says of itself.
#ifndef DOVETAIL_BACKENDS_GPU_DRIVER_DEVICE_TRAITS_H_
#define DOVETAIL_BACKENDS_GPU_DRIVER_DEVICE_TRAITS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "CL/cl.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/gpu/driver/cl_api.h"

namespace dovetail::gpu {

struct DeviceTraits {
  std::string name;
  std::string vendor;
  std::string platform;          // name of the platform
  std::string platform_version;  // "OpenCL 3.0 PoCL 3.1 ..."
  std::string driver_version;
  std::string version;  // of OpenCL: "OpenCL 1.2 ..."
  // 32 hexadecimal digits: the device's own UUID or a hash of its names.
  std::string uuid;
  std::vector<std::string> extensions;  // sorted

  bool is_cpu = false;
  bool is_gpu = false;  // neither: an accelerator
  bool has_fp16 = false;
  bool has_fp64 = false;
  bool has_subgroups = false;
  bool has_uneven_groups = false;   // that do not divide the global size
  // A processor whose driver computes in threads that wait for it, too, and has
  // one fewer of its own than there are processors.
  bool computes_in_waiting_threads = false;
  bool has_unified_memory = false;  // host and device use the same memory

  int vector_width = 1;  // floats, native
  int compute_units = 1;
  int64_t memory_bytes = 0;
  int64_t max_allocation_bytes = 0;  // of one buffer
  int64_t local_memory_bytes = 0;    // of one work group
  int64_t base_alignment_bytes = 1;  // of sub-buffers
  int64_t max_parameter_bytes = 0;   // of a kernel's arguments
  size_t max_group_size = 1;         // work items
  size_t max_group_sizes[3] = {1, 1, 1};

  bool HasExtension(absl::string_view extension) const;
  // The -cl-std of the newest language that its compiler has: "CL3.0".
  std::string NewestLanguage() const;
  // For keys of binaries: device, its driver and its platform in one line.
  std::string BinaryIdentity() const;
};

// `ordinal` tells devices apart that have one name and no UUID.
absl::StatusOr<DeviceTraits> QueryDeviceTraits(const ClApi& api,
                                               cl_platform_id platform,
                                               cl_device_id device,
                                               int ordinal);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_DRIVER_DEVICE_TRAITS_H_
