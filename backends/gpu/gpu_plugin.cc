#include "dovetail/backends/gpu/gpu_plugin.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/host/host_plugin.h"
#include "dovetail/backends/common/host/reference_operations.h"
#include "dovetail/backends/gpu/custom/custom_kernels.h"
#include "dovetail/backends/gpu/custom/stand_in.h"
#include "dovetail/backends/gpu/driver/device_list.h"
#include "dovetail/backends/gpu/gpu_executable.h"
#include "dovetail/backends/gpu/gpu_properties.h"
#include "dovetail/backends/gpu/lowering.h"
#include "dovetail/backends/gpu/remote/gpu_remote_context.h"
#include "dovetail/backends/gpu/steps/table.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {
namespace gpu {
namespace {

constexpr int kMaxStreams = 64;

using ClDevices = std::vector<std::shared_ptr<ClDevice>>;

// The device that DEVICE_ID names, among those of OCL_PLATFORM; the first one
// where it says nothing.
absl::StatusOr<std::shared_ptr<ClDevice>> OwnDevice(const PluginCall& call) {
  DOVETAIL_ASSIGN_OR_RETURN(ClDevices devices, ListClDevices());
  const std::string platform = call.config.GetString(kOclPlatform);
  if (!platform.empty()) {
    DOVETAIL_ASSIGN_OR_RETURN(devices, OfPlatform(devices, platform));
  }
  return PickClDevice(devices, call.config.GetString(properties::kDeviceId));
}

// The device that a call is about: of the context that it shares, or its own.
absl::StatusOr<std::shared_ptr<ClDevice>> DeviceOf(const PluginCall& call) {
  if (call.context == nullptr) return OwnDevice(call);
  const auto* const context =
      dynamic_cast<const GpuRemoteContext*>(call.context.get());
  if (context != nullptr) return context->cl_device();
  return InvalidArgument("the context is of device ", call.context->device(),
                         ", not one that the GPU has made");
}

// What users call a device: "GPU.1", "GPU" for the only one.
std::string NameOf(const ClDevices& devices, cl_device_id id) {
  for (size_t i = 0; i < devices.size() && devices.size() > 1; ++i) {
    if (devices[i]->id() == id) return absl::StrCat("GPU.", i);
  }
  return "GPU";
}

class GpuPlugin : public HostPlugin {
 public:
  using HostPlugin::HostPlugin;

  absl::StatusOr<std::vector<Device>> Devices() const override {
    DOVETAIL_ASSIGN_OR_RETURN(const std::vector<std::shared_ptr<ClDevice>> all,
                              ListClDevices());
    std::vector<Device> devices;
    for (size_t i = 0; i < all.size(); ++i) {
      devices.push_back({all.size() == 1 ? "" : absl::StrCat(i),
                         absl::StrCat(all[i]->traits().name, " (",
                                      all[i]->traits().platform, ")")});
    }
    return devices;
  }

  absl::StatusOr<Support> Supports(const Node& node,
                                   const PluginCall& call) const override {
    const std::string* const place = PlaceOfKernel(node);
    // A custom kernel may compute what nothing else does.
    const bool is_alone =
        place != nullptr && node.op().infer != nullptr && node.bodies().empty();
    if (!is_alone) {
      DOVETAIL_RETURN_IF_ERROR(SupportsByReference(*this, node, call));
    }
    if (place != nullptr) {
      return Support{absl::StrCat("custom kernel ", *place)};
    }
    return Support{IsNative(node.op()) ? "native" : "host"};
  }

  absl::StatusOr<QueryResult> Query(const Model& model,
                                    const PluginCall& call) const override {
    DOVETAIL_ASSIGN_OR_RETURN(QueryResult result,
                              HostPlugin::Query(model, call));
    DOVETAIL_ASSIGN_OR_RETURN(const auto custom,
                              CustomKernels::Of(call.config));
    for (CustomKernels::Match& match : custom->MatchesIn(model)) {
      result.notes.push_back(std::move(match.text));
    }
    return result;
  }

