#include "dovetail/backends/common/parts/parts_plugin.h"

#include "dovetail/core/base/status.h"

namespace dovetail {

absl::StatusOr<std::vector<Device>> PartsPlugin::Devices() const {
  return std::vector<Device>();
}

absl::Status PartsPlugin::Lower(Model&, const PluginCall&) const {
  return Internal(name(), " lowers nothing");
}

absl::StatusOr<Support> PartsPlugin::Supports(const Node&,
                                              const PluginCall&) const {
  return Internal(name(), " runs nothing itself");
}

absl::StatusOr<std::unique_ptr<Executable>> PartsPlugin::CompileLowered(
    LoweredModel, const PluginCall&) const {
  return Internal(name(), " compiles nothing itself");
}

}  // namespace dovetail
