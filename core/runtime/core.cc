#include <mutex>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/core/base/catch_exceptions.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/core/runtime/blob_header.h"
#include "dovetail/core/runtime/device_name.h"
#include "dovetail/core/runtime/model_cache.h"
#include "dovetail/core/runtime/model_reader.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/core/tensor/mapped_file.h"

namespace dovetail {
namespace {

constexpr absl::string_view kDevicePriorities = "MULTI_DEVICE_PRIORITIES";

// Properties that a model brings along, but for those of other devices.
PropertyMap RuntimeOptions(const Model& model, const PropertySchema& schema) {
  PropertyMap options;
  const auto it = model.rt_info().children.find("runtime_options");
  if (it == model.rt_info().children.end()) return options;
  for (const auto& [name, entry] : it->second.children) {
    if (!schema.Find(name).ok()) continue;
    const std::string* value = entry.Find({"value"});
    options[name] = value != nullptr ? *value : entry.value;
  }
  return options;
}

absl::Status CheckId(absl::string_view kind, absl::string_view id,
                     const std::vector<Device>& devices) {
  std::vector<std::string> ids;
  for (const Device& device : devices) {
    if (device.id == id) return absl::OkStatus();
    ids.push_back(device.id.empty() ? "(none)" : device.id);
  }
  return NotFound("there is no device ", kind, ".", id, "; the ids are: ",
                  absl::StrJoin(ids, ", "));
}

}  // namespace

struct Core::State {
  PluginRegistry* registry;
  mutable std::mutex mutex;  // guards what follows
  PropertyMap global;
  std::map<std::string, PropertyMap> by_device;  // "GPU", "GPU.1"
};

// A device as a user has named it, found.
struct Core::Target {
  std::string name;  // "GPU.1"
  DeviceName parsed;
  const Plugin* plugin = nullptr;

  std::string Architecture() const {
    auto text = plugin->GetMetric(properties::kDeviceArchitecture);
    return text.ok() ? *std::move(text) : "";
  }
};

Core::Core() : Core(&PluginRegistry::Global()) {}
Core::Core(PluginRegistry* registry) : state_(std::make_shared<State>()) {
  state_->registry = registry;
}

// ---- Devices ----

absl::StatusOr<Core::Target> Core::Find(absl::string_view device) const {
  Target target;
  target.name = std::string(device);
  if (device.empty()) {
    target.name = "REFERENCE";
    for (const std::string& name : state_->registry->Names()) {
      if (name == "CPU") target.name = name;
    }
  }
  DOVETAIL_ASSIGN_OR_RETURN(target.parsed, ParseDeviceName(target.name));
  DOVETAIL_ASSIGN_OR_RETURN(target.plugin,
                            state_->registry->Get(target.parsed.kind));
  // By its own name, should this be a second one.
  const std::string own(target.plugin->name());
  target.name.replace(0, target.parsed.kind.size(), own);
  target.parsed.kind = own;
  if (!target.parsed.id.empty()) {
    DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Device> devices,
                              target.plugin->Devices());
    DOVETAIL_RETURN_IF_ERROR(
        CheckId(target.parsed.kind, target.parsed.id, devices));
  }
  return target;
}

std::vector<std::string> Core::AvailableDevices() const {
  std::vector<std::string> names;
  for (const std::string& name : state_->registry->Names()) {
    const auto plugin = state_->registry->Get(name);
    if (!plugin.ok()) continue;
    const auto devices = (*plugin)->Devices();
    if (!devices.ok()) continue;
    for (const Device& device : *devices) {
      names.push_back(device.id.empty() ? name
                                        : absl::StrCat(name, ".", device.id));
    }
  }
  return names;
}

std::map<std::string, absl::Status> Core::UnavailableDevices() const {
  std::map<std::string, absl::Status> reasons;
  for (const std::string& name : state_->registry->Names()) {
    const auto plugin = state_->registry->Get(name);
    if (!plugin.ok()) continue;  // Failures() has it
    const auto devices = (*plugin)->Devices();
    if (!devices.ok()) reasons[name] = devices.status();
  }
  reasons.merge(state_->registry->Failures());
  return reasons;
}

absl::Status Core::LoadPlugin(const std::string& path) {
  return state_->registry->Load(path);
}

std::map<std::string, PluginVersion> Core::Versions() const {
  return state_->registry->Versions();
}

absl::StatusOr<PluginVersion> Core::Version(absl::string_view device) const {
  DOVETAIL_ASSIGN_OR_RETURN(const DeviceName name, ParseDeviceName(device));
  return state_->registry->Version(name.kind);
}

// ---- Properties ----

