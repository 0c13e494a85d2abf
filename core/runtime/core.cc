#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/core/base/catch_exceptions.h"
#include "dovetail/core/base/log.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/device_properties.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/core/runtime/compilation.h"
#include "dovetail/core/runtime/core_state.h"
#include "dovetail/core/runtime/model_reader.h"
#include "dovetail/core/runtime/runtime.h"

namespace dovetail {
namespace {

// The keys of core itself, which no device has.
const PropertySchema& CoreSchema() {
  static const auto& schema =
      *new PropertySchema(PropertySchema::Make({properties::LogLevelProperty(),
                                                properties::EnableMmap()})
                              .value_or(PropertySchema()));
  return schema;
}

// Nearer than what the call says of the same key, by whichever name.
void Override(const PropertySchema& schema, const PropertyMap& nearer,
              PropertyMap& call) {
  for (const auto& [name, value] : nearer) {
    for (auto it = call.begin(); it != call.end();) {
      const bool same = schema.Canonical(it->first) == schema.Canonical(name);
      it = same ? call.erase(it) : std::next(it);
    }
  }
  call.insert(nearer.begin(), nearer.end());
}

absl::Status CheckId(absl::string_view kind, absl::string_view id,
                     const std::vector<Device>& devices) {
  std::vector<std::string> ids;
  for (const Device& device : devices) {
    if (device.id == id) return absl::OkStatus();
    ids.push_back(device.id);
  }
  if (ids == std::vector<std::string>{""}) {
    return NotFound("there is no device ", kind, ".", id, "; there is one ",
                    kind, ", which has no id");
  }
  if (ids.empty()) {
    return NotFound("there is no device ", kind, ".", id, "; ", kind,
                    " has no ids");
  }
  return NotFound("there is no device ", kind, ".", id,
                  "; the ids are: ", absl::StrJoin(ids, ", "));
}

std::string WithoutParts(const DeviceName& device) {
  if (device.id.empty()) return device.kind;
  return absl::StrCat(device.kind, ".", device.id);
}

}  // namespace

Core::Core() : Core(&PluginRegistry::Global()) {}
Core::Core(PluginRegistry* registry) : state_(std::make_shared<State>()) {
  state_->registry = registry;
}

// ---- Devices ----

absl::StatusOr<std::string> Core::DefaultDevice() const {
  std::string reasons;
  for (const std::string& name : state_->registry->ByPriority()) {
    const auto plugin = state_->registry->Get(name);
    const absl::Status usable =
        plugin.ok() ? (*plugin)->Devices().status() : plugin.status();
    if (usable.ok()) return name;
    absl::StrAppend(&reasons, "; ", usable.message());
  }
  return NotFound("there is no device to take by itself, name one; there are: ",
                  absl::StrJoin(state_->registry->Names(), ", "), reasons);
}

absl::StatusOr<Core::Target> Core::Find(absl::string_view device) const {
  Target target;
  target.name = std::string(device);
  if (device.empty()) {
    DOVETAIL_ASSIGN_OR_RETURN(target.name, DefaultDevice());
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

absl::StatusOr<Core::Target> Core::FindUsable(absl::string_view device) const {
  DOVETAIL_ASSIGN_OR_RETURN(Target target, Find(device));
  DOVETAIL_RETURN_IF_ERROR(CheckNotWithin(target));
  DOVETAIL_RETURN_IF_ERROR(target.plugin->Devices().status());
  return target;
}

// A device that is made of itself would ask for its parts for ever.
absl::Status Core::CheckNotWithin(const Target& target) const {
  const std::string name = WithoutParts(target.parsed);
  if (std::find(within_.begin(), within_.end(), name) == within_.end()) {
    return absl::OkStatus();
  }
  return InvalidArgument("device ", name,
                         " is made of itself: ", absl::StrJoin(within_, " -> "),
                         " -> ", name);
}

std::shared_ptr<Host> Core::HostOf(const Target& target) const {
  Core core = *this;
  core.within_.push_back(WithoutParts(target.parsed));
  return std::make_shared<CoreHost>(core);
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

absl::Status Core::AddExtension(const std::string& path) {
  return state_->extensions->Load(path);
}

absl::Status Core::AddExtension(const OpLibrary& library) {
  return state_->extensions->Add(library);
}

std::vector<ExtensionInfo> Core::Extensions() const {
  return state_->extensions->List();
}

std::map<std::string, PluginVersion> Core::Versions() const {
  return state_->registry->Versions();
}

absl::StatusOr<PluginVersion> Core::Version(absl::string_view device) const {
  DOVETAIL_ASSIGN_OR_RETURN(const DeviceName name, ParseDeviceName(device));
  return state_->registry->Version(name.kind);
}

// ---- Properties ----

PropertyLayers Core::LayersOf(const Target& target, const PropertyMap& call,
                              const PropertyMap& model) const {
  PropertyLayers layers;
  layers.call = call;
  layers.model = model;
  std::lock_guard<std::mutex> lock(state_->mutex);
  layers.global = state_->global;
  // What is set for "GPU.1" is nearer than what is set for "GPU".
  for (const std::string& name : {target.name, target.parsed.kind}) {
    const auto it = state_->by_device.find(name);
    if (it == state_->by_device.end()) continue;
    layers.device.insert(it->second.begin(), it->second.end());
  }
  return layers;
}

// Which keys there are depends on the list of parts, which is a key itself.
absl::StatusOr<PropertySchema> Core::SchemaOf(const Target& target,
                                              const PropertyMap& call,
                                              const PropertyMap& model) const {
  const PropertySchema& own = target.plugin->properties();
  const std::string key(properties::kDevicePriorities);
  if (!own.Has(key)) return own;
  PropertyLayers layers = LayersOf(target, call, model);
  for (PropertyMap* const layer :
       {&layers.call, &layers.model, &layers.device}) {
    std::erase_if(*layer, [&](const auto& entry) {
      return own.Canonical(entry.first) != key;
    });
  }
  if (!target.parsed.priorities.empty()) {
    layers.call = {{key, target.parsed.priorities}};
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Config config, Config::Resolve(own, layers));
  const std::string list = config.GetString(key);
  if (list.empty()) return own;
  auto schema = target.plugin->PropertiesWithParts({config, *HostOf(target)});
  const std::string device = absl::StrCat("device ", target.parsed.kind);
  if (schema.ok() || absl::StartsWith(schema.status().message(), device)) {
    return schema;
  }
  // A part's error, which does not know in which list it stands.
  return Annotate(schema.status(), absl::StrCat(device, ":", list));
}

absl::StatusOr<Config> Core::Resolve(const Target& target,
                                     const PropertyMap& call,
                                     const PropertyMap& model) const {
  DOVETAIL_ASSIGN_OR_RETURN(const PropertySchema schema,
                            SchemaOf(target, call, model));
  PropertyLayers layers = LayersOf(target, call, model);
  DOVETAIL_RETURN_IF_ERROR(SpreadDeviceProperties(target, layers.call));
  DOVETAIL_RETURN_IF_ERROR(MapsWeights(call).status());
  if (!schema.Has(properties::kEnableMmap)) {
    layers.call.erase(std::string(properties::kEnableMmap));
  }
  const std::string id(properties::kDeviceId);
  if (!target.parsed.id.empty() && schema.Has(id)) {
    layers.call[id] = target.parsed.id;
  }
  if (!target.parsed.priorities.empty()) {
    if (!schema.Has(properties::kDevicePriorities)) {
      return InvalidArgument("device ", target.parsed.kind,
                             " takes no list of devices: want ",
                             target.parsed.kind, ", not ", target.name);
    }
    std::string& given =
        layers.call[std::string(properties::kDevicePriorities)];
    if (!given.empty() && given != target.parsed.priorities) {
      return InvalidArgument("device ", target.name,
                             ": the list of its name and ",
                             properties::kDevicePriorities, " = '", given,
                             "' are the same: want one of them");
    }
    given = target.parsed.priorities;
  }
  absl::StatusOr<Config> config = Config::Resolve(schema, layers);
  if (config.ok()) return config;
  return Annotate(config.status(), absl::StrCat("device ", target.name));
}

// Takes what DEVICE_PROPERTIES has for the target out of it, unless the device
// is one that takes it whole, as devices made of others do.
absl::Status Core::SpreadDeviceProperties(const Target& target,
                                          PropertyMap& call) const {
  const PropertySchema& schema = target.plugin->properties();
  const auto it = call.find(std::string(properties::kDeviceProperties));
  if (it == call.end() || schema.Has(it->first)) return absl::OkStatus();
  const auto devices = ParseDeviceProperties(it->second);
  if (!devices.ok()) return Annotate(devices.status(), it->first);
  call.erase(it);
  // By name, so "GPU", which is for all of them, comes before "GPU.1".
  for (const auto& [device, of_device] : *devices) {
    DOVETAIL_ASSIGN_OR_RETURN(const DeviceName name, ParseDeviceName(device));
    const absl::Status known = state_->registry->Version(name.kind).status();
    if (!known.ok()) return Annotate(known, properties::kDeviceProperties);
    const auto plugin = state_->registry->Get(name.kind);
    const bool meant = plugin.ok() && *plugin == target.plugin &&
                       (name.id.empty() || name.id == target.parsed.id);
    if (meant) Override(schema, of_device, call);
  }
  return absl::OkStatus();
}

// Only a key that some device has, or core itself, can have an effect. Kept by
// its own name, so that who sets it last is right, whatever they call it.
absl::StatusOr<std::pair<std::string, std::string>> Core::CheckGlobal(
    absl::string_view name, absl::string_view value) const {
  absl::Status unknown = NotFound("there is no device at all");
  if (CoreSchema().Has(name)) {
    DOVETAIL_ASSIGN_OR_RETURN(const std::string canonical,
                              CoreSchema().Check(name, value));
    return std::make_pair(std::string(name), canonical);
  }
  for (const std::string& device : state_->registry->Names()) {
    const auto plugin = state_->registry->Get(device);
    if (!plugin.ok()) continue;
    const PropertySchema& schema = (*plugin)->properties();
    const auto canonical = schema.Check(name, value);
    if (canonical.ok()) {
      return std::make_pair(std::string(schema.Canonical(name)), *canonical);
    }
    if (!absl::IsNotFound(canonical.status())) return canonical.status();
    unknown = Annotate(canonical.status(), absl::StrCat("device ", device));
  }
  return unknown;
}

absl::Status Core::SetDeviceProperties(absl::string_view text) {
  const auto devices = ParseDeviceProperties(text);
  if (!devices.ok()) {
    return Annotate(devices.status(), properties::kDeviceProperties);
  }
  // All or none.
  for (const auto& [device, properties] : *devices) {
    DOVETAIL_ASSIGN_OR_RETURN(const Target target, Find(device));
    for (const auto& [name, value] : properties) {
      DOVETAIL_ASSIGN_OR_RETURN(const PropertySchema schema,
                                SchemaOf(target, {}, {}));
      DOVETAIL_RETURN_IF_ERROR(schema.Check(name, value).status());
    }
  }
  for (const auto& [device, properties] : *devices) {
    for (const auto& [name, value] : properties) {
      DOVETAIL_RETURN_IF_ERROR(SetProperty(device, name, value));
    }
  }
  return absl::OkStatus();
}

absl::Status Core::SetProperty(absl::string_view device, absl::string_view name,
                               absl::string_view value) {
  if (device.empty()) {
    if (name == properties::kDeviceProperties) {
      return SetDeviceProperties(value);
    }
    DOVETAIL_ASSIGN_OR_RETURN(auto checked, CheckGlobal(name, value));
    if (checked.first == properties::kLogLevel) {
      DOVETAIL_ASSIGN_OR_RETURN(const LogLevel level,
                                ParseLogLevel(checked.second));
      SetLogLevel(level);
    }
    std::lock_guard<std::mutex> lock(state_->mutex);
    state_->global[checked.first] = checked.second;
    return absl::OkStatus();
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Target target, Find(device));
  DOVETAIL_ASSIGN_OR_RETURN(const PropertySchema schema,
                            SchemaOf(target, {}, {}));
  DOVETAIL_ASSIGN_OR_RETURN(const std::string canonical,
                            schema.Check(name, value));
  std::lock_guard<std::mutex> lock(state_->mutex);
  state_->by_device[target.name][std::string(schema.Canonical(name))] =
      canonical;
  return absl::OkStatus();
}

absl::StatusOr<std::string> Core::GetProperty(absl::string_view device,
                                              absl::string_view name) const {
  if (device.empty() && name == properties::kLogLevel) {
    return std::string(LogLevelName(GetLogLevel()));
  }
  if (device.empty() && name == properties::kEnableMmap) {
    DOVETAIL_ASSIGN_OR_RETURN(const bool maps, MapsWeights({}));
    return maps ? "YES" : "NO";
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Target target, Find(device));
  DOVETAIL_ASSIGN_OR_RETURN(const PropertySchema schema,
                            SchemaOf(target, {}, {}));
  DOVETAIL_ASSIGN_OR_RETURN(const PropertySpec* spec, schema.Find(name));
  if (spec->mutability == Mutability::kReadWrite) {
    DOVETAIL_ASSIGN_OR_RETURN(const Config config, Resolve(target, {}, {}));
    return schema.Told(name, config.GetString(spec->name));
  }
  if (spec->name == properties::kSupportedProperties) {
    return schema.Told(name, properties::SupportedProperties(schema.specs()));
  }
  DOVETAIL_ASSIGN_OR_RETURN(const std::string value,
                            Metric(target, spec->name));
  return schema.Told(name, value);
}

absl::StatusOr<std::string> Core::OfPlugin(const Target& target,
                                           absl::string_view name) const {
  DOVETAIL_RETURN_IF_ERROR(CheckNotWithin(target));
  DOVETAIL_ASSIGN_OR_RETURN(const Config config, Resolve(target, {}, {}));
  return target.plugin->GetMetric(name, {config, *HostOf(target)});
}

absl::StatusOr<std::string> Core::Metric(const Target& target,
                                         absl::string_view name) const {
  const bool of_devices = name == properties::kAvailableDevices ||
                          name == properties::kFullDeviceName;
  if (!of_devices) return OfPlugin(target, name);
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Device> devices,
                            target.plugin->Devices());
  if (devices.empty() && name == properties::kFullDeviceName) {
    return OfPlugin(target, name);  // made of others, or none is there
  }
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

absl::StatusOr<PropertySchema> Core::Properties(
    absl::string_view device) const {
  DOVETAIL_ASSIGN_OR_RETURN(const Target target, Find(device));
  return SchemaOf(target, {}, {});
}

void Core::SetExecutor(std::shared_ptr<Executor> executor) {
  std::lock_guard<std::mutex> lock(state_->mutex);
  state_->executor.swap(executor);  // what it was goes after the lock
}

void Core::SetAllocator(std::shared_ptr<Allocator> allocator) {
  std::lock_guard<std::mutex> lock(state_->mutex);
  state_->allocator.swap(allocator);
}

// ---- Models ----

absl::StatusOr<bool> Core::MapsWeights(const PropertyMap& call) const {
  PropertyLayers layers;
  const std::string key(properties::kEnableMmap);
  if (const auto it = call.find(key); it != call.end()) layers.call.insert(*it);
  {
    std::lock_guard<std::mutex> lock(state_->mutex);
    const auto it = state_->global.find(key);
    if (it != state_->global.end()) layers.global.insert(*it);
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Config config,
                            Config::Resolve(CoreSchema(), layers));
  return config.GetBool(key);
}

absl::StatusOr<ReadSettings> Core::SettingsForReading(
    const PropertyMap& call, const std::string& weights_path) const {
  ReadSettings settings;
  settings.weights_path = weights_path;
  DOVETAIL_ASSIGN_OR_RETURN(settings.map_weights, MapsWeights(call));
  settings.find_op = [extensions = state_->extensions](
                         absl::string_view type, absl::string_view opset) {
    return extensions->Find(type, opset);
  };
  return settings;
}

absl::StatusOr<std::unique_ptr<Model>> Core::ReadModel(
    const std::string& path, const std::string& weights_path,
    const PropertyMap& properties) const {
  for (const auto& [name, value] : properties) {
    if (name == properties::kEnableMmap) continue;
    return NotFound("reading a model takes no property '", name, "'; it takes ",
                    properties::kEnableMmap);
  }
  DOVETAIL_ASSIGN_OR_RETURN(const ReadSettings settings,
                            SettingsForReading(properties, weights_path));
  return ModelReaders::Global().Read(path, settings);
}

absl::StatusOr<std::unique_ptr<Model>> Core::ReadModelFromMemory(
    absl::string_view text, const Tensor& weights) const {
  DOVETAIL_ASSIGN_OR_RETURN(const ReadSettings settings,
                            SettingsForReading({}, ""));
  return ModelReaders::Global().ReadFromMemory(text, weights, settings);
}

Compilation Core::CompilationFor(const Target& target,
                                 const PropertyMap& properties) const {
  CompiledOrigin origin;
  origin.plugin = target.plugin;
  origin.device = target.name;
  origin.host = HostOf(target);
  origin.extensions = state_->extensions;
  {
    std::lock_guard<std::mutex> lock(state_->mutex);
    origin.executor = state_->executor;
    origin.allocator = state_->allocator;
  }
  origin.header.device = target.parsed.kind;
  const auto version = state_->registry->Version(target.parsed.kind);
  origin.header.build = BuildOf(version.ok() ? version->build : "");
  const auto resolve = [=, core = *this](const PropertyMap& of_model)
      -> absl::StatusOr<Compilation::Settings> {
    Compilation::Settings settings;
    DOVETAIL_ASSIGN_OR_RETURN(settings.schema,
                              core.SchemaOf(target, properties, of_model));
    DOVETAIL_ASSIGN_OR_RETURN(settings.config,
                              core.Resolve(target, properties, of_model));
    return settings;
  };
  return Compilation(std::move(origin), resolve);
}

absl::StatusOr<CompiledModel> Core::Compile(
    const Model& model, absl::string_view device,
    const PropertyMap& properties) const {
  DOVETAIL_ASSIGN_OR_RETURN(const Target target, FindUsable(device));
  return CompilationFor(target, properties).Compile(model);
}

absl::StatusOr<CompiledModel> Core::Compile(
    const std::string& path, absl::string_view device,
    const PropertyMap& properties) const {
  DOVETAIL_ASSIGN_OR_RETURN(const Target target, FindUsable(device));
  DOVETAIL_ASSIGN_OR_RETURN(const ReadSettings settings,
                            SettingsForReading(properties, ""));
  return CompilationFor(target, properties)
      .CompileFiles(
          [&] { return ModelReaders::Global().FilesOf(path); },
          [&] { return ModelReaders::Global().Read(path, settings); });
}

absl::StatusOr<CompiledModel> Core::Compile(
    const Model& model, std::shared_ptr<RemoteContext> context,
    const PropertyMap& properties) const {
  if (context == nullptr) return InvalidArgument("there is no context");
  DOVETAIL_ASSIGN_OR_RETURN(const Target target, FindUsable(context->device()));
  Compilation compilation = CompilationFor(target, properties);
  compilation.set_context(std::move(context));
  return compilation.Compile(model);
}

absl::StatusOr<CompiledModel> Core::Import(
    const BlobReader& blob, absl::string_view device,
    const PropertyMap& properties) const {
  DOVETAIL_ASSIGN_OR_RETURN(const BlobHeader header, ReadBlobHeader(blob));
  DOVETAIL_ASSIGN_OR_RETURN(
      const Target target,
      FindUsable(device.empty() ? absl::string_view(header.device) : device));
  return CompilationFor(target, properties).Import(blob);
}

absl::StatusOr<CompiledModel> Core::ImportFromString(
    absl::string_view bytes, absl::string_view device,
    const PropertyMap& properties) const {
  DOVETAIL_ASSIGN_OR_RETURN(const BlobReader blob,
                            BlobReader::FromBytes(bytes));
  return Import(blob, device, properties);
}

absl::StatusOr<CompiledModel> Core::Import(
    const std::string& path, absl::string_view device,
    const PropertyMap& properties) const {
  DOVETAIL_ASSIGN_OR_RETURN(const BlobReader blob, BlobReader::Open(path));
  absl::StatusOr<CompiledModel> compiled = Import(blob, device, properties);
  if (compiled.ok()) return compiled;
  return Annotate(compiled.status(), absl::StrCat("'", path, "'"));
}

absl::StatusOr<QueryResult> Core::Query(const Model& model,
                                        absl::string_view device,
                                        const PropertyMap& properties) const {
  DOVETAIL_ASSIGN_OR_RETURN(const Target target, FindUsable(device));
  DOVETAIL_ASSIGN_OR_RETURN(const PropertySchema schema,
                            SchemaOf(target, properties, {}));
  DOVETAIL_ASSIGN_OR_RETURN(
      const Config config,
      Resolve(target, properties, RuntimeOptions(model, schema)));
  const std::shared_ptr<Host> host = HostOf(target);
  return CatchExceptions(
      [] { return "querying the model"; },
      [&]() -> absl::StatusOr<QueryResult> {
        if (!state_->extensions->has_kernels()) {
          return target.plugin->Query(model, {config, *host});
        }
        const std::unique_ptr<Model> copy = model.Clone();
        DOVETAIL_RETURN_IF_ERROR(state_->extensions->UseKernels(*copy));
        return target.plugin->Query(*copy, {config, *host});
      });
}

absl::StatusOr<std::shared_ptr<RemoteContext>> Core::CreateContext(
    absl::string_view device, const RemoteParams& params) const {
  DOVETAIL_ASSIGN_OR_RETURN(const Target target, FindUsable(device));
  DOVETAIL_ASSIGN_OR_RETURN(const Config config, Resolve(target, {}, {}));
  const std::shared_ptr<Host> host = HostOf(target);
  return target.plugin->CreateContext(params, {config, *host});
}

}  // namespace dovetail
