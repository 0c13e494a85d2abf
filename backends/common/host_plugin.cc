#include "dovetail/backends/common/host_plugin.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/lowered_bytes.h"
#include "dovetail/backends/common/reference_operations.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/cpu_info.h"
#include "dovetail/core/plugin/query.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {
namespace {

std::vector<PropertySpec> SpecsOf(const HostPluginTraits& traits) {
  std::vector<PropertySpec> specs = properties::DeviceMetrics();
  specs.push_back(properties::PerformanceHint());
  specs.push_back(properties::PerformanceHintNumRequests());
  specs.push_back(properties::ExecutionModeHint());
  specs.push_back(properties::NumStreams(traits.max_streams));
  specs.push_back(properties::InferenceNumThreads());
  specs.push_back(properties::InferencePrecisionHint(traits.precisions));
  specs.push_back(properties::PerfCount());
  specs.push_back(properties::CacheDir());
  specs.push_back(properties::PrintPasses());
  specs.push_back(
      ReadOnlyProperty(properties::kRangeForStreams, "two numbers",
                       "Least and greatest sensible number of streams."));
  specs.push_back(ReadOnlyProperty(
      properties::kRangeForAsyncInferRequests, "three numbers",
      "Least and greatest sensible number of requests, and the step."));
  return specs;
}

}  // namespace

absl::Status HostPlugin::Initialize() {
  for (PropertySpec& spec : SpecsOf(traits_)) {
    DOVETAIL_RETURN_IF_ERROR(properties_.Add(std::move(spec)));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> HostPlugin::GetMetric(
    absl::string_view name) const {
  if (name == properties::kDeviceArchitecture) {
    return std::string(traits_.architecture);
  }
  if (name == properties::kNativeOperations) return ReferenceOperations();
  if (name == properties::kRangeForStreams) {
    return absl::StrCat("1 ", UsableCpus());
  }
  if (name == properties::kRangeForAsyncInferRequests) {
    return absl::StrCat("1 ", UsableCpus(), " 1");
  }
  return Plugin::GetMetric(name);
}

absl::Status HostPlugin::Supports(const Node& node) const {
  return SupportsByReference(*this, node);
}

absl::StatusOr<std::unique_ptr<Executable>> HostPlugin::Compile(
    std::unique_ptr<Model> model, const Config& config) const {
  if (model == nullptr) return InvalidArgument("there is no model");
  DOVETAIL_RETURN_IF_ERROR(model->Verify());
  DOVETAIL_ASSIGN_OR_RETURN(LoweredModel lowered,
                            LowerModel(std::move(model), [&](Model& inner) {
                              return Lower(inner, config);
                            }));
  return CreateChecked(std::move(lowered), config);
}

absl::StatusOr<std::unique_ptr<Executable>> HostPlugin::Import(
    absl::string_view blob, const Config& config) const {
  DOVETAIL_ASSIGN_OR_RETURN(LoweredModel lowered, ReadLowered(blob));
  return CreateChecked(std::move(lowered), config);
}

absl::StatusOr<std::unique_ptr<Executable>> HostPlugin::CreateChecked(
    LoweredModel lowered, const Config& config) const {
  DOVETAIL_RETURN_IF_ERROR(CheckSupported(*this, *lowered.model));
  return Create(std::move(lowered), config);
}

}  // namespace dovetail
