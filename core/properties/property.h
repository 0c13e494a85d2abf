// Configuration keys and metrics: which there are, what they take, what they
// mean. Names are OpenVINO's. Values are texts, as in a shell or a file; the
// schema checks them and Config reads them typed.
#ifndef DOVETAIL_CORE_PROPERTIES_PROPERTY_H_
#define DOVETAIL_CORE_PROPERTIES_PROPERTY_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace dovetail {

// Values by key, as a caller gives them.
using PropertyMap = std::map<std::string, std::string>;

enum class Mutability { kReadOnly, kReadWrite };

// One key of a device.
struct PropertySpec {
  std::string name;         // "NUM_STREAMS"
  std::string type;         // for people: "AUTO or a number from 1 to 64"
  std::string default_value;
  Mutability mutability = Mutability::kReadWrite;
  std::string description;  // one sentence
  // Gives a value's canonical spelling, or kInvalidArgument that says what
  // would be right (without key and value: the schema adds them). Null takes
  // any text.
  std::function<absl::StatusOr<std::string>(absl::string_view)> check;
};

// Makers of specs for the common kinds of values.
PropertySpec BoolProperty(absl::string_view name, bool default_value,
                          absl::string_view description);
PropertySpec IntProperty(absl::string_view name, int64_t default_value,
                         int64_t min, int64_t max,
                         absl::string_view description);
PropertySpec EnumProperty(absl::string_view name,
                          std::vector<std::string> values,
                          absl::string_view default_value,
                          absl::string_view description);
PropertySpec TextProperty(absl::string_view name,
                          absl::string_view default_value,
                          absl::string_view description);
// A metric: read, never set. Its value comes from the plugin.
PropertySpec ReadOnlyProperty(absl::string_view name, absl::string_view type,
                              absl::string_view description);

// Another name for a key, such as the one that it had in an older API.
struct PropertyAlias {
  std::string alias;  // "CPU_BIND_THREAD"
  std::string name;   // "ENABLE_CPU_PINNING"
  // A value as it is given by this name in the key's own words, or
  // kInvalidArgument that says what would be right. Null: the same words.
  std::function<absl::StatusOr<std::string>(absl::string_view)> from_alias;
  // The key's value in the words of this name. Null: the same.
  std::function<std::string(absl::string_view)> to_alias;
};

// The keys of one device. A value type; reading is thread-safe.
class PropertySchema {
 public:
  // Of all these. kAlreadyExists when two of them have the same name.
  static absl::StatusOr<PropertySchema> Make(std::vector<PropertySpec> specs);

  // kAlreadyExists when there is a key of that name.
  absl::Status Add(PropertySpec spec);
  // In order of addition.
  const std::vector<PropertySpec>& specs() const { return specs_; }
  // Whether there is a key of that name, its own or an alias.
  bool Has(absl::string_view name) const { return Lookup(name) != nullptr; }
  // kNotFound names the nearest key and lists all.
  absl::StatusOr<const PropertySpec*> Find(absl::string_view name) const;
  // The key is found by both names, and told of by its own. kNotFound when
  // there is no such key, kAlreadyExists when the name is taken.
  absl::Status AddAlias(PropertyAlias alias);
  absl::Status AddAlias(absl::string_view alias, absl::string_view name);
  // By alias.
  const std::map<std::string, PropertyAlias, std::less<>>& aliases() const {
    return aliases_;
  }
  // The key's own name, for one of its aliases; else `name`.
  absl::string_view Canonical(absl::string_view name) const;
  // A value of the key as who asked by `name` expects it: in the words of an
  // alias, else as it is.
  std::string Told(absl::string_view name, absl::string_view value) const;
  // The canonical spelling of a value that is to be set. kNotFound for an
  // unknown key, kInvalidArgument for a wrong value or a key that is read-only;
  // the message holds key, value and what would be right. A value that is given
  // by an alias is in its words.
  absl::StatusOr<std::string> Check(absl::string_view name,
                                    absl::string_view value) const;

 private:
  // Null when there is none.
  const PropertySpec* Lookup(absl::string_view name) const;

  std::vector<PropertySpec> specs_;
  std::map<std::string, PropertyAlias, std::less<>> aliases_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PROPERTIES_PROPERTY_H_
