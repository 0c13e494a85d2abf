#include "dovetail/backends/hetero/hetero_plugin.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_join.h"
#include "dovetail/backends/common/parts/device_list.h"
#include "dovetail/backends/common/parts/for_each_part.h"
#include "dovetail/backends/common/parts/part_properties.h"
#include "dovetail/backends/common/parts/parts_plugin.h"
#include "dovetail/backends/hetero/assign/assign.h"
#include "dovetail/backends/hetero/part_notes.h"
#include "dovetail/backends/hetero/parts/cut.h"
#include "dovetail/backends/hetero/parts/partition.h"
#include "dovetail/backends/hetero/parts/shape_copies.h"
#include "dovetail/backends/hetero/parts/wiring.h"
#include "dovetail/backends/hetero/run/hetero_executable.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/plugin/ports/ports.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {
namespace hetero {
namespace {

using Parts = std::vector<std::shared_ptr<const Executable>>;

constexpr absl::string_view kName = "HETERO";
constexpr absl::string_view kDumpGraphDot = "HETERO_DUMP_GRAPH_DOT";

// Elsewhere it is YES or NO, of which no file is to come.
PropertySpec DumpGraphDot() {
  PropertySpec spec = TextProperty(
      kDumpGraphDot, "",
      "A file to which each model that is compiled is drawn, with its parts.");
  spec.check = [](absl::string_view text) -> absl::StatusOr<std::string> {
    if (text != "YES" && text != "NO") return std::string(text);
    return InvalidArgument("want the name of a file, such as parts.dot");
  };
  return spec;
}

class HeteroPlugin : public PartsPlugin {
 public:
  explicit HeteroPlugin(PropertySchema schema)
      : PartsPlugin("HETERO", std::move(schema)) {}

  absl::StatusOr<PropertySchema> PropertiesWithParts(
      const PluginCall& call) const override {
    DOVETAIL_ASSIGN_OR_RETURN(const auto devices, DeviceListOf(call, kName));
    return WithPropertiesOf(devices, properties(), call.host);
  }

  absl::StatusOr<std::string> GetMetric(absl::string_view name,
                                        const PluginCall& call) const override {
    const bool has_list =
        !call.config.GetString(properties::kDevicePriorities).empty();
    const bool is_capabilities = name == properties::kOptimizationCapabilities;
    if (!has_list && is_capabilities) return "EXPORT_IMPORT";
    if (!has_list && name == properties::kFullDeviceName) {
      return "Each layer on one of several devices";
    }
    if (name != properties::kDeviceArchitecture &&
        name != properties::kFullDeviceName && !is_capabilities) {
      return Plugin::GetMetric(name, call);
    }
    DOVETAIL_ASSIGN_OR_RETURN(const auto devices, DeviceListOf(call, kName));
    if (is_capabilities) {
      return JoinedCapabilities(devices, call, WholeExports::kWithParts);
    }
    return JoinedMetric(devices, name, call);
  }

  std::string CacheIdentity(const PluginCall& call) const override {
    const auto devices = DeviceListOf(call, kName);
    return devices.ok() ? CacheIdentityOf(*devices, call) : "";
  }

  absl::StatusOr<QueryResult> Query(const Model& model,
                                    const PluginCall& call) const override {
    DOVETAIL_ASSIGN_OR_RETURN(const auto devices, DeviceListOf(call, kName));
    DOVETAIL_ASSIGN_OR_RETURN(AssignedLayers assigned,
                              AssignLayers(model, devices, call));
    QueryResult& layers = assigned.layers;
    if (!layers.all_supported()) return std::move(layers);
    const auto parts = PartsOf(model, assigned);
    if (parts.ok()) {
      DOVETAIL_RETURN_IF_ERROR(NoteParts(model, *parts, layers));
    } else {
      layers.notes.emplace_back(parts.status().message());
    }
    return std::move(layers);
  }

