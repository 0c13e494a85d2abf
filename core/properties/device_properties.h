// DEVICE_PROPERTIES: one text with properties for each of several devices.
#ifndef DOVETAIL_CORE_PROPERTIES_DEVICE_PROPERTIES_H_
#define DOVETAIL_CORE_PROPERTIES_DEVICE_PROPERTIES_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/properties/property.h"

namespace dovetail {

// Of "{CPU:{NUM_STREAMS:2,PERF_COUNT:YES},GPU.1:{NUM_STREAMS:4}}" or the same
// as JSON, with names and values in double quotes. A value that itself is in
// braces or brackets is kept as it is written. kInvalidArgument says at which
// character something else was expected, or names what is there twice.
absl::StatusOr<std::map<std::string, PropertyMap>> ParseDeviceProperties(
    absl::string_view text);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PROPERTIES_DEVICE_PROPERTIES_H_
