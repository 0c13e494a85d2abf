// Lists of devices with numbers of inferences: "GPU(4),CPU".
#ifndef DOVETAIL_BACKENDS_COMMON_SCHEDULING_DEVICE_COUNTS_H_
#define DOVETAIL_BACKENDS_COMMON_SCHEDULING_DEVICE_COUNTS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace dovetail::multi {

struct DeviceCount {
  std::string device;
  int inferences = 0;  // at a time; 0: as many as the device says
};

// As ReadDeviceList; kInvalidArgument also for a number that is none from 1 to
// 1024.
absl::StatusOr<std::vector<DeviceCount>> ReadDeviceCounts(
    absl::string_view list, absl::string_view taker);

}  // namespace dovetail::multi

#endif  // DOVETAIL_BACKENDS_COMMON_SCHEDULING_DEVICE_COUNTS_H_
