// What flows into a plugin: the settings of one call, and what the Core that
// calls it can do for it.
#ifndef DOVETAIL_CORE_PLUGIN_HOST_H_
#define DOVETAIL_CORE_PLUGIN_HOST_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/plugin/query_result.h"
#include "dovetail/core/plugin/remote_context.h"
#include "dovetail/core/properties/config.h"
#include "dovetail/core/properties/property.h"

namespace dovetail {

class BlobReader;
class Executable;

// The Core that calls a plugin, as the plugin sees it. A device that is made of
// others (HETERO, MULTI) gets at them here, with the caller's settings, cache
// and registry. Thread-safe; a plugin that needs it after the call, such as to
// compile in the background, keeps `shared_from_this()`. Devices are named as
// users do: "GPU.1".
class Host : public std::enable_shared_from_this<Host> {
 public:
  virtual ~Host() = default;

  // As Core::Compile, Query and Import.
  virtual absl::StatusOr<std::shared_ptr<const Executable>> Compile(
      const Model& model, absl::string_view device,
      const PropertyMap& properties) = 0;
  virtual absl::StatusOr<QueryResult> Query(const Model& model,
                                            absl::string_view device,
                                            const PropertyMap& properties) = 0;
  virtual absl::StatusOr<std::shared_ptr<const Executable>> Import(
      const BlobReader& blob, absl::string_view device,
      const PropertyMap& properties) = 0;
  // The values in force for a device, and the keys that it takes.
  virtual absl::StatusOr<Config> Configuration(absl::string_view device) = 0;
  virtual absl::StatusOr<PropertySchema> Properties(
      absl::string_view device) = 0;
  virtual std::vector<std::string> AvailableDevices() = 0;
};

// What one call of a plugin is about. Valid during the call; Config may be
// copied, context and host kept by their shared_ptr.
struct PluginCall {
  const Config& config;
  Host& host;
  // Where tensors are shared; null: the device's own.
  std::shared_ptr<RemoteContext> context = nullptr;
  // What Export wrote; null but in an import.
  const BlobReader* blob = nullptr;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PLUGIN_HOST_H_