  absl::StatusOr<std::string> GetMetric(absl::string_view name,
                                        const PluginCall& call) const override {
    if (name == properties::kNativeOperations) return NativeOperations();
    if (name == properties::kReferenceOperations) {
      return ReferenceOperations(&IsNative);
    }
    if (name == properties::kDecomposedOperations) {
      return DecomposedOperations();
    }
    if (name == properties::kOptimizationCapabilities) {
      return "FP32 FP16 BIN EXPORT_IMPORT";
    }
    DOVETAIL_ASSIGN_OR_RETURN(const std::shared_ptr<ClDevice> device,
                              DeviceOf(call));
    const DeviceTraits& traits = device->traits();
    if (name == properties::kDeviceArchitecture) {
      return absl::StrCat("OpenCL ", traits.vendor, " ", traits.name);
    }
    if (name == properties::kDeviceType) {
      if (traits.is_cpu) return "HOST";
      return traits.has_unified_memory ? "INTEGRATED" : "DISCRETE";
    }
    if (name == properties::kDeviceUuid) return traits.uuid;
    auto metric = GpuMetric(*device, name);
    if (metric.ok()) return metric;
    return HostPlugin::GetMetric(name, call);
  }

  absl::Status Lower(Model& model, const PluginCall& call) const override {
    DOVETAIL_ASSIGN_OR_RETURN(const auto custom,
                              CustomKernels::Of(call.config));
    custom->LogMatches(model);
    return LowerForGpu(model, call.config, *custom);
  }

  absl::StatusOr<std::unique_ptr<Executable>> CompileLowered(
      LoweredModel lowered, const PluginCall& call) const override {
    DOVETAIL_ASSIGN_OR_RETURN(std::shared_ptr<ClDevice> device, DeviceOf(call));
    return GpuExecutable::Create(std::move(device), std::move(lowered), call);
  }

  absl::StatusOr<std::shared_ptr<RemoteContext>> CreateContext(
      const RemoteParams& params, const PluginCall& call) const override {
    DOVETAIL_ASSIGN_OR_RETURN(const ClDevices devices, ListClDevices());
    DOVETAIL_ASSIGN_OR_RETURN(std::shared_ptr<ClDevice> own, OwnDevice(call));
    DOVETAIL_ASSIGN_OR_RETURN(const std::shared_ptr<ClDevice> shared,
                              SharedDevice(own->api(), params));
    const cl_device_id id = shared != nullptr ? shared->id() : own->id();
    return GpuRemoteContext::Create(NameOf(devices, id), std::move(own),
                                    params);
  }

  std::string CacheIdentity(const PluginCall& call) const override {
    const auto device = DeviceOf(call);
    if (!device.ok()) return "";
    const auto custom = CustomKernels::Of(call.config);
    return absl::StrCat((*device)->traits().BinaryIdentity(),
                        custom.ok() ? (*custom)->Identity() : "");
  }
};

}  // namespace
}  // namespace gpu

absl::StatusOr<std::unique_ptr<Plugin>> MakeGpuPlugin() {
  const HostPluginTraits traits = {
      "GPU", "opencl", gpu::kMaxStreams, {"dynamic", "f32", "f16"}};
  DOVETAIL_ASSIGN_OR_RETURN(PropertySchema schema, HostProperties(traits));
  DOVETAIL_RETURN_IF_ERROR(schema.Add(BoolProperty(
      properties::kPrintPlan, false,
      "Prints each plan to stderr: steps, kernels, and why others declined.")));
  DOVETAIL_RETURN_IF_ERROR(gpu::AddGpuProperties(schema));
  for (PropertySpec& spec : gpu::CustomKernelProperties()) {
    DOVETAIL_RETURN_IF_ERROR(schema.Add(std::move(spec)));
  }
  return std::make_unique<gpu::GpuPlugin>(traits, std::move(schema));
}

}  // namespace dovetail
