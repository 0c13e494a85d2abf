#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/runtime/core_state.h"

namespace dovetail {

absl::StatusOr<std::shared_ptr<const Executable>> CoreHost::Compile(
    const Model& model, absl::string_view device,
    const PropertyMap& properties) {
  DOVETAIL_ASSIGN_OR_RETURN(const CompiledModel compiled,
                            core_.Compile(model, device, properties));
  return compiled.executable();
}

absl::StatusOr<QueryResult> CoreHost::Query(const Model& model,
                                            absl::string_view device,
                                            const PropertyMap& properties) {
  return core_.Query(model, device, properties);
}

absl::StatusOr<std::shared_ptr<const Executable>> CoreHost::Import(
    const BlobReader& blob, absl::string_view device,
    const PropertyMap& properties) {
  DOVETAIL_ASSIGN_OR_RETURN(const CompiledModel compiled,
                            core_.Import(blob, device, properties));
  return compiled.executable();
}

absl::StatusOr<Config> CoreHost::Configuration(absl::string_view device) {
  return core_.DeviceConfig(device);
}

absl::StatusOr<PropertySchema> CoreHost::Properties(absl::string_view device) {
  DOVETAIL_ASSIGN_OR_RETURN(const PropertySchema* schema,
                            core_.Properties(device));
  return *schema;
}

std::vector<std::string> CoreHost::AvailableDevices() {
  return core_.AvailableDevices();
}

}  // namespace dovetail
