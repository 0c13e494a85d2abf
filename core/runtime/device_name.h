// The names by which users address devices: "CPU", "GPU.1", "MULTI:CPU,GPU.1".
#ifndef DOVETAIL_CORE_RUNTIME_DEVICE_NAME_H_
#define DOVETAIL_CORE_RUNTIME_DEVICE_NAME_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace dovetail {

struct DeviceName {
  std::string kind;        // the plugin: "GPU"
  std::string id;          // "1", or "" for any
  std::string priorities;  // of a device made of others: "CPU,GPU.1"
};

// kInvalidArgument for a name that is empty before the '.' or ':', or after it,
// and for several by commas.
absl::StatusOr<DeviceName> ParseDeviceName(absl::string_view name);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_RUNTIME_DEVICE_NAME_H_