  absl::StatusOr<std::unique_ptr<Executable>> Compile(
      std::unique_ptr<Model> model, const PluginCall& call) const override {
    if (model == nullptr) return InvalidArgument("there is no model");
    DOVETAIL_ASSIGN_OR_RETURN(const auto devices, DeviceListOf(call, kName));
    DOVETAIL_ASSIGN_OR_RETURN(const AssignedLayers assigned,
                              AssignLayers(*model, devices, call));
    DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Part> parts,
                              PartsOf(*model, assigned));
    const std::string dot = call.config.GetString(kDumpGraphDot);
    if (!dot.empty()) DOVETAIL_RETURN_IF_ERROR(WriteDot(*model, parts, dot));
    DOVETAIL_ASSIGN_OR_RETURN(CutResult cut,
                              CutIntoParts(*model, parts, devices.front()));
    Parts compiled(cut.models.size());
    DOVETAIL_RETURN_IF_ERROR(ForEachPart(compiled.size(), [&](size_t p) {
      const std::string& device = cut.wiring.parts[p].device;
      return MakePart(device, devices, call, compiled[p],
                      [&](const PropertyMap& properties) {
                        return call.host.Compile(*cut.models[p], device,
                                                 properties, nullptr);
                      });
    }));
    return std::make_unique<HeteroExecutable>(
        ExecutableInfo{InputPorts(*model), OutputPorts(*model), call.config},
        std::move(cut.wiring), std::move(compiled),
        call.host.shared_from_this());
  }

  absl::StatusOr<std::unique_ptr<Executable>> Import(
      const PluginCall& call) const override {
    DOVETAIL_ASSIGN_OR_RETURN(const auto devices, DeviceListOf(call, kName));
    DOVETAIL_ASSIGN_OR_RETURN(WiredModel whole, ReadWiring(*call.blob));
    Parts imported(whole.wiring.parts.size());
    DOVETAIL_RETURN_IF_ERROR(ForEachPart(imported.size(), [&](size_t p) {
      const std::string& device = whole.wiring.parts[p].device;
      if (!absl::c_linear_search(devices, device)) {
        return InvalidArgument("the model was compiled for '", device,
                               "' too, which is none of ",
                               absl::StrJoin(devices, ", "));
      }
      return MakePart(device, devices, call, imported[p],
                      [&](const PropertyMap& properties) {
                        return call.host.Import(
                            call.blob->Nested(PartSection(p)), device,
                            properties);
                      });
    }));
    DOVETAIL_RETURN_IF_ERROR(CheckWiring(whole, imported));
    return std::make_unique<HeteroExecutable>(
        ExecutableInfo{std::move(whole.inputs), std::move(whole.outputs),
                       call.config},
        std::move(whole.wiring), std::move(imported),
        call.host.shared_from_this());
  }

 private:
  static absl::StatusOr<std::vector<Part>> PartsOf(
      const Model& model, const AssignedLayers& assigned) {
    DOVETAIL_ASSIGN_OR_RETURN(const Assignment assignment,
                              AssignmentOf(model, assigned.layers));
    DOVETAIL_ASSIGN_OR_RETURN(std::vector<Part> parts,
                              PartitionModel(model, assignment));
    const auto runs = [&](const Node& node, const std::string& device) {
      return assigned.runs.at(device).count(&node) > 0;
    };
    return WithShapeCopies(model, std::move(parts), runs);
  }

  template <typename Make>
  static absl::Status MakePart(const std::string& device,
                               const std::vector<std::string>& devices,
                               const PluginCall& call,
                               std::shared_ptr<const Executable>& part,
                               const Make& make) {
    DOVETAIL_ASSIGN_OR_RETURN(const PropertyMap properties,
                              PropertiesForPart(device, devices, call));
    DOVETAIL_ASSIGN_OR_RETURN(part, make(properties));
    return absl::OkStatus();
  }
};

}  // namespace
}  // namespace hetero

absl::StatusOr<std::unique_ptr<Plugin>> MakeHeteroPlugin() {
  std::vector<PropertySpec> specs = properties::DeviceMetrics();
  specs.push_back(TextProperty(properties::kDevicePriorities, "",
                               "The devices, the first choice first."));
  specs.push_back(TextProperty(
      properties::kDeviceProperties, "",
      "Properties of single devices: {CPU:{NUM_STREAMS:2},GPU:{...}}."));
  specs.push_back(hetero::DumpGraphDot());
  specs.push_back(properties::PerfCount());
  for (PropertySpec& spec : properties::CacheProperties()) {
    specs.push_back(std::move(spec));
  }
  DOVETAIL_ASSIGN_OR_RETURN(PropertySchema schema,
                            PropertySchema::Make(std::move(specs)));
  DOVETAIL_RETURN_IF_ERROR(
      schema.AddAlias("TARGET_FALLBACK", properties::kDevicePriorities));
  return std::make_unique<hetero::HeteroPlugin>(std::move(schema));
}

}  // namespace dovetail