absl::StatusOr<Config> Core::Resolve(const Target& target,
                                     const PropertyMap& call,
                                     const PropertyMap& model) const {
  const PropertySchema& schema = target.plugin->properties();
  PropertyLayers layers;
  layers.call = call;
  layers.model = model;
  {
    std::lock_guard<std::mutex> lock(state_->mutex);
    layers.global = state_->global;
    // What is set for "GPU.1" is nearer than what is set for "GPU".
    for (const std::string& name : {target.name, target.parsed.kind}) {
      const auto it = state_->by_device.find(name);
      if (it == state_->by_device.end()) continue;
      layers.device.insert(it->second.begin(), it->second.end());
    }
  }
  const std::string id(properties::kDeviceId);
  if (!target.parsed.id.empty() && schema.Find(id).ok()) {
    layers.call[id] = target.parsed.id;
  }
  if (!target.parsed.priorities.empty()) {
    layers.call[std::string(kDevicePriorities)] = target.parsed.priorities;
  }
  absl::StatusOr<Config> config = Config::Resolve(schema, layers);
  if (config.ok()) return config;
  return Annotate(config.status(), absl::StrCat("device ", target.name));
}

absl::Status Core::SetProperty(absl::string_view device,
                               absl::string_view name,
                               absl::string_view value) {
  if (device.empty()) {
    std::lock_guard<std::mutex> lock(state_->mutex);
    state_->global[std::string(name)] = std::string(value);
    return absl::OkStatus();
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Target target, Find(device));
  DOVETAIL_ASSIGN_OR_RETURN(const std::string canonical,
                            target.plugin->properties().Check(name, value));
  std::lock_guard<std::mutex> lock(state_->mutex);
  state_->by_device[target.name][std::string(name)] = canonical;
  return absl::OkStatus();
}

absl::StatusOr<std::string> Core::GetProperty(absl::string_view device,
                                              absl::string_view name) const {
  DOVETAIL_ASSIGN_OR_RETURN(const Target target, Find(device));
  const PropertySchema& schema = target.plugin->properties();
  DOVETAIL_ASSIGN_OR_RETURN(const PropertySpec* spec, schema.Find(name));
  if (spec->mutability == Mutability::kReadWrite) {
    DOVETAIL_ASSIGN_OR_RETURN(const Config config, Resolve(target, {}, {}));
    return config.GetString(name);
  }
  if (name == properties::kSupportedProperties) {
    std::vector<std::string> all;
    for (const PropertySpec& known : schema.specs()) {
      const bool set = known.mutability == Mutability::kReadWrite;
      all.push_back(absl::StrCat(known.name, set ? ":RW" : ":RO"));
    }
    return absl::StrJoin(all, " ");
  }
  const bool of_devices = name == properties::kAvailableDevices ||
                          name == properties::kFullDeviceName;
  if (!of_devices) return target.plugin->GetMetric(name);
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Device> devices,
                            target.plugin->Devices());
  std::vector<std::string> ids, names;
  for (const Device& known : devices) {
    ids.push_back(known.id);
    if (target.parsed.id.empty() || known.id == target.parsed.id) {
      names.push_back(known.full_name);
    }
  }
  return name == properties::kAvailableDevices ? absl::StrJoin(ids, " ")
                                               : absl::StrJoin(names, "; ");
}

absl::StatusOr<Config> Core::DeviceConfig(absl::string_view device) const {
  DOVETAIL_ASSIGN_OR_RETURN(const Target target, Find(device));
  return Resolve(target, {}, {});
}

absl::StatusOr<const PropertySchema*> Core::Properties(
    absl::string_view device) const {
  DOVETAIL_ASSIGN_OR_RETURN(const Target target, Find(device));
  return &target.plugin->properties();
}

// ---- Models ----

absl::StatusOr<std::unique_ptr<Model>> Core::ReadModel(
    const std::string& path, const std::string& weights_path) const {
  return ModelReaders::Global().Read(path, weights_path);
}

absl::StatusOr<CompiledModel> Core::Compile(
    const Model& model, absl::string_view device,
    const PropertyMap& properties) const {
  DOVETAIL_ASSIGN_OR_RETURN(const Target target, Find(device));
  DOVETAIL_ASSIGN_OR_RETURN(
      const Config config,
      Resolve(target, properties,
              RuntimeOptions(model, target.plugin->properties())));
  const std::string folder = config.GetString(properties::kCacheDir);
  if (folder.empty()) return CompileNow(target, model, config);

  const std::string path =
      CachePath(folder, model, config, target.name, target.Architecture());
  auto cached = LoadFromCache(target, path, config);
  if (cached.ok()) return cached;
  DOVETAIL_ASSIGN_OR_RETURN(CompiledModel compiled,
                            CompileNow(target, model, config));
  // A device that cannot export and a disk that is full are no reason to fail.
  const absl::StatusOr<std::string> bytes = compiled.ExportToString();
  if (bytes.ok()) StoreInCache(path, *bytes).IgnoreError();
  return compiled;
}

