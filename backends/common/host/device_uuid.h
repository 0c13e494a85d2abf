// DEVICE_UUID of devices that are the machine's own processor.
#ifndef DOVETAIL_BACKENDS_COMMON_HOST_DEVICE_UUID_H_
#define DOVETAIL_BACKENDS_COMMON_HOST_DEVICE_UUID_H_

#include <string>

#include "absl/strings/string_view.h"

namespace dovetail {

// 32 hexadecimal digits: a hash of the device's name, the processor's and the
// machine's identity, the first line of `machine_id_file` (/etc/machine-id).
// The same in every process of a machine, and of no use to find out that
// identity, which is confidential. Machines without it that have the same
// processor have the same.
std::string DeviceUuid(absl::string_view device, absl::string_view processor,
                       const std::string& machine_id_file);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_HOST_DEVICE_UUID_H_
