#include "dovetail/backends/vpu/vpu_plugin.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/custom/stand_in.h"
#include "dovetail/backends/common/host/host_plugin.h"
#include "dovetail/backends/common/host/reference_operations.h"
#include "dovetail/backends/vpu/compiler/engine_layers.h"
#include "dovetail/backends/vpu/compiler/lower_model.h"
#include "dovetail/backends/vpu/custom/custom_layers.h"
#include "dovetail/backends/vpu/lowering.h"
#include "dovetail/backends/vpu/vpu_executable.h"
#include "dovetail/backends/vpu/vpu_properties.h"
#include "dovetail/core/base/log.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {
namespace vpu {
namespace {

constexpr int kMaxStreams = 64;

// Which the processor does not compute, see CheckTimeModel.
bool HasBody(const OpInfo& op) { return op.Has(kHasBodies); }

// What is a float of any type must have become f16 before it runs.
absl::Status CheckTypes(const Node& node) {
  for (int i = 0; i < node.output_count(); ++i) {
    if (node.port(i).type != ElementType::kDynamic) continue;
    return Unimplemented(node.Describe(), ": output ", i,
                         " has no element type before it runs");
  }
  return absl::OkStatus();
}

class VpuPlugin : public HostPlugin {
 public:
  using HostPlugin::HostPlugin;

  absl::StatusOr<std::vector<Device>> Devices() const override {
    return std::vector<Device>{{/*id=*/"", "Simulator of a Myriad X"}};
  }

  absl::StatusOr<Support> Supports(const Node& node,
                                   const PluginCall& call) const override {
    DOVETAIL_RETURN_IF_ERROR(CheckTimeModel(node));
    DOVETAIL_RETURN_IF_ERROR(CheckTypes(node));
    // A custom kernel may compute what nothing else does.
    const std::string* const place = PlaceOfKernel(node);
    if (place != nullptr && node.op().infer != nullptr) {
      return Support{absl::StrCat("custom kernel ", *place)};
    }
    DOVETAIL_RETURN_IF_ERROR(HostPlugin::Supports(node, call).status());
    // A wrong description is an error of compiling, not of the node.
    const absl::StatusOr<Machine> machine = MachineOf(call.config);
    std::string unit = machine.ok() ? UnitOf(*machine, node) : "";
    if (unit == "NCE" && BlackListOf(call.config).count(node.name()) > 0) {
      unit = absl::StrCat("SHAVE: ", kBlackListed);
    }
    return Support{unit.empty() ? "native" : absl::StrCat("native, ", unit)};
  }

  absl::StatusOr<std::string> GetMetric(absl::string_view name,
                                        const PluginCall& call) const override {
    if (name == properties::kNativeOperations) {
      return ReferenceOperations(&HasBody);
    }
    if (name == properties::kReferenceOperations) return "";
    if (name == properties::kOptimizationCapabilities) {
      return "FP16 EXPORT_IMPORT";
    }
    if (name == properties::kDeviceType) return "DISCRETE";
    if (name == properties::kDeviceThermal ||
        name == properties::kRangeForAsyncInferRequests) {
      return MachineMetric(name, call);
    }
    return HostPlugin::GetMetric(name, call);
  }

  // As the stick's plugin said it: the fewest requests that keep all executors
  // busy, and three for each.
  static absl::StatusOr<std::string> MachineMetric(absl::string_view name,
                                                   const PluginCall& call) {
    DOVETAIL_ASSIGN_OR_RETURN(const Machine machine, MachineOf(call.config));
    if (name == properties::kDeviceThermal) {
      return absl::StrCat(machine.ambient_celsius);
    }
    return absl::StrCat(machine.executors + 1, " ", 3 * machine.executors,
                        " 1");
  }

  absl::StatusOr<QueryResult> Query(const Model& model,
                                    const PluginCall& call) const override {
    DOVETAIL_ASSIGN_OR_RETURN(QueryResult result,
                              HostPlugin::Query(model, call));
    DOVETAIL_ASSIGN_OR_RETURN(const auto custom, CustomLayers::Of(call.config));
    for (CustomLayers::Match& match : custom->MatchesIn(model)) {
      result.notes.push_back(std::move(match.text));
    }
    return result;
  }

  absl::Status Lower(Model& model, const PluginCall& call) const override {
    DOVETAIL_ASSIGN_OR_RETURN(const auto custom, CustomLayers::Of(call.config));
    for (const CustomLayers::Match& match : custom->MatchesIn(model)) {
      if (match.has_layers) {
        DOVETAIL_LOG(kInfo, match.text);
      } else {
        DOVETAIL_LOG(kWarning, match.text);
      }
    }
    return LowerForVpu(model, call.config, *custom);
  }

  absl::StatusOr<std::unique_ptr<Executable>> CompileLowered(
      LoweredModel lowered, const PluginCall& call) const override {
    return VpuExecutable::Create(std::move(lowered), call);
  }

  std::string CacheIdentity(const PluginCall& call) const override {
    const auto machine = MachineOf(call.config);
    const auto custom = CustomLayers::Of(call.config);
    // What cannot be read is nothing that was compiled before.
    if (!machine.ok()) return machine.status().ToString();
    if (!custom.ok()) return custom.status().ToString();
    return absl::StrCat(MachineText(*machine), (*custom)->Identity());
  }
};

}  // namespace
}  // namespace vpu

absl::StatusOr<std::unique_ptr<Plugin>> MakeVpuPlugin() {
  const HostPluginTraits traits = {"VPU", "myriad-x", vpu::kMaxStreams,
                                   /*precisions=*/{}};
  DOVETAIL_ASSIGN_OR_RETURN(PropertySchema schema, HostProperties(traits));
  DOVETAIL_RETURN_IF_ERROR(vpu::AddVpuProperties(schema));
  return std::make_unique<vpu::VpuPlugin>(traits, std::move(schema));
}

}  // namespace dovetail
