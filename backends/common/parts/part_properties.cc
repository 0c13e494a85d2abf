#include "dovetail/backends/common/parts/part_properties.h"

#include <functional>
#include <map>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "dovetail/backends/common/parts/device_list.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/device_properties.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {
namespace {

// A value that one of both takes, as that one spells it.
std::function<absl::StatusOr<std::string>(absl::string_view)> Either(
    const PropertySpec& first, const PropertySpec& second) {
  if (first.check == nullptr || second.check == nullptr) return nullptr;
  return [first = first.check, second = second.check](
             absl::string_view value) -> absl::StatusOr<std::string> {
    absl::StatusOr<std::string> checked = first(value);
    if (checked.ok()) return checked;
    absl::StatusOr<std::string> other = second(value);
    return other.ok() ? other : checked;
  };
}

void AddSpec(const PropertySpec& spec, std::vector<PropertySpec>& specs) {
  const auto same = absl::c_find_if(specs, [&](const PropertySpec& other) {
    return other.name == spec.name;
  });
  if (same == specs.end()) {
    specs.push_back(spec);
  } else {
    same->check = Either(*same, spec);
  }
}

bool IsFromCaller(PropertyOrigin origin) {
  return origin == PropertyOrigin::kDevice ||
         origin == PropertyOrigin::kModel || origin == PropertyOrigin::kCall;
}

// Keys of the whole that are no part's.
bool IsOfWhole(absl::string_view name) {
  return name == properties::kDevicePriorities ||
         name == properties::kDeviceProperties;
}

absl::Status AddDeviceProperties(const std::string& device,
                                 const std::vector<std::string>& devices,
                                 const std::string& text, PropertyMap& map) {
  DOVETAIL_ASSIGN_OR_RETURN(const auto by_device, ParseDeviceProperties(text));
  // By name, so "GPU", which is for all of them, comes before "GPU.1".
  for (const auto& [name, properties] : by_device) {
    const auto is_meant = [&](const std::string& part) {
      return MeansDevice(name, part);
    };
    if (absl::c_none_of(devices, is_meant)) {
      return InvalidArgument("it names '", name, "'; the devices are ",
                             absl::StrJoin(devices, ", "));
    }
    if (!is_meant(device)) continue;
    for (const auto& [key, value] : properties) map[key] = value;
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<PropertySchema> WithPropertiesOf(
    const std::vector<std::string>& devices, PropertySchema own, Host& host) {
  std::vector<PropertySpec> added;
  std::map<std::string, PropertyAlias> aliases;
  for (const std::string& device : devices) {
    DOVETAIL_ASSIGN_OR_RETURN(const PropertySchema part,
                              host.Properties(device));
    for (const PropertySpec& spec : part.specs()) {
      const bool is_key = spec.mutability == Mutability::kReadWrite;
      if (is_key && !own.Has(spec.name)) AddSpec(spec, added);
    }
    for (const auto& [name, alias] : part.aliases()) {
      aliases.emplace(name, alias);
    }
  }
  for (PropertySpec& spec : added) {
    DOVETAIL_RETURN_IF_ERROR(own.Add(std::move(spec)));
  }
  for (auto& [name, alias] : aliases) {
    const bool is_needed = own.Has(alias.name) && !own.Has(name);
    if (is_needed) DOVETAIL_RETURN_IF_ERROR(own.AddAlias(std::move(alias)));
  }
  return own;
}

absl::StatusOr<PropertyMap> PropertiesForPart(
    const std::string& device, const std::vector<std::string>& devices,
    const PluginCall& call, PartCache cache) {
  DOVETAIL_ASSIGN_OR_RETURN(const PropertySchema schema,
                            call.host.Properties(device));
  PropertyMap map;
  for (const auto& [name, entry] : call.config.entries()) {
    if (IsFromCaller(entry.origin) && !IsOfWhole(name) && schema.Has(name) &&
        schema.Check(name, entry.value).ok()) {
      map[name] = entry.value;
    }
  }
  const std::string text = call.config.GetString(properties::kDeviceProperties);
  if (schema.Has(properties::kDeviceProperties)) {
    if (!text.empty()) map[std::string(properties::kDeviceProperties)] = text;
  } else if (!text.empty()) {
    DOVETAIL_RETURN_IF_ERROR(
        Annotate(AddDeviceProperties(device, devices, text, map),
                 properties::kDeviceProperties));
  }
  if (cache == PartCache::kOfWhole && schema.Has(properties::kCacheDir)) {
    map[std::string(properties::kCacheDir)] = "";
  }
  return map;
}

std::string CacheIdentityOf(const std::vector<std::string>& devices,
                            const PluginCall& call) {
  std::string identity;
  for (const std::string& device : devices) {
    const auto properties = PropertiesForPart(device, devices, call);
    const auto part =
        call.host.CacheIdentity(device, properties.value_or(PropertyMap()));
    absl::StrAppend(&identity, device, "=",
                    part.ok() ? *part : part.status().ToString(), ";");
  }
  return identity;
}

absl::StatusOr<std::string> JoinedMetric(
    const std::vector<std::string>& devices, absl::string_view name,
    const PluginCall& call) {
  std::vector<std::string> all;
  for (const std::string& device : devices) {
    DOVETAIL_ASSIGN_OR_RETURN(std::string one,
                              call.host.GetProperty(device, name));
    all.push_back(std::move(one));
  }
  return absl::StrJoin(all, ",");
}

absl::StatusOr<std::string> JoinedCapabilities(
    const std::vector<std::string>& devices, const PluginCall& call,
    WholeExports exports) {
  constexpr absl::string_view kExports = "EXPORT_IMPORT";
  std::vector<std::string> all;
  size_t exporting = 0;
  for (const std::string& device : devices) {
    DOVETAIL_ASSIGN_OR_RETURN(
        const std::string text,
        call.host.GetProperty(device, properties::kOptimizationCapabilities));
    for (const absl::string_view word :
         absl::StrSplit(text, ' ', absl::SkipEmpty())) {
      if (word == kExports) {
        ++exporting;
      } else if (!absl::c_linear_search(all, word)) {
        all.emplace_back(word);
      }
    }
  }
  if (exports == WholeExports::kWithParts && exporting == devices.size()) {
    all.emplace_back(kExports);
  }
  return absl::StrJoin(all, " ");
}

}  // namespace dovetail
