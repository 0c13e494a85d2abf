// What the parts of Core share; for core/runtime alone.
#ifndef DOVETAIL_CORE_RUNTIME_CORE_STATE_H_
#define DOVETAIL_CORE_RUNTIME_CORE_STATE_H_

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "dovetail/core/plugin/plugin.h"
#include "dovetail/core/plugin/registry.h"
#include "dovetail/core/properties/property.h"
#include "dovetail/core/runtime/device_name.h"
#include "dovetail/core/runtime/runtime.h"

namespace dovetail {

struct Core::State {
  PluginRegistry* registry;
  mutable std::mutex mutex;  // guards what follows
  PropertyMap global;
  std::map<std::string, PropertyMap> by_device;  // "GPU", "GPU.1"
};

// A device as a user has named it, found.
struct Core::Target {
  std::string name;  // "GPU.1"
  DeviceName parsed;
  const Plugin* plugin = nullptr;
};

// Core as plugins see it. Made for a call; what keeps it keeps the Core's state.
class CoreHost : public Host {
 public:
  explicit CoreHost(const Core& core) : core_(core) {}

  absl::StatusOr<std::shared_ptr<const Executable>> Compile(
      const Model& model, absl::string_view device,
      const PropertyMap& properties) override;
  absl::StatusOr<QueryResult> Query(const Model& model,
                                    absl::string_view device,
                                    const PropertyMap& properties) override;
  absl::StatusOr<std::shared_ptr<const Executable>> Import(
      const BlobReader& blob, absl::string_view device,
      const PropertyMap& properties) override;
  absl::StatusOr<Config> Configuration(absl::string_view device) override;
  absl::StatusOr<PropertySchema> Properties(absl::string_view device) override;
  std::vector<std::string> AvailableDevices() override;

 private:
  const Core core_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_RUNTIME_CORE_STATE_H_
