// The values in force: for each key the value of the nearest layer that has
// one, and which layer that was. One order everywhere, nearest first:
//
//   call         given with this compile or import
//   model        in the model's rt_info, under "runtime_options"
//   device       set for the device
//   global       set for all devices
//   environment  DOVETAIL_<KEY>
//   default      of the schema
#ifndef DOVETAIL_CORE_PROPERTIES_CONFIG_H_
#define DOVETAIL_CORE_PROPERTIES_CONFIG_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/properties/property.h"

namespace dovetail {

enum class PropertyOrigin {
  kDefault,
  kEnvironment,
  kGlobal,
  kDevice,
  kModel,
  kCall
};
absl::string_view PropertyOriginName(PropertyOrigin origin);

// The layers above the defaults. Keys unknown to a device are errors in `call`,
// `model` and `device`; in `global` and the environment they are passed over,
// for they may be meant for another device.
struct PropertyLayers {
  PropertyMap call, model, device, global;
  bool read_environment = true;
};

// Immutable once resolved; reading is thread-safe.
class Config {
 public:
  struct Entry {
    std::string value;
    PropertyOrigin origin = PropertyOrigin::kDefault;
  };

  Config() = default;
  // Checks every value of every layer against the schema.
  static absl::StatusOr<Config> Resolve(const PropertySchema& schema,
                                        const PropertyLayers& layers);

  // The same, but for the value of a key that is there: what a device makes of
  // a value that it cannot follow. The origin stays.
  Config With(absl::string_view name, absl::string_view value) const;

  // Every read-write key of the schema.
  const std::map<std::string, Entry>& entries() const { return entries_; }
  // kNotFound when the schema has no such key.
  absl::StatusOr<Entry> Find(absl::string_view name) const;

  // For code that knows the schema: the value, or "", 0, false for a key that
  // is not there.
  std::string GetString(absl::string_view name) const;
  int64_t GetInt(absl::string_view name) const;
  bool GetBool(absl::string_view name) const;
  // Whether someone other than the schema has chosen the value.
  bool IsSet(absl::string_view name) const;

 private:
  std::map<std::string, Entry> entries_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PROPERTIES_CONFIG_H_
