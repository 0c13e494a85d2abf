#include "dovetail/testing/fakes/fake_plugin.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/pass/pass_manager.h"
#include "dovetail/core/plugin/query.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/testing/fakes/fake_executable.h"
#include "dovetail/testing/fakes/fake_remote_context.h"
#include "dovetail/transformations/decompose/decompose.h"
#include "dovetail/transformations/decompose/primitives.h"
#include "dovetail/transformations/pipelines/common.h"
#include "dovetail/transformations/upgrade/upgrade.h"

namespace dovetail {
namespace {

constexpr absl::string_view kTotalMemory = "DEVICE_TOTAL_MEM_SIZE";

// Few more kernels than an accelerator needs: shows that models can be said by
// these.
std::vector<OpType> NativeOperations() {
  const absl::Span<const OpType> primitives = PrimitiveOperations();
  std::vector<OpType> operations(primitives.begin(), primitives.end());
  operations.push_back("Relu");
  return operations;
}

class FakePlugin : public Plugin {
 public:
  FakePlugin(std::vector<std::shared_ptr<FakeDevice>> devices,
             PropertySchema properties)
      : Plugin(devices.front()->name(), std::move(properties)),
        devices_(std::move(devices)) {}

  absl::StatusOr<std::vector<Device>> Devices() const override {
    DOVETAIL_RETURN_IF_ERROR(devices_.front()->CheckPresent());
    if (devices_.size() == 1) {
      return std::vector<Device>{{/*id=*/"", "Fake accelerator"}};
    }
    std::vector<Device> devices;
    for (size_t i = 0; i < devices_.size(); ++i) {
      devices.push_back({absl::StrCat(i), absl::StrCat("Fake ", i)});
    }
    return devices;
  }

  absl::Status Lower(Model& model, const PluginCall&) const override {
    PassManager passes("fake");
    AddCommonPasses(passes);
    passes.Add<Upgrade>(is_native_);
    passes.Add<Decompose>(is_native_);
    AddCommonPasses(passes);
    return passes.Run(model).status();
  }

  absl::StatusOr<Support> Supports(const Node& node,
                                   const PluginCall& call) const override {
    DOVETAIL_ASSIGN_OR_RETURN(const auto device, DeviceOf(call));
    DOVETAIL_RETURN_IF_ERROR(device->CheckSupported(node));
    if (!is_native_(node)) {
      return Unimplemented(node.Describe(), ": the device has no such kernel");
    }
    for (const auto& body : node.bodies()) {
      DOVETAIL_RETURN_IF_ERROR(
          Annotate(CheckSupported(*this, *body->model, call), node.Describe()));
    }
    return Support();
  }

  absl::StatusOr<std::unique_ptr<Executable>> CompileLowered(
      LoweredModel lowered, const PluginCall& call) const override {
    DOVETAIL_ASSIGN_OR_RETURN(const auto device, DeviceOf(call));
    DOVETAIL_RETURN_IF_ERROR(device->CheckPresent());
    return FakeExecutable::Make(device, std::move(lowered), call.config);
  }

  absl::StatusOr<std::string> GetMetric(absl::string_view name,
                                        const PluginCall& call) const override {
    if (name == properties::kDeviceArchitecture) return "fake";
    if (name == properties::kOptimizationCapabilities) {
      return "FP32 EXPORT_IMPORT";
    }
    if (name == kTotalMemory) {
      DOVETAIL_ASSIGN_OR_RETURN(const auto device, DeviceOf(call));
      return absl::StrCat(device->memory_size());
    }
    return Plugin::GetMetric(name, call);
  }

  absl::StatusOr<std::shared_ptr<RemoteContext>> CreateContext(
      const RemoteParams& params, const PluginCall& call) const override {
    DOVETAIL_ASSIGN_OR_RETURN(auto device, DeviceOf(call));
    return MakeFakeContext(std::move(device), params);
  }

 private:
  absl::StatusOr<std::shared_ptr<FakeDevice>> DeviceOf(
      const PluginCall& call) const {
    const std::string id = call.config.GetString(properties::kDeviceId);
    size_t number = 0;
    if (id.empty()) return devices_.front();
    if (absl::SimpleAtoi(id, &number) && number < devices_.size()) {
      return devices_[number];
    }
    return NotFound("there is no ", name(), ".", id, ", only 0 to ",
                    devices_.size() - 1);
  }

  const std::vector<std::shared_ptr<FakeDevice>> devices_;
  const NodePredicate is_native_ = IsOneOf(NativeOperations());
};

}  // namespace

absl::StatusOr<std::unique_ptr<Plugin>> MakeFakePlugin(
    std::shared_ptr<FakeDevice> device) {
  return MakeFakePlugin(std::vector{std::move(device)});
}

absl::StatusOr<std::unique_ptr<Plugin>> MakeFakePlugin(
    std::vector<std::shared_ptr<FakeDevice>> devices) {
  std::vector<PropertySpec> specs = properties::DeviceMetrics();
  specs.push_back(properties::DeviceId());
  specs.push_back(ReadOnlyProperty(kTotalMemory, "bytes",
                                   "Size of the device's own memory."));
  for (PropertySpec& spec : properties::CacheProperties()) {
    specs.push_back(std::move(spec));
  }
  specs.push_back(properties::PerfCount());
  DOVETAIL_ASSIGN_OR_RETURN(PropertySchema schema,
                            PropertySchema::Make(std::move(specs)));
  return std::make_unique<FakePlugin>(std::move(devices), std::move(schema));
}

}  // namespace dovetail
