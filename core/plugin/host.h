// Inputs of a plugin: the settings of one call, and what the Core that
// calls it can do for it.
#ifndef DOVETAIL_CORE_PLUGIN_HOST_H_
#define DOVETAIL_CORE_PLUGIN_HOST_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/executor/executor.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/ops/binary/model_bytes.h"
#include "dovetail/core/plugin/query_result.h"
#include "dovetail/core/plugin/remote_context.h"
#include "dovetail/core/properties/config.h"
#include "dovetail/core/properties/property.h"

namespace dovetail {

class BlobReader;
class BlobWriter;
class Executable;

// The Core that calls a plugin, as the plugin sees it. A device that is made of
// others (HETERO, MULTI) gets at them here, with the caller's settings,
// executor, cache and registry. Devices are named as users do: "GPU.1"; errors
// name them, and kInvalidArgument refuses one that is reached through itself.
// Thread-safe. A plugin that needs it after the call, such as to compile in the
// background, keeps `shared_from_this()`: that works without the Core, as long
// as the registry is there, with the settings at the time of use.
class Host : public std::enable_shared_from_this<Host> {
 public:
  virtual ~Host() = default;

  // These as Core's; a null context: the device's own. The cache holds for
  // parts: a device that is cached as a whole gives them CACHE_DIR "", and says
  // what CacheIdentity says of each in its own.
  virtual absl::StatusOr<std::shared_ptr<const Executable>> Compile(
      const Model& model, absl::string_view device,
      const PropertyMap& properties,
      std::shared_ptr<RemoteContext> context) = 0;
  virtual absl::StatusOr<QueryResult> Query(const Model& model,
                                            absl::string_view device,
                                            const PropertyMap& properties) = 0;
  virtual absl::StatusOr<std::shared_ptr<const Executable>> Import(
      const BlobReader& blob, absl::string_view device,
      const PropertyMap& properties) = 0;
  virtual absl::StatusOr<std::string> GetProperty(absl::string_view device,
                                                  absl::string_view name) = 0;
  virtual absl::StatusOr<std::shared_ptr<RemoteContext>> CreateContext(
      absl::string_view device, const RemoteParams& params) = 0;
  virtual std::vector<std::string> AvailableDevices() = 0;
  // What the Core's extensions have of that type, version and opset, for who
  // reads an exported model; null without such an operation. Lives as long as
  // the process.
  virtual const OpInfo* FindExtensionOp(absl::string_view /*type*/,
                                        int /*version*/,
                                        absl::string_view /*opset*/) {
    return nullptr;
  }
  // Writes what Import reads, of what the device has compiled.
  virtual absl::Status Export(const Executable& compiled,
                              absl::string_view device, BlobWriter& blob) = 0;
  // All that decides about what the device compiles, but the model, as a text.
  virtual absl::StatusOr<std::string> CacheIdentity(
      absl::string_view device, const PropertyMap& properties) = 0;
  // The values in force for a device, and the keys that it takes.
  virtual absl::StatusOr<Config> Configuration(absl::string_view device) = 0;
  virtual absl::StatusOr<PropertySchema> Properties(
      absl::string_view device) = 0;
};

// For ReadLowered; valid as long as the host.
inline FindExtensionOpFn ExtensionOpsOf(Host& host) {
  return [&host](absl::string_view type, int version, absl::string_view opset) {
    return host.FindExtensionOp(type, version, opset);
  };
}

// What one call of a plugin is about. Valid during the call; Config may be
// copied; context, host and executor kept by their shared_ptr.
struct PluginCall {
  const Config& config;
  Host& host;
  // Where tensors are shared; null: the device's own.
  std::shared_ptr<RemoteContext> context = nullptr;
  // What Export wrote; null but in an import.
  const BlobReader* blob = nullptr;
  // Where stages and loops are to run; null: in Threads of the process.
  std::shared_ptr<Executor> executor = nullptr;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PLUGIN_HOST_H_
