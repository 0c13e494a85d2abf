#include "dovetail/core/properties/property.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/core/base/nearest.h"
#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

PropertySpec Spec(absl::string_view name, std::string type,
                  std::string default_value, absl::string_view description) {
  PropertySpec spec;
  spec.name = std::string(name);
  spec.type = std::move(type);
  spec.default_value = std::move(default_value);
  spec.description = std::string(description);
  return spec;
}

absl::StatusOr<std::string> CheckBool(absl::string_view text) {
  for (const absl::string_view yes : {"YES", "TRUE", "ON", "1"}) {
    if (absl::EqualsIgnoreCase(text, yes)) return "YES";
  }
  for (const absl::string_view no : {"NO", "FALSE", "OFF", "0"}) {
    if (absl::EqualsIgnoreCase(text, no)) return "NO";
  }
  return InvalidArgument("want YES or NO");
}

// A value for a message; of a file's whole text its beginning.
std::string Quoted(absl::string_view value) {
  constexpr size_t kMost = 500, kShown = 60;
  if (value.size() <= kMost) return absl::StrCat("'", value, "'");
  return absl::StrCat("'", value.substr(0, kShown), "...' (", value.size(),
                      " characters)");
}

}  // namespace

PropertySpec BoolProperty(absl::string_view name, bool default_value,
                          absl::string_view description) {
  PropertySpec spec =
      Spec(name, "YES or NO", default_value ? "YES" : "NO", description);
  spec.check = CheckBool;
  return spec;
}

PropertySpec IntProperty(absl::string_view name, int64_t default_value,
                         int64_t min, int64_t max,
                         absl::string_view description) {
  const std::string type = absl::StrCat("a number from ", min, " to ", max);
  PropertySpec spec =
      Spec(name, type, absl::StrCat(default_value), description);
  spec.check = [=](absl::string_view text) -> absl::StatusOr<std::string> {
    int64_t number;
    if (!absl::SimpleAtoi(text, &number) || number < min || number > max) {
      return InvalidArgument("want ", type);
    }
    return absl::StrCat(number);
  };
  return spec;
}

PropertySpec EnumProperty(absl::string_view name,
                          std::vector<std::string> values,
                          absl::string_view default_value,
                          absl::string_view description) {
  const std::string type = absl::StrCat("one of ", absl::StrJoin(values, ", "));
  PropertySpec spec = Spec(name, type, std::string(default_value), description);
  spec.check = [=](absl::string_view text) -> absl::StatusOr<std::string> {
    for (const std::string& value : values) {
      if (absl::EqualsIgnoreCase(text, value)) return value;
    }
    return InvalidArgument("want ", type);
  };
  return spec;
}

PropertySpec TextProperty(absl::string_view name,
                          absl::string_view default_value,
                          absl::string_view description) {
  return Spec(name, "text", std::string(default_value), description);
}

PropertySpec ReadOnlyProperty(absl::string_view name, absl::string_view type,
                              absl::string_view description) {
  PropertySpec spec = Spec(name, std::string(type), "", description);
  spec.mutability = Mutability::kReadOnly;
  return spec;
}

absl::StatusOr<PropertySchema> PropertySchema::Make(
    std::vector<PropertySpec> specs) {
  PropertySchema schema;
  for (PropertySpec& spec : specs) {
    DOVETAIL_RETURN_IF_ERROR(schema.Add(std::move(spec)));
  }
  return schema;
}

absl::Status PropertySchema::Add(PropertySpec spec) {
  if (spec.name.empty()) return InvalidArgument("a property needs a name");
  if (Has(spec.name)) {
    return AlreadyExists("property '", spec.name, "' is there already");
  }
  specs_.push_back(std::move(spec));
  return absl::OkStatus();
}

absl::Status PropertySchema::AddAlias(PropertyAlias alias) {
  DOVETAIL_RETURN_IF_ERROR(Find(alias.name).status());
  if (Has(alias.alias)) {
    return AlreadyExists("property '", alias.alias, "' is there already");
  }
  std::string name = alias.alias;
  aliases_.emplace(std::move(name), std::move(alias));
  return absl::OkStatus();
}

absl::Status PropertySchema::AddAlias(absl::string_view alias,
                                      absl::string_view name) {
  return AddAlias({std::string(alias), std::string(name), nullptr, nullptr});
}

absl::string_view PropertySchema::Canonical(absl::string_view name) const {
  const auto it = aliases_.find(name);
  return it == aliases_.end() ? name : absl::string_view(it->second.name);
}

std::string PropertySchema::Told(absl::string_view name,
                                 absl::string_view value) const {
  const auto it = aliases_.find(name);
  const bool translates =
      it != aliases_.end() && it->second.to_alias != nullptr;
  return translates ? it->second.to_alias(value) : std::string(value);
}

const PropertySpec* PropertySchema::Lookup(absl::string_view name) const {
  const absl::string_view canonical = Canonical(name);
  for (const PropertySpec& spec : specs_) {
    if (spec.name == canonical) return &spec;
  }
  return nullptr;
}

absl::StatusOr<const PropertySpec*> PropertySchema::Find(
    absl::string_view name) const {
  if (const PropertySpec* spec = Lookup(name)) return spec;
  std::vector<std::string> names;
  for (const PropertySpec& spec : specs_) names.push_back(spec.name);
  const std::string nearest = Nearest(name, names);
  const std::string list =
      nearest.empty()
          ? "the properties are: "
          : absl::StrCat("did you mean '", nearest, "'? The properties are: ");
  return NotFound("there is no property '", name, "'; ", list,
                  absl::StrJoin(names, ", "));
}

absl::StatusOr<std::string> PropertySchema::Check(
    absl::string_view name, absl::string_view value) const {
  DOVETAIL_ASSIGN_OR_RETURN(const PropertySpec* spec, Find(name));
  if (spec->mutability == Mutability::kReadOnly) {
    return InvalidArgument("property '", name, "' cannot be set to '", value,
                           "': it can only be read");
  }
  absl::StatusOr<std::string> canonical = std::string(value);
  const auto alias = aliases_.find(name);
  if (alias != aliases_.end() && alias->second.from_alias != nullptr) {
    canonical = alias->second.from_alias(value);
  }
  if (canonical.ok() && spec->check != nullptr) {
    canonical = spec->check(*canonical);
  }
  if (canonical.ok()) return canonical;
  return Annotate(canonical.status(),
                  absl::StrCat("property '", name, "' = ", Quoted(value)));
}

}  // namespace dovetail
