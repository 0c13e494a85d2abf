#include "dovetail/core/plugin/testing/standalone_call.h"

#include <utility>

#include "dovetail/core/base/status.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

absl::Status NoDevices(absl::string_view device) {
  return Unimplemented("a host without devices has no '", device, "'");
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Executable>> StandaloneHost::Compile(
    const Model&, absl::string_view device, const PropertyMap&,
    std::shared_ptr<RemoteContext>) {
  return NoDevices(device);
}
absl::StatusOr<QueryResult> StandaloneHost::Query(const Model&,
                                                  absl::string_view device,
                                                  const PropertyMap&) {
  return NoDevices(device);
}
absl::StatusOr<std::shared_ptr<const Executable>> StandaloneHost::Import(
    const BlobReader&, absl::string_view device, const PropertyMap&) {
  return NoDevices(device);
}
absl::StatusOr<std::string> StandaloneHost::GetProperty(
    absl::string_view device, absl::string_view) {
  return NoDevices(device);
}
absl::StatusOr<std::shared_ptr<RemoteContext>> StandaloneHost::CreateContext(
    absl::string_view device, const RemoteParams&) {
  return NoDevices(device);
}
absl::Status StandaloneHost::Export(const Executable&, absl::string_view device,
                                    BlobWriter&) {
  return NoDevices(device);
}
absl::StatusOr<std::string> StandaloneHost::CacheIdentity(
    absl::string_view device, const PropertyMap&) {
  return NoDevices(device);
}
absl::StatusOr<Config> StandaloneHost::Configuration(absl::string_view device) {
  return NoDevices(device);
}
absl::StatusOr<PropertySchema> StandaloneHost::Properties(
    absl::string_view device) {
  return NoDevices(device);
}

StandaloneCall::StandaloneCall(Config config) : config_(std::move(config)) {}

StandaloneCall::StandaloneCall(const Plugin& plugin, PropertyMap properties) {
  PropertyLayers layers;
  layers.call = std::move(properties);
  auto config = Config::Resolve(plugin.properties(), layers);
  EXPECT_TRUE(config.ok()) << config.status();
  if (config.ok()) config_ = *std::move(config);
}

}  // namespace dovetail
