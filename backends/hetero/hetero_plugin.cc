#include "dovetail/backends/hetero/hetero_plugin.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "dovetail/backends/hetero/assign.h"
#include "dovetail/backends/hetero/cut.h"
#include "dovetail/backends/hetero/hetero_executable.h"
#include "dovetail/backends/hetero/partition.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/executor/cpu_info.h"
#include "dovetail/core/plugin/ports.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {
namespace hetero {
namespace {

using Parts = std::vector<std::shared_ptr<const Executable>>;

// Devices by commas; one that is made of others takes the rest of the list.
absl::StatusOr<std::vector<std::string>> DevicesOf(const PluginCall& call) {
  const std::string list = call.config.GetString(properties::kDevicePriorities);
  if (list.empty()) {
    return InvalidArgument(
        "HETERO needs a list of devices, such as HETERO:GPU,CPU");
  }
  std::vector<std::string> devices;
  absl::string_view rest = list;
  while (!rest.empty()) {
    const size_t comma = rest.find(','), colon = rest.find(':');
    const size_t end =
        colon < comma ? rest.size() : std::min(comma, rest.size());
    const absl::string_view device =
        absl::StripAsciiWhitespace(rest.substr(0, end));
    if (!device.empty()) devices.emplace_back(device);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return devices;
}

// What the caller has set and the device takes. Parts are cached as parts of
// the whole.
absl::StatusOr<PropertyMap> ForPart(const std::string& device,
                                    const PluginCall& call) {
  DOVETAIL_ASSIGN_OR_RETURN(const PropertySchema schema,
                            call.host.Properties(device));
  PropertyMap properties;
  for (const auto& [name, entry] : call.config.entries()) {
    const bool is_own = name == properties::kDevicePriorities;
    if (is_own || !call.config.IsSet(name) || !schema.Has(name)) continue;
    properties[name] = entry.value;
  }
  if (schema.Has(properties::kCacheDir)) {
    properties[std::string(properties::kCacheDir)] = "";
  }
  return properties;
}

// Runs `make` for each number, in some threads; the first error.
absl::Status ForEachPart(size_t count,
                         const std::function<absl::Status(size_t)>& make) {
  std::vector<absl::Status> made(count);
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < count; i = next++) made[i] = make(i);
  };
  std::vector<std::thread> threads;
  const size_t most = static_cast<size_t>(std::max(1, UsableCpus()));
  for (size_t i = 1; i < std::min(count, most); ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  for (const absl::Status& status : made) {
    DOVETAIL_RETURN_IF_ERROR(status);
  }
  return absl::OkStatus();
}

class HeteroPlugin : public Plugin {
 public:
  explicit HeteroPlugin(PropertySchema schema)
      : Plugin("HETERO", std::move(schema)) {}

  absl::StatusOr<std::vector<Device>> Devices() const override {
    return std::vector<Device>();  // only with a list
  }
  absl::Status Lower(Model&, const PluginCall&) const override {
    return Internal("HETERO lowers nothing");
  }
  absl::StatusOr<Support> Supports(const Node&,
                                   const PluginCall&) const override {
    return Internal("HETERO runs nothing itself");
  }
  absl::StatusOr<std::unique_ptr<Executable>> CompileLowered(
      LoweredModel, const PluginCall&) const override {
    return Internal("HETERO compiles nothing itself");
  }

  absl::StatusOr<std::string> GetMetric(absl::string_view name,
                                        const PluginCall& call) const override {
    if (name == properties::kOptimizationCapabilities) return "EXPORT_IMPORT";
    if (name != properties::kDeviceArchitecture) {
      return Plugin::GetMetric(name, call);
    }
    DOVETAIL_ASSIGN_OR_RETURN(const auto devices, DevicesOf(call));
    std::vector<std::string> all;
    for (const std::string& device : devices) {
      DOVETAIL_ASSIGN_OR_RETURN(const std::string one,
                                call.host.GetProperty(device, name));
      all.push_back(one);
    }
    return absl::StrJoin(all, ",");
  }

  std::string CacheIdentity(const PluginCall& call) const override {
    std::string identity;
    const auto devices = DevicesOf(call);
    if (!devices.ok()) return identity;
    for (const std::string& device : *devices) {
      const auto properties = ForPart(device, call);
      const auto part =
          call.host.CacheIdentity(device, properties.value_or(PropertyMap()));
      absl::StrAppend(&identity, device, "=",
                      part.ok() ? *part : part.status().ToString(), ";");
    }
    return identity;
  }

  absl::StatusOr<QueryResult> Query(const Model& model,
                                    const PluginCall& call) const override {
    DOVETAIL_ASSIGN_OR_RETURN(const auto devices, DevicesOf(call));
    return AssignLayers(model, devices, {}, call.host);
  }

  absl::StatusOr<std::unique_ptr<Executable>> Compile(
      std::unique_ptr<Model> model, const PluginCall& call) const override {
    DOVETAIL_ASSIGN_OR_RETURN(const auto devices, DevicesOf(call));
    DOVETAIL_ASSIGN_OR_RETURN(const QueryResult layers,
                              AssignLayers(*model, devices, {}, call.host));
    DOVETAIL_ASSIGN_OR_RETURN(const Assignment assignment,
                              AssignmentOf(*model, layers));
    DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Part> parts,
                              PartitionModel(*model, assignment));
    DOVETAIL_ASSIGN_OR_RETURN(CutResult cut,
                              CutIntoParts(*model, parts, devices.front()));
    Parts compiled(cut.models.size());
    DOVETAIL_RETURN_IF_ERROR(ForEachPart(compiled.size(), [&](size_t p) {
      return CompilePart(*cut.models[p], cut.wiring.parts[p].device, call,
                         compiled[p]);
    }));
    return std::make_unique<HeteroExecutable>(
        ExecutableInfo{InputPorts(*model), OutputPorts(*model), call.config},
        std::move(cut.wiring), std::move(compiled),
        call.host.shared_from_this());
  }

 private:
  static absl::Status CompilePart(const Model& model, const std::string& device,
                                  const PluginCall& call,
                                  std::shared_ptr<const Executable>& part) {
    DOVETAIL_ASSIGN_OR_RETURN(const PropertyMap properties,
                              ForPart(device, call));
    DOVETAIL_ASSIGN_OR_RETURN(
        part, call.host.Compile(model, device, properties, nullptr));
    return absl::OkStatus();
  }
};

}  // namespace
}  // namespace hetero

absl::StatusOr<std::unique_ptr<Plugin>> MakeHeteroPlugin() {
  std::vector<PropertySpec> specs = properties::DeviceMetrics();
  specs.push_back(TextProperty(properties::kDevicePriorities, "",
                               "The devices, the first choice first."));
  specs.push_back(properties::PerfCount());
  specs.push_back(
      properties::InferencePrecisionHint({"dynamic", "f32", "bf16", "f16"}));
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
