// How many work items a custom kernel has for a node.
#ifndef DOVETAIL_BACKENDS_GPU_CUSTOM_WORK_SIZES_H_
#define DOVETAIL_BACKENDS_GPU_CUSTOM_WORK_SIZES_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/backends/gpu/custom/names.h"
#include "dovetail/backends/gpu/driver/device_traits.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/extensions/custom_kernels/custom_kernel.h"

namespace dovetail::gpu {

struct WorkSizes {
  // One to three of `global`; as many of `local`, or none: as the driver likes.
  std::vector<int64_t> global, local;
  bool is_uneven = false;  // a group does not divide its range
};

// A group that does not divide its range is left out where the source does not
// ask which group an item is in; else it needs `device` to take such groups.
// kInvalidArgument for others, and for sizes below 1.
absl::StatusOr<WorkSizes> WorkSizesOf(const CustomKernel& kernel,
                                      const Node& node,
                                      const CustomNames& names,
                                      const DeviceTraits& device);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_CUSTOM_WORK_SIZES_H_
