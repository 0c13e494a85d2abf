// A plugin of a device that is made of others and computes nothing itself.
#ifndef DOVETAIL_BACKENDS_COMMON_PARTS_PARTS_PLUGIN_H_
#define DOVETAIL_BACKENDS_COMMON_PARTS_PARTS_PLUGIN_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail {

// Derived classes give Query and Compile, which core's steps of a device that
// runs nodes are no part of: these answer kInternal.
class PartsPlugin : public Plugin {
 public:
  using Plugin::Plugin;

  // None of its own: it is there with a list.
  absl::StatusOr<std::vector<Device>> Devices() const override;
  absl::Status Lower(Model& model, const PluginCall& call) const override;
  absl::StatusOr<Support> Supports(const Node& node,
                                   const PluginCall& call) const override;
  absl::StatusOr<std::unique_ptr<Executable>> CompileLowered(
      LoweredModel lowered, const PluginCall& call) const override;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PARTS_PARTS_PLUGIN_H_