absl::StatusOr<CompiledModel> Core::Compile(
    const std::string& path, absl::string_view device,
    const PropertyMap& properties) const {
  DOVETAIL_ASSIGN_OR_RETURN(const std::unique_ptr<Model> model,
                            ReadModel(path));
  return Compile(*model, device, properties);
}

absl::StatusOr<CompiledModel> Core::CompileNow(const Target& target,
                                               const Model& model,
                                               const Config& config) const {
  const auto compile = [&]() -> absl::StatusOr<std::unique_ptr<Executable>> {
    // Whoever builds models node by node may have changed one since: devices
    // rely on what inference finds out, and on attributes that it has checked.
    std::unique_ptr<Model> copy = model.Clone();
    DOVETAIL_RETURN_IF_ERROR(copy->Infer());
    return target.plugin->Compile(std::move(copy), config);
  };
  DOVETAIL_ASSIGN_OR_RETURN(
      std::unique_ptr<Executable> executable,
      CatchExceptions([] { return "compiling the model"; }, compile));
  return Wrap(target, std::move(executable), model.name(),
              /*loaded_from_cache=*/false);
}

absl::StatusOr<CompiledModel> Core::Wrap(const Target& target,
                                         std::unique_ptr<Executable> executable,
                                         const std::string& model_name,
                                         bool loaded_from_cache) const {
  if (executable == nullptr) {
    return Internal("device ", target.name, " gave no compiled model");
  }
  CompiledModel::Origin origin;
  origin.device = target.name;
  origin.plugin = target.parsed.kind;
  origin.architecture = target.Architecture();
  origin.model_name = model_name;
  origin.loaded_from_cache = loaded_from_cache;
  return CompiledModel(std::move(executable), std::move(origin));
}

absl::StatusOr<CompiledModel> Core::ImportPayload(const Target& target,
                                                  const Blob& blob,
                                                  const Config& config,
                                                  bool from_cache) const {
  DOVETAIL_ASSIGN_OR_RETURN(
      std::unique_ptr<Executable> executable,
      CatchExceptions(
          [] { return "importing the model"; },
          [&] { return target.plugin->Import(blob.payload, config); }));
  return Wrap(target, std::move(executable), blob.header.model_name,
              from_cache);
}

absl::StatusOr<CompiledModel> Core::LoadFromCache(const Target& target,
                                                  const std::string& path,
                                                  const Config& config) const {
  DOVETAIL_ASSIGN_OR_RETURN(const std::shared_ptr<const MappedFile> file,
                            MappedFile::Open(path));
  DOVETAIL_ASSIGN_OR_RETURN(
      const Blob blob,
      ReadBlob({static_cast<const char*>(file->data()), file->size()}));
  DOVETAIL_RETURN_IF_ERROR(CheckBlobFits(blob.header, target.parsed.kind,
                                         target.Architecture()));
  return ImportPayload(target, blob, config, /*from_cache=*/true);
}

absl::StatusOr<CompiledModel> Core::ImportFromString(
    absl::string_view bytes, absl::string_view device,
    const PropertyMap& properties) const {
  DOVETAIL_ASSIGN_OR_RETURN(const Blob blob, ReadBlob(bytes));
  DOVETAIL_ASSIGN_OR_RETURN(
      const Target target,
      Find(device.empty() ? blob.header.device : device));
  DOVETAIL_RETURN_IF_ERROR(CheckBlobFits(blob.header, target.parsed.kind,
                                         target.Architecture()));
  DOVETAIL_ASSIGN_OR_RETURN(
      const Config config,
      Resolve(target, properties, blob.header.properties));
  return ImportPayload(target, blob, config, /*from_cache=*/false);
}

absl::StatusOr<CompiledModel> Core::Import(
    const std::string& path, absl::string_view device,
    const PropertyMap& properties) const {
  DOVETAIL_ASSIGN_OR_RETURN(const std::shared_ptr<const MappedFile> file,
                            MappedFile::Open(path));
  absl::StatusOr<CompiledModel> compiled = ImportFromString(
      {static_cast<const char*>(file->data()), file->size()}, device,
      properties);
  if (compiled.ok()) return compiled;
  return Annotate(compiled.status(), absl::StrCat("'", path, "'"));
}

absl::StatusOr<QueryResult> Core::Query(const Model& model,
                                        absl::string_view device,
                                        const PropertyMap& properties) const {
  DOVETAIL_ASSIGN_OR_RETURN(const Target target, Find(device));
  DOVETAIL_ASSIGN_OR_RETURN(
      const Config config,
      Resolve(target, properties,
              RuntimeOptions(model, target.plugin->properties())));
  return QueryModel(*target.plugin, model, config);
}

}  // namespace dovetail
