#include "dovetail/core/runtime/testing/group_plugin.h"

#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/blob/blob_writer.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {
namespace {

constexpr absl::string_view kPriorities = "MULTI_DEVICE_PRIORITIES";

std::string PartName(size_t i) { return absl::StrCat("part ", i); }

class GroupContext : public ExecutionContext {
 public:
  GroupContext(const Executable& executable,
               std::unique_ptr<ExecutionContext> first)
      : ExecutionContext(executable), first_(std::move(first)) {}

  absl::Span<const Stage> stages() override { return first_->stages(); }
  absl::Status SetInput(int i, const Tensor& tensor) override {
    return first_->SetInput(i, tensor);
  }
  absl::Status SetOutput(int i, const Tensor& tensor) override {
    return first_->SetOutput(i, tensor);
  }
  absl::StatusOr<Tensor> Input(int i) override { return first_->Input(i); }
  absl::StatusOr<Tensor> Output(int i) override { return first_->Output(i); }

 private:
  const std::unique_ptr<ExecutionContext> first_;
};

class GroupExecutable : public Executable {
 public:
  // With all parts but the first still to come.
  GroupExecutable(std::shared_ptr<Host> host, std::vector<GroupPart> parts,
                  const Config& config)
      : Executable({Copy((*parts[0].executable)->inputs()),
                    Copy((*parts[0].executable)->outputs()), config}),
        host_(std::move(host)),
        parts_(std::move(parts)) {}
  ~GroupExecutable() override { Join(); }

  absl::StatusOr<std::unique_ptr<ExecutionContext>> NewContext()
      const override {
    DOVETAIL_ASSIGN_OR_RETURN(auto first,
                              (*parts_[0].executable)->NewContext());
    return std::make_unique<GroupContext>(*this, std::move(first));
  }
  absl::Status Export(BlobWriter& blob) const override {
    for (size_t i = 0; i < parts().size(); ++i) {
      const GroupPart& part = parts()[i];
      BlobWriter nested = blob.Nested(PartName(i));
      DOVETAIL_RETURN_IF_ERROR(part.executable.status());
      DOVETAIL_RETURN_IF_ERROR(
          host_->Export(**part.executable, part.device, nested));
    }
    return absl::OkStatus();
  }

  // Compiles the other parts.
  void Go(const std::function<void()>& background,
          std::function<void(GroupPart&)> compile) {
    const auto all = [this, compile = std::move(compile)] {
      for (size_t i = 1; i < parts_.size(); ++i) compile(parts_[i]);
    };
    if (background == nullptr) return all();
    thread_ = std::thread([background, all] {
      background();
      all();
    });
  }
  const std::vector<GroupPart>& parts() const {
    Join();
    return parts_;
  }

 private:
  static std::vector<PortInfo> Copy(absl::Span<const PortInfo> ports) {
    return {ports.begin(), ports.end()};
  }
  void Join() const {
    if (thread_.joinable()) thread_.join();
  }

  const std::shared_ptr<Host> host_;
  std::vector<GroupPart> parts_;
  mutable std::thread thread_;
};

class GroupPlugin : public Plugin {
 public:
  GroupPlugin(std::shared_ptr<Group> group, PropertySchema schema)
      : Plugin(group->name, std::move(schema)), group_(std::move(group)) {}

  absl::StatusOr<std::vector<Device>> Devices() const override {
    return std::vector<Device>();  // but by its parts
  }
  absl::Status Lower(Model&, const PluginCall&) const override {
    return Internal("a group lowers nothing");
  }
  absl::StatusOr<Support> Supports(const Node&,
                                   const PluginCall&) const override {
    return Internal("a group runs nothing");
  }
  absl::StatusOr<std::unique_ptr<Executable>> CompileLowered(
      LoweredModel, const PluginCall&) const override {
    return Internal("a group runs nothing");
  }

