// What the plugins share that run lowered models on the machine's own
// processor, with the reference kernels for all they have nothing better for.
#ifndef DOVETAIL_BACKENDS_COMMON_HOST_PLUGIN_H_
#define DOVETAIL_BACKENDS_COMMON_HOST_PLUGIN_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/common/lowered_model.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail {

// What one such plugin differs in. The views are of constants.
struct HostPluginTraits {
  absl::string_view name;
  absl::string_view architecture;
  int max_streams = 1;                  // that NUM_STREAMS takes
  std::vector<std::string> precisions;  // what INFERENCE_PRECISION_HINT takes
};

// Has the properties for streams, threads, hints, profiling and caching, and
// compiles by lowering. A plugin adds Devices, its capabilities, Lower, and the
// executable for a model that is lowered.
class HostPlugin : public Plugin {
 public:
  // Adds the properties; called once, before all else.
  absl::Status Initialize();

  absl::string_view name() const override { return traits_.name; }
  const PropertySchema& properties() const override { return properties_; }
  absl::StatusOr<std::string> GetMetric(absl::string_view name) const override;
  absl::Status Supports(const Node& node) const override;
  absl::StatusOr<std::unique_ptr<Executable>> Compile(
      std::unique_ptr<Model> model, const Config& config) const override;
  absl::StatusOr<std::unique_ptr<Executable>> Import(
      absl::string_view blob, const Config& config) const override;

 protected:
  explicit HostPlugin(HostPluginTraits traits) : traits_(std::move(traits)) {}

  // Every operation of the model is supported.
  virtual absl::StatusOr<std::unique_ptr<Executable>> Create(
      LoweredModel lowered, const Config& config) const = 0;

 private:
  absl::StatusOr<std::unique_ptr<Executable>> CreateChecked(
      LoweredModel lowered, const Config& config) const;

  const HostPluginTraits traits_;
  PropertySchema properties_;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_HOST_PLUGIN_H_
