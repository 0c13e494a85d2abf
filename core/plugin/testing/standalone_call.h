// A call of a plugin in a test that has no Core.
#ifndef DOVETAIL_CORE_PLUGIN_TESTING_STANDALONE_CALL_H_
#define DOVETAIL_CORE_PLUGIN_TESTING_STANDALONE_CALL_H_

#include <memory>
#include <string>
#include <vector>

#include "dovetail/core/plugin/plugin.h"

namespace dovetail {

// A host without devices: what is asked of it is kUnimplemented.
class StandaloneHost : public Host {
 public:
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
  absl::StatusOr<std::string> GetProperty(absl::string_view device,
                                          absl::string_view name) override;
  absl::StatusOr<std::shared_ptr<RemoteContext>> CreateContext(
      absl::string_view device, const RemoteParams& params) override;
  absl::Status Export(const Executable& compiled, absl::string_view device,
                      BlobWriter& blob) override;
  absl::StatusOr<std::string> CacheIdentity(
      absl::string_view device, const PropertyMap& properties) override;
  absl::StatusOr<Config> Configuration(absl::string_view device) override;
  absl::StatusOr<PropertySchema> Properties(absl::string_view device) override;
  std::vector<std::string> AvailableDevices() override { return {}; }
};

// A call with the plugin's default configuration, but for `properties`, which
// the test knows to be right; else the test fails.
class StandaloneCall {
 public:
  explicit StandaloneCall(const Plugin& plugin, PropertyMap properties = {});
  explicit StandaloneCall(Config config);

  operator PluginCall() const { return {config_, *host_}; }
  // The same call as an import of `blob`, which outlives it.
  PluginCall Importing(const BlobReader& blob) const {
    return {config_, *host_, nullptr, &blob};
  }
  const Config& config() const { return config_; }

 private:
  Config config_;
  const std::shared_ptr<StandaloneHost> host_ =
      std::make_shared<StandaloneHost>();
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PLUGIN_TESTING_STANDALONE_CALL_H_