  absl::StatusOr<std::string> GetMetric(absl::string_view name,
                                        const PluginCall& call) const override {
    const auto host = call.host.shared_from_this();
    if (name == properties::kOptimizationCapabilities) {
      return absl::StrCat(absl::StrJoin(host->AvailableDevices(), " "),
                          group_->cached_as_a_whole ? " EXPORT_IMPORT" : "");
    }
    if (name != properties::kDeviceArchitecture) {
      return Plugin::GetMetric(name, call);
    }
    DOVETAIL_ASSIGN_OR_RETURN(const auto devices, DevicesOf(call));
    return host->GetProperty(devices[0], name);
  }
  std::string CacheIdentity(const PluginCall& call) const override {
    std::string identity;
    for (const std::string& device : DevicesOf(call).value_or(Names())) {
      const auto part = call.host.CacheIdentity(device, ForParts(call));
      absl::StrAppend(&identity, part.ok() ? *part : part.status().ToString());
    }
    return identity;
  }

  absl::StatusOr<std::unique_ptr<Executable>> Compile(
      std::unique_ptr<Model> model, const PluginCall& call) const override {
    ++group_->compiled;
    const std::shared_ptr<const Model> shared = std::move(model);
    const auto compile = [shared, host = call.host.shared_from_this(),
                          context = call.context,
                          properties = ForParts(call)](GroupPart& part) {
      part.executable =
          host->Compile(*shared, part.device, properties, context);
    };
    return Made(call, group_->background, compile);
  }
  absl::StatusOr<std::unique_ptr<Executable>> Import(
      const PluginCall& call) const override {
    size_t i = 0;
    return Made(call, nullptr, [&](GroupPart& part) {
      part.executable = call.host.Import(call.blob->Nested(PartName(i++)),
                                         part.device, ForParts(call));
    });
  }
  absl::StatusOr<QueryResult> Query(const Model& model,
                                    const PluginCall& call) const override {
    DOVETAIL_ASSIGN_OR_RETURN(const auto devices, DevicesOf(call));
    return call.host.Query(model, devices[0], ForParts(call));
  }

 private:
  using Names = std::vector<std::string>;

  // The list may go on with devices that are made of others themselves.
  absl::StatusOr<Names> DevicesOf(const PluginCall& call) const {
    const std::string list = call.config.GetString(kPriorities);
    if (list.empty()) {
      return InvalidArgument(name(), " needs a list of devices");
    }
    if (list.find(':') != std::string::npos) return Names{list};
    return Names(absl::StrSplit(list, ','));
  }
  PropertyMap ForParts(const PluginCall& call) const {
    PropertyMap properties;
    for (const char* key : {"NUMBER", "CACHE_DIR"}) {
      if (!call.config.IsSet(key)) continue;
      properties[key] = call.config.GetString(key);
    }
    if (group_->cached_as_a_whole) properties["CACHE_DIR"] = "";
    return properties;
  }
  template <typename Compile>
  absl::StatusOr<std::unique_ptr<Executable>> Made(
      const PluginCall& call, const std::function<void()>& background,
      Compile compile) const {
    DOVETAIL_ASSIGN_OR_RETURN(const auto devices, DevicesOf(call));
    std::vector<GroupPart> parts;
    for (const std::string& device : devices) {
      parts.push_back({device, absl::UnknownError("not compiled yet")});
    }
    compile(parts[0]);
    DOVETAIL_RETURN_IF_ERROR(parts[0].executable.status());
    auto executable = std::make_unique<GroupExecutable>(
        call.host.shared_from_this(), std::move(parts), call.config);
    executable->Go(background, compile);
    return std::unique_ptr<Executable>(std::move(executable));
  }

  const std::shared_ptr<Group> group_;
};

}  // namespace

absl::Status RegisterGroup(PluginRegistry& registry,
                           std::shared_ptr<Group> group) {
  std::vector<PropertySpec> specs = properties::DeviceMetrics();
  specs.push_back(TextProperty(kPriorities, "", "The devices."));
  specs.push_back(IntProperty("NUMBER", 2, 0, 99, "For the parts."));
  for (PropertySpec& spec : properties::CacheProperties()) {
    specs.push_back(std::move(spec));
  }
  DOVETAIL_ASSIGN_OR_RETURN(PropertySchema schema,
                            PropertySchema::Make(std::move(specs)));
  return registry.Register(
      group->name,
      [group, schema]() -> absl::StatusOr<std::unique_ptr<Plugin>> {
        return std::make_unique<GroupPlugin>(group, schema);
      });
}

const std::vector<GroupPart>& PartsOf(const Executable& executable) {
  return static_cast<const GroupExecutable&>(executable).parts();
}

}  // namespace dovetail
