#include "dovetail/core/properties/config.h"

#include <cstdlib>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

using Entries = std::map<std::string, Config::Entry>;

// What messages say of a value's origin.
absl::string_view Source(PropertyOrigin origin) {
  switch (origin) {
    case PropertyOrigin::kDefault: return "default";
    case PropertyOrigin::kEnvironment: return "from the environment";
    case PropertyOrigin::kGlobal: return "set for all devices";
    case PropertyOrigin::kDevice: return "set for the device";
    case PropertyOrigin::kModel: return "from the model's runtime_options";
    case PropertyOrigin::kCall: return "given with the call";
  }
  return "";
}

absl::Status Apply(const PropertySchema& schema, absl::string_view name,
                   absl::string_view value, PropertyOrigin origin,
                   Entries& entries) {
  absl::StatusOr<std::string> canonical = schema.Check(name, value);
  if (!canonical.ok()) return Annotate(canonical.status(), Source(origin));
  entries[std::string(schema.Canonical(name))] = {*std::move(canonical),
                                                  origin};
  return absl::OkStatus();
}

// A key by two names with two values would be a matter of luck.
absl::Status CheckGivenOnce(const PropertySchema& schema,
                            const PropertyMap& layer, PropertyOrigin origin) {
  std::map<absl::string_view, absl::string_view> given_as;
  for (const auto& [name, value] : layer) {
    const auto [it, is_new] = given_as.emplace(schema.Canonical(name), name);
    if (is_new) continue;
    const auto one =
        schema.Check(it->second, layer.at(std::string(it->second)));
    const auto other = schema.Check(name, value);
    if (!one.ok() || !other.ok() || *one == *other) continue;
    return InvalidArgument(Source(origin), ": property '", name, "' = '", value,
                           "' and '", it->second, "' = '", *one,
                           "' are the same key: want one of them");
  }
  return absl::OkStatus();
}

absl::Status ApplyLayer(const PropertySchema& schema, const PropertyMap& layer,
                        PropertyOrigin origin, Entries& entries) {
  DOVETAIL_RETURN_IF_ERROR(CheckGivenOnce(schema, layer, origin));
  for (const auto& [name, value] : layer) {
    const bool for_others =
        origin == PropertyOrigin::kGlobal && !schema.Has(name);
    if (for_others) continue;
    DOVETAIL_RETURN_IF_ERROR(Apply(schema, name, value, origin, entries));
  }
  return absl::OkStatus();
}

absl::Status ApplyEnvironment(const PropertySchema& schema, Entries& entries) {
  for (const PropertySpec& spec : schema.specs()) {
    if (spec.mutability == Mutability::kReadOnly) continue;
    const std::string variable = absl::StrCat("DOVETAIL_", spec.name);
    const char* value = std::getenv(variable.c_str());
    if (value == nullptr) continue;
    DOVETAIL_RETURN_IF_ERROR(
        Annotate(Apply(schema, spec.name, value, PropertyOrigin::kEnvironment,
                       entries),
                 variable));
  }
  return absl::OkStatus();
}

}  // namespace

absl::string_view PropertyOriginName(PropertyOrigin origin) {
  switch (origin) {
    case PropertyOrigin::kDefault: return "default";
    case PropertyOrigin::kEnvironment: return "environment";
    case PropertyOrigin::kGlobal: return "global";
    case PropertyOrigin::kDevice: return "device";
    case PropertyOrigin::kModel: return "model";
    case PropertyOrigin::kCall: return "call";
  }
  return "";
}

absl::StatusOr<Config> Config::Resolve(const PropertySchema& schema,
                                       const PropertyLayers& layers) {
  Config config;
  for (const PropertySpec& spec : schema.specs()) {
    if (spec.mutability == Mutability::kReadOnly) continue;
    config.entries_[spec.name] = {spec.default_value, PropertyOrigin::kDefault};
  }
  // The nearest layer last, so that it wins.
  Entries& entries = config.entries_;
  if (layers.read_environment) {
    DOVETAIL_RETURN_IF_ERROR(ApplyEnvironment(schema, entries));
  }
  const std::pair<const PropertyMap*, PropertyOrigin> in_order[] = {
      {&layers.global, PropertyOrigin::kGlobal},
      {&layers.device, PropertyOrigin::kDevice},
      {&layers.model, PropertyOrigin::kModel},
      {&layers.call, PropertyOrigin::kCall},
  };
  for (const auto& [layer, origin] : in_order) {
    DOVETAIL_RETURN_IF_ERROR(ApplyLayer(schema, *layer, origin, entries));
  }
  return config;
}

Config Config::With(absl::string_view name, absl::string_view value) const {
  Config changed = *this;
  const auto it = changed.entries_.find(std::string(name));
  if (it != changed.entries_.end()) it->second.value = std::string(value);
  return changed;
}

absl::StatusOr<Config::Entry> Config::Find(absl::string_view name) const {
  const auto it = entries_.find(std::string(name));
  if (it == entries_.end()) {
    return NotFound("there is no property '", name, "' to be set");
  }
  return it->second;
}

std::string Config::GetString(absl::string_view name) const {
  const auto it = entries_.find(std::string(name));
  return it == entries_.end() ? "" : it->second.value;
}

int64_t Config::GetInt(absl::string_view name) const {
  int64_t number;
  return absl::SimpleAtoi(GetString(name), &number) ? number : 0;
}

bool Config::GetBool(absl::string_view name) const {
  return GetString(name) == "YES";
}

bool Config::IsSet(absl::string_view name) const {
  const auto it = entries_.find(std::string(name));
  return it != entries_.end() && it->second.origin != PropertyOrigin::kDefault;
}

}  // namespace dovetail
