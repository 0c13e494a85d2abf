#include "dovetail/backends/common/host/host_plugin.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/host/device_uuid.h"
#include "dovetail/backends/common/host/reference_operations.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/cpus/cpu_info.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {
namespace {

constexpr char kThermalZones[] = "/sys/class/thermal";

std::vector<PropertySpec> SpecsOf(const HostPluginTraits& traits) {
  std::vector<PropertySpec> specs = properties::DeviceMetrics();
  specs.push_back(properties::PerformanceHint());
  specs.push_back(properties::PerformanceHintNumRequests());
  specs.push_back(properties::ExecutionModeHint());
  specs.push_back(properties::NumStreams(traits.max_streams));
  specs.push_back(properties::InferenceNumThreads());
  specs.push_back(properties::EnableCpuPinning());
  specs.push_back(properties::SchedulingCoreType());
  specs.push_back(properties::EnableHyperThreading());
  if (!traits.precisions.empty()) {
    specs.push_back(properties::InferencePrecisionHint(traits.precisions));
  }
  specs.push_back(properties::PerfCount());
  for (PropertySpec& spec : properties::CacheProperties()) {
    specs.push_back(std::move(spec));
  }
  specs.push_back(properties::CompilationNumThreads());
  specs.push_back(properties::ExclusiveAsyncRequests());
  specs.push_back(properties::KvCachePrecision());
  specs.push_back(
      properties::DynamicQuantizationGroupSize(traits.quantization_group));
  specs.push_back(properties::PrintPasses());
  specs.push_back(
      ReadOnlyProperty(properties::kRangeForStreams, "two numbers",
                       "Least and greatest sensible number of streams."));
  specs.push_back(ReadOnlyProperty(
      properties::kRangeForAsyncInferRequests, "three numbers",
      "Least and greatest sensible number of requests, and the step."));
  specs.push_back(ReadOnlyProperty(
      properties::kOptimalBatchSize, "number",
      "Requests of one image each, in streams, do as well as batches."));
  specs.push_back(ReadOnlyProperty(properties::kDeviceType,
                                   "INTEGRATED, DISCRETE or HOST",
                                   "Whether it is the host's own."));
  specs.push_back(ReadOnlyProperty(properties::kDeviceUuid,
                                   "32 hexadecimal digits",
                                   "The same in every process of the machine "
                                   "and on no other machine."));
  // What a machine cannot tell is not among what can be read.
  if (CpuTemperature(kThermalZones).has_value()) {
    specs.push_back(ReadOnlyProperty(properties::kDeviceThermal,
                                     "degrees Celsius", "The temperature."));
  }
  return specs;
}

absl::StatusOr<std::string> Temperature() {
  const auto degrees = CpuTemperature(kThermalZones);
  if (degrees.has_value()) return absl::StrCat(*degrees);
  return Unavailable(properties::kDeviceThermal,
                     ": the processor's sensor is gone from ", kThermalZones);
}

}  // namespace

absl::StatusOr<PropertySchema> HostProperties(const HostPluginTraits& traits) {
  DOVETAIL_ASSIGN_OR_RETURN(PropertySchema schema,
                            PropertySchema::Make(SpecsOf(traits)));
  properties::AddOldNames(schema);
  return schema;
}

absl::StatusOr<std::string> HostPlugin::GetMetric(
    absl::string_view name, const PluginCall& call) const {
  if (name == properties::kDeviceArchitecture) {
    return std::string(architecture_);
  }
  if (name == properties::kReferenceOperations) {
    return ReferenceOperations([](const OpInfo&) { return false; });
  }
  if (name == properties::kRangeForStreams) {
    return absl::StrCat("1 ", UsableCpus());
  }
  if (name == properties::kRangeForAsyncInferRequests) {
    return absl::StrCat("1 ", UsableCpus(), " 1");
  }
  if (name == properties::kOptimalBatchSize) return "1";
  if (name == properties::kDeviceType) return "INTEGRATED";
  if (name == properties::kDeviceUuid) {
    return DeviceUuid(this->name(), CpuModelName(), "/etc/machine-id");
  }
  if (name == properties::kDeviceThermal) return Temperature();
  return Plugin::GetMetric(name, call);
}

absl::StatusOr<Support> HostPlugin::Supports(const Node& node,
                                             const PluginCall& call) const {
  DOVETAIL_RETURN_IF_ERROR(SupportsByReference(*this, node, call));
  return Support{"reference"};
}

}  // namespace dovetail
