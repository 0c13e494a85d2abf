#include "dovetail/backends/multi/multi_plugin.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/backends/common/parts/for_each_part.h"
#include "dovetail/backends/common/parts/part_properties.h"
#include "dovetail/backends/common/parts/parts_plugin.h"
#include "dovetail/backends/common/scheduling/device_counts.h"
#include "dovetail/backends/common/scheduling/multi_executable.h"
#include "dovetail/backends/common/scheduling/sharing_options.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/plugin/ports/ports.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {
namespace multi {
namespace {

using Executables = std::vector<std::shared_ptr<const Executable>>;

constexpr absl::string_view kName = "MULTI";

absl::StatusOr<std::vector<DeviceCount>> CountsOf(const PluginCall& call) {
  return ReadDeviceCounts(call.config.GetString(properties::kDevicePriorities),
                          kName);
}

absl::StatusOr<std::vector<std::string>> DevicesOf(const PluginCall& call) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<DeviceCount> counts,
                            CountsOf(call));
  std::vector<std::string> devices;
  for (const DeviceCount& count : counts) devices.push_back(count.device);
  return devices;
}

// Layers that all devices run.
QueryResult::Layer OnAll(const std::vector<QueryResult>& answers, size_t i,
                         const std::string& devices) {
  for (const QueryResult& answer : answers) {
    if (!answer.layers[i].reason.ok()) return answer.layers[i];
  }
  QueryResult::Layer layer = answers.front().layers[i];
  if (!layer.device.empty()) layer.device = devices;
  return layer;
}

class MultiPlugin : public PartsPlugin {
 public:
  explicit MultiPlugin(PropertySchema schema)
      : PartsPlugin(kName, std::move(schema)) {}

  absl::StatusOr<PropertySchema> PropertiesWithParts(
      const PluginCall& call) const override {
    DOVETAIL_ASSIGN_OR_RETURN(const auto devices, DevicesOf(call));
    return WithPropertiesOf(devices, properties(), call.host);
  }

  // Without EXPORT_IMPORT: each device has its own entry in the cache.
  absl::StatusOr<std::string> GetMetric(absl::string_view name,
                                        const PluginCall& call) const override {
    if (name == properties::kOptimizationCapabilities) {
      if (call.config.GetString(properties::kDevicePriorities).empty()) {
        return "FP32";
      }
      DOVETAIL_ASSIGN_OR_RETURN(const auto devices, DevicesOf(call));
      return JoinedCapabilities(devices, call, WholeExports::kNever);
    }
    if (name == properties::kFullDeviceName &&
        call.config.GetString(properties::kDevicePriorities).empty()) {
      return "Inferences on several devices";
    }
    if (name != properties::kDeviceArchitecture &&
        name != properties::kFullDeviceName) {
      return Plugin::GetMetric(name, call);
    }
    DOVETAIL_ASSIGN_OR_RETURN(const auto devices, DevicesOf(call));
    return JoinedMetric(devices, name, call);
  }

  absl::StatusOr<QueryResult> Query(const Model& model,
                                    const PluginCall& call) const override {
    DOVETAIL_ASSIGN_OR_RETURN(const auto devices, DevicesOf(call));
    std::vector<QueryResult> answers;
    QueryResult all;
    for (const std::string& device : devices) {
      DOVETAIL_ASSIGN_OR_RETURN(
          const PropertyMap properties,
          PropertiesForPart(device, devices, call, PartCache::kOwn));
      DOVETAIL_ASSIGN_OR_RETURN(QueryResult answer,
                                call.host.Query(model, device, properties));
      for (const std::string& note : answer.notes) {
        all.notes.push_back(absl::StrCat(device, ": ", note));
      }
      answers.push_back(std::move(answer));
    }
    for (size_t i = 0; i < answers.front().layers.size(); ++i) {
      all.layers.push_back(OnAll(answers, i, absl::StrJoin(devices, ",")));
    }
    return all;
  }

  absl::StatusOr<std::unique_ptr<Executable>> Compile(
      std::unique_ptr<Model> model, const PluginCall& call) const override {
    if (model == nullptr) return InvalidArgument("there is no model");
    DOVETAIL_ASSIGN_OR_RETURN(const std::vector<DeviceCount> counts,
                              CountsOf(call));
    DOVETAIL_ASSIGN_OR_RETURN(const Executables parts,
                              CompileParts(*model, call));
    auto executable = std::make_unique<MultiExecutable>(
        ExecutableInfo{InputPorts(*model), OutputPorts(*model), call.config},
        SharingOptions(*model, call.config));
    for (size_t p = 0; p < parts.size(); ++p) {
      executable->AddDevice(counts[p].device, parts[p], counts[p].inferences);
    }
    return std::unique_ptr<Executable>(std::move(executable));
  }

  absl::StatusOr<std::unique_ptr<Executable>> Import(
      const PluginCall&) const override {
    return Unimplemented(
        "device MULTI imports nothing: CACHE_DIR makes it load quickly");
  }

 private:
  static absl::StatusOr<Executables> CompileParts(const Model& model,
                                                  const PluginCall& call) {
    DOVETAIL_ASSIGN_OR_RETURN(const auto devices, DevicesOf(call));
    Executables parts(devices.size());
    DOVETAIL_RETURN_IF_ERROR(
        ForEachPart(parts.size(), [&](size_t p) -> absl::Status {
          DOVETAIL_ASSIGN_OR_RETURN(
              const PropertyMap properties,
              PropertiesForPart(devices[p], devices, call, PartCache::kOwn));
          DOVETAIL_ASSIGN_OR_RETURN(
              parts[p],
              call.host.Compile(model, devices[p], properties, nullptr));
          return absl::OkStatus();
        }));
    return parts;
  }
};

}  // namespace
}  // namespace multi

absl::StatusOr<std::unique_ptr<Plugin>> MakeMultiPlugin() {
  std::vector<PropertySpec> specs = multi::SharingProperties();
  specs.push_back(TextProperty(
      properties::kDevicePriorities, "",
      "The devices, the first choice first, each with how many inferences it "
      "runs at a time if it should not choose: GPU(4),CPU."));
  DOVETAIL_ASSIGN_OR_RETURN(PropertySchema schema,
                            PropertySchema::Make(std::move(specs)));
  return std::make_unique<multi::MultiPlugin>(std::move(schema));
}

}  // namespace dovetail
