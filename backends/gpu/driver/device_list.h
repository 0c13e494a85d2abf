// The OpenCL devices of this machine, and which of them is meant.
#ifndef DOVETAIL_BACKENDS_GPU_DRIVER_DEVICE_LIST_H_
#define DOVETAIL_BACKENDS_GPU_DRIVER_DEVICE_LIST_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/backends/gpu/driver/device.h"

namespace dovetail::gpu {

// GPUs first, then accelerators, then processors, each in the order of the
// platforms. The same objects at each call: a process has one of each device.
// kUnavailable with the reasons where there is none; the next call then looks
// again. Thread-safe.
absl::StatusOr<std::vector<std::shared_ptr<ClDevice>>> ListClDevices();

// The devices of the platform that OCL_PLATFORM names, in their order: its
// index among the names of platforms in order of appearance, or a part of its
// name in any case of letters; "" for all. kNotFound naming the platforms there
// are.
absl::StatusOr<std::vector<std::shared_ptr<ClDevice>>> OfPlatform(
    absl::Span<const std::shared_ptr<ClDevice>> devices,
    absl::string_view platform);

// The device that DEVICE_ID names, "1" or "GPU.1" for the second; "" is the
// first. kNotFound naming the devices there are.
absl::StatusOr<std::shared_ptr<ClDevice>> PickClDevice(
    absl::Span<const std::shared_ptr<ClDevice>> devices,
    absl::string_view device_id);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_DRIVER_DEVICE_LIST_H_
