// State that the parts of Core share; for core/runtime alone.
#ifndef DOVETAIL_CORE_RUNTIME_CORE_STATE_H_
#define DOVETAIL_CORE_RUNTIME_CORE_STATE_H_

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "dovetail/core/extension/extension_table.h"
#include "dovetail/core/plugin/plugin.h"
#include "dovetail/core/plugin/registry/registry.h"
#include "dovetail/core/properties/property.h"
#include "dovetail/core/runtime/device_name.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/core/tensor/memory/allocator.h"

namespace dovetail {

struct Core::State {
  PluginRegistry* registry;
  // Compiled models' too, which may outlive the Core.
  const std::shared_ptr<ExtensionTable> extensions =
      std::make_shared<ExtensionTable>();
  mutable std::mutex mutex;  // guards what follows
  PropertyMap global;
  std::map<std::string, PropertyMap> by_device;  // "GPU", "GPU.1"
  std::shared_ptr<Executor> executor;            // null: the process's threads
  std::shared_ptr<Allocator> allocator;          // null: the process's memory
};

// A device as a user has named it, found.
struct Core::Target {
  std::string name;  // "GPU.1"
  DeviceName parsed;
  const Plugin* plugin = nullptr;
};

// Core as plugins see it. It is a Core of its own, which shares the state and
// knows which devices it compiles parts for.
class CoreHost : public Host {
 public:
  explicit CoreHost(const Core& core) : core_(core) {}

  absl::StatusOr<std::shared_ptr<const Executable>> Compile(
      const Model& model, absl::string_view device,
      const PropertyMap& properties,
      std::shared_ptr<RemoteContext> context) override;
  absl::StatusOr<QueryResult> Query(const Model& model,
                                    absl::string_view device,
                                    const PropertyMap& properties) override;
  absl::StatusOr<std::shared_ptr<const Executable>> Import(
      const BlobReader& blob, absl::string_view device,
      const PropertyMap& properties) override;
  absl::Status Export(const Executable& compiled, absl::string_view device,
                      BlobWriter& blob) override;
  absl::StatusOr<std::string> CacheIdentity(
      absl::string_view device, const PropertyMap& properties) override;
  absl::StatusOr<Config> Configuration(absl::string_view device) override;
  absl::StatusOr<PropertySchema> Properties(absl::string_view device) override;
  absl::StatusOr<std::string> GetProperty(absl::string_view device,
                                          absl::string_view name) override;
  absl::StatusOr<std::shared_ptr<RemoteContext>> CreateContext(
      absl::string_view device, const RemoteParams& params) override;
  std::vector<std::string> AvailableDevices() override;
  const OpInfo* FindExtensionOp(absl::string_view type, int version,
                                absl::string_view opset) override;

 private:
  const Core core_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_RUNTIME_CORE_STATE_H_
