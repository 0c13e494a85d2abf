// The properties of devices made of others.
#ifndef DOVETAIL_BACKENDS_COMMON_PARTS_PART_PROPERTIES_H_
#define DOVETAIL_BACKENDS_COMMON_PARTS_PART_PROPERTIES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/core/plugin/host.h"
#include "dovetail/core/properties/property.h"

namespace dovetail {

// `own`, and the keys that the devices take beside it. Of one that several take
// a value is right that one of them takes.
absl::StatusOr<PropertySchema> WithPropertiesOf(
    const std::vector<std::string>& devices, PropertySchema own, Host& host);

// Whether a part is cached with the whole, or by itself.
enum class PartCache { kOfWhole, kOwn };

// What `device`, one of `devices`, is given of the call's configuration: the
// keys and values that it takes, of those that the caller has set for the whole
// or that came with the model; and what DEVICE_PROPERTIES has for it, which is
// nearer. kInvalidArgument where DEVICE_PROPERTIES names a device that is none
// of `devices`.
absl::StatusOr<PropertyMap> PropertiesForPart(
    const std::string& device, const std::vector<std::string>& devices,
    const PluginCall& call, PartCache cache = PartCache::kOfWhole);

// What decides about parts beside the properties: for Plugin::CacheIdentity.
std::string CacheIdentityOf(const std::vector<std::string>& devices,
                            const PluginCall& call);

// "a,b": the metric of each device; its error with the device's name.
absl::StatusOr<std::string> JoinedMetric(
    const std::vector<std::string>& devices, absl::string_view name,
    const PluginCall& call);

// OPTIMIZATION_CAPABILITIES of a device that has `devices` as its parts: what
// any of them has, and EXPORT_IMPORT if the whole can be exported once all of
// them can, and they can.
enum class WholeExports { kNever, kWithParts };
absl::StatusOr<std::string> JoinedCapabilities(
    const std::vector<std::string>& devices, const PluginCall& call,
    WholeExports exports);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PARTS_PART_PROPERTIES_H_
