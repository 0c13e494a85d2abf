// The common part of plugins that run lowered models on the machine's own
// processor, with the reference kernels for all they have nothing better for.
#ifndef DOVETAIL_BACKENDS_COMMON_HOST_HOST_PLUGIN_H_
#define DOVETAIL_BACKENDS_COMMON_HOST_HOST_PLUGIN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail {

// What one such plugin differs in. The views are of constants.
struct HostPluginTraits {
  absl::string_view name;
  absl::string_view architecture;
  int max_streams = 1;  // that NUM_STREAMS takes
  // What INFERENCE_PRECISION_HINT takes; none: there is no such key.
  std::vector<std::string> precisions;
  // The default of DYNAMIC_QUANTIZATION_GROUP_SIZE; 0: it takes nothing else.
  int64_t quantization_group = 0;
};

// Has the properties for streams, threads, hints, profiling and caching, and
// runs what core has reference kernels for. A plugin adds Devices, its
// capabilities, Lower, and the executable for a model that is lowered.
class HostPlugin : public Plugin {
 public:
  // `properties` as of HostProperties.
  HostPlugin(const HostPluginTraits& traits, PropertySchema properties)
      : Plugin(traits.name, std::move(properties)),
        architecture_(traits.architecture) {}

  absl::StatusOr<Support> Supports(const Node& node,
                                   const PluginCall& call) const override;
  absl::StatusOr<std::string> GetMetric(absl::string_view name,
                                        const PluginCall& call) const override;

 private:
  const absl::string_view architecture_;
};

// The keys and metrics of a HostPlugin.
absl::StatusOr<PropertySchema> HostProperties(const HostPluginTraits& traits);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_HOST_HOST_PLUGIN_H_
