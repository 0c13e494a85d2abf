// The list of devices that a device is made of.
#ifndef DOVETAIL_BACKENDS_COMMON_PARTS_DEVICE_LIST_H_
#define DOVETAIL_BACKENDS_COMMON_PARTS_DEVICE_LIST_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/plugin/host.h"

namespace dovetail {

// Whether names may have numbers in parentheses, "GPU(4)", which stay in them.
enum class ListCounts { kNone, kAllowed };

// Devices by commas, as they are written, of `taker`'s DEVICE_PRIORITIES. One
// that is made of others takes the rest of the list: "GPU,MULTI:CPU,FAKE" are
// GPU and MULTI:CPU,FAKE. kInvalidArgument for an empty list, an empty name,
// one that is there twice, and for parentheses that cannot be.
absl::StatusOr<std::vector<std::string>> ReadDeviceList(
    absl::string_view list, absl::string_view taker,
    ListCounts counts = ListCounts::kNone);

// Of the configuration of a call of `taker`.
absl::StatusOr<std::vector<std::string>> DeviceListOf(const PluginCall& call,
                                                      absl::string_view taker);

// Whether a name that a user wrote means the device: "GPU" means "GPU.1" too,
// and "MULTI" means "MULTI:GPU,CPU".
bool MeansDevice(absl::string_view name, absl::string_view device);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PARTS_DEVICE_LIST_H_
