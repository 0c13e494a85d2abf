#include "dovetail/backends/cpu/cpu_plugin.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/host/host_plugin.h"
#include "dovetail/backends/common/host/reference_operations.h"
#include "dovetail/backends/cpu/compiler/settings.h"
#include "dovetail/backends/cpu/compute_type.h"
#include "dovetail/backends/cpu/cpu_executable.h"
#include "dovetail/backends/cpu/isa/peak_operations.h"
#include "dovetail/backends/cpu/lowering.h"
#include "dovetail/backends/cpu/onednn/isa.h"
#include "dovetail/backends/cpu/steps/convolution/integer_choice.h"
#include "dovetail/backends/cpu/steps/table.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/executor/cpus/cpu_info.h"
#include "dovetail/core/executor/cpus/cpu_topology.h"
#include "dovetail/core/plugin/lowered/lowered_bytes.h"
#include "dovetail/core/plugin/query.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {
namespace cpu {
namespace {

constexpr int kMaxStreams = 256;

// Passes, layouts and packed weights depend on the instructions: what was
// compiled for others is not current here.
std::string Architecture() {
  return absl::StrCat("intel64 ", absl::AsciiStrToLower(IsaName(UsableIsa())));
}

double Gigahertz() { return CpuGigahertz("/sys/devices"); }

std::string Gops() {
  const int cores = std::min(CoreCount(UsableCpuTopology()), UsableCpus());
  return PeakOperations(UsableIsa(), std::max(1, cores), Gigahertz());
}

class CpuPlugin : public HostPlugin {
 public:
  using HostPlugin::HostPlugin;

  absl::StatusOr<std::vector<Device>> Devices() const override {
    DOVETAIL_RETURN_IF_ERROR(CheckIsa());
    const std::string model = CpuModelName();
    return std::vector<Device>{{/*id=*/"", model.empty() ? "CPU" : model}};
  }

  // What has steps of its own may still run by the reference kernel in forms
  // that they do not take; profiles tell.
  absl::StatusOr<Support> Supports(const Node& node,
                                   const PluginCall& call) const override {
    DOVETAIL_ASSIGN_OR_RETURN(Support support,
                              HostPlugin::Supports(node, call));
    if (IsNative(node.op())) support.how = "native";
    return support;
  }

  absl::StatusOr<std::string> GetMetric(absl::string_view name,
                                        const PluginCall& call) const override {
    if (name == properties::kDeviceArchitecture) return Architecture();
    if (name == properties::kNativeOperations) return NativeOperations();
    if (name == properties::kReferenceOperations) {
      return ReferenceOperations(&IsNative);
    }
    if (name == properties::kDeviceGops) return Gops();
    if (name == properties::kOptimizationCapabilities) {
      return absl::StrCat("FP32 ", HasBf16() ? "BF16 " : "", "FP16 ",
                          HasIntegerConvolutions() ? "INT8 " : "",
                          "BIN EXPORT_IMPORT");
    }
    return HostPlugin::GetMetric(name, call);
  }

  absl::Status Lower(Model& model, const PluginCall& call) const override {
    DOVETAIL_RETURN_IF_ERROR(CheckIsa());
    return LowerForCpu(model, call.config);
  }

  absl::StatusOr<std::unique_ptr<Executable>> CompileLowered(
      LoweredModel lowered, const PluginCall& call) const override {
    DOVETAIL_RETURN_IF_ERROR(CheckIsa());
    return CpuExecutable::Create(std::move(lowered), call);
  }

  // Constants that are packed already are not read, so nor are their checksums
  // compared.
  absl::StatusOr<std::unique_ptr<Executable>> Import(
      const PluginCall& call) const override {
    if (call.blob == nullptr) return HostPlugin::Import(call);
    DOVETAIL_ASSIGN_OR_RETURN(
        LoweredModel lowered,
        ReadLowered(*call.blob, ExtensionOpsOf(call.host),
                    ConstantsReader::Checking::kWhenNeeded));
    DOVETAIL_RETURN_IF_ERROR(CheckSupported(*this, *lowered.model, call));
    return CompileLowered(std::move(lowered), call);
  }
};

}  // namespace
}  // namespace cpu

absl::StatusOr<std::unique_ptr<Plugin>> MakeCpuPlugin() {
  const HostPluginTraits traits = {
      "CPU", "intel64", cpu::kMaxStreams, {"dynamic", "f32", "bf16", "f16"},
      cpu::kQuantizationGroup};
  DOVETAIL_ASSIGN_OR_RETURN(PropertySchema schema, HostProperties(traits));
  DOVETAIL_RETURN_IF_ERROR(schema.Add(BoolProperty(
      properties::kPrintPlan, false,
      "Prints each plan to stderr: steps, kernels, and why others declined.")));
  DOVETAIL_RETURN_IF_ERROR(schema.Add(BoolProperty(
      cpu::kDenormalsOptimization, true,
      "Numbers nearer to zero than 2^-126 count as zeros, since processors "
      "take "
      "some hundred times as long for them; EXECUTION_MODE_HINT ACCURACY "
      "computes them.")));
  DOVETAIL_RETURN_IF_ERROR(schema.Add(BoolProperty(
      cpu::kTune, false,
      "Compiling times the kernels that layers of known shapes could have, in "
      "the whole network, and keeps the fastest; exports and the cache keep "
      "them. Nothing else should run meanwhile.")));
  // Where the system does not tell the clock nobody can say.
  if (cpu::Gigahertz() > 0) {
    DOVETAIL_RETURN_IF_ERROR(schema.Add(ReadOnlyProperty(
        properties::kDeviceGops, "list of TYPE:number",
        "10^9 operations a second at most, by type: cores x clock x operations "
        "a cycle.")));
  }
  return std::make_unique<cpu::CpuPlugin>(traits, std::move(schema));
}

}  // namespace dovetail
