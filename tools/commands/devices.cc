// dovetail devices: what there is to run on.
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/tools/cli/model_options.h"
#include "dovetail/tools/cli/plugin_options.h"
#include "dovetail/tools/commands/commands.h"

namespace dovetail::cli {
namespace {

using Json = nlohmann::ordered_json;

// Every key of a device with its value and, for keys that can be set, where
// the value came from.
absl::StatusOr<Json> DescribeProperties(const Core& core,
                                        const std::string& device) {
  DOVETAIL_ASSIGN_OR_RETURN(const PropertySchema schema,
                            core.Properties(device));
  DOVETAIL_ASSIGN_OR_RETURN(const Config config, core.DeviceConfig(device));
  Json properties = Json::array();
  for (const PropertySpec& spec : schema.specs()) {
    const absl::StatusOr<std::string> value =
        core.GetProperty(device, spec.name);
    const bool read_only = spec.mutability == Mutability::kReadOnly;
    Json entry = {
        {"name", spec.name},
        {"value", value.ok() ? *value : std::string(value.status().message())},
        {"type", spec.type},
        {"mutability", read_only ? "RO" : "RW"},
        {"description", spec.description}};
    const absl::StatusOr<Config::Entry> set = config.Find(spec.name);
    if (!read_only && set.ok()) {
      entry["origin"] = std::string(PropertyOriginName(set->origin));
    }
    properties.push_back(std::move(entry));
  }
  return properties;
}

absl::StatusOr<Json> DescribeDevices(const Core& core) {
  Json devices = Json::array();
  for (const std::string& name : core.AvailableDevices()) {
    Json device = {{"name", name}};
    const absl::StatusOr<std::string> full_name =
        core.GetProperty(name, "FULL_DEVICE_NAME");
    if (full_name.ok()) device["full_name"] = *full_name;
    DOVETAIL_ASSIGN_OR_RETURN(const PluginVersion version, core.Version(name));
    device["plugin"] = {{"description", version.description},
                        {"build", version.build},
                        {"library", version.library}};
    DOVETAIL_ASSIGN_OR_RETURN(device["properties"],
                              DescribeProperties(core, name));
    devices.push_back(std::move(device));
  }
  return devices;
}

void PrintDevices(const Json& devices, std::ostream& out) {
  for (const Json& device : devices) {
    out << device["name"].get<std::string>();
    if (device.contains("full_name")) {
      out << "  " << device["full_name"].get<std::string>();
    }
    out << "\n";
    const Json& plugin = device["plugin"];
    const auto library = plugin["library"].get<std::string>();
    out << "  plugin: " << plugin["description"].get<std::string>()
        << "; build " << plugin["build"].get<std::string>()
        << (library.empty() ? "" : "; from ") << library << "\n";
    size_t width = 0;
    for (const Json& property : device["properties"]) {
      width = std::max(width, property["name"].get<std::string>().size());
    }
    for (const Json& property : device["properties"]) {
      const auto name = property["name"].get<std::string>();
      if (name == "SUPPORTED_PROPERTIES") continue;  // this very list
      // Those are for `dovetail operations`.
      if (name == "NATIVE_OPERATIONS" || name == "REFERENCE_OPERATIONS" ||
          name == "DECOMPOSED_OPERATIONS") {
        continue;
      }
      out << "  " << name << std::string(width - name.size() + 2, ' ')
          << property["value"].get<std::string>();
      const std::string origin = property.value("origin", "");
      if (!origin.empty() && origin != "default") out << "  (" << origin << ")";
      out << "\n";
    }
  }
}

Json DescribeExtensions(const Core& core) {
  Json extensions = Json::array();
  for (const ExtensionInfo& info : core.Extensions()) {
    extensions.push_back({{"name", info.name},
                          {"description", info.description},
                          {"build", info.build},
                          {"library", info.library},
                          {"operations", info.operations}});
  }
  return extensions;
}

absl::StatusOr<int> Run(const Arguments& arguments, std::ostream& out) {
  DOVETAIL_ASSIGN_OR_RETURN(const bool json, WantsJson(arguments));
  if (!arguments.positional().empty()) {
    return InvalidArgument("devices takes no operand, got '",
                           arguments.positional()[0], "'");
  }
  Core core;
  // What cannot be loaded is listed with its reason.
  const auto not_loaded = TryLoadPlugins(core, arguments);
  DOVETAIL_ASSIGN_OR_RETURN(const Json devices, DescribeDevices(core));
  auto unavailable = core.UnavailableDevices();
  unavailable.insert(not_loaded.begin(), not_loaded.end());
  if (json) {
    Json reasons = Json::object();
    for (const auto& [name, status] : unavailable) {
      reasons[name] = std::string(status.message());
    }
    out << Json{{"devices", devices},
                {"extensions", DescribeExtensions(core)},
                {"unavailable", reasons}}
               .dump()
        << "\n";
    return kDone;
  }
  PrintDevices(devices, out);
  out << ExtensionsText(core);
  for (const auto& [name, status] : unavailable) {
    out << name << "  not available: " << status.message() << "\n";
  }
  return kDone;
}

}  // namespace

Command DevicesCommand() {
  return {"devices",
          "",
          "lists the devices and their properties",
          {kPluginFlag, kExtensionFlag, kFormatFlag},
          &Run};
}

}  // namespace dovetail::cli
