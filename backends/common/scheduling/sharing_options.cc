#include "dovetail/backends/common/scheduling/sharing_options.h"

#include <string>
#include <utility>

#include "dovetail/core/graph/body.h"
#include "dovetail/core/ops/state/variable.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail::multi {
namespace {

constexpr absl::string_view kSchedulePolicy = "SCHEDULE_POLICY";
constexpr absl::string_view kRuntimeFallback = "ENABLE_RUNTIME_FALLBACK";

SlotPolicy PolicyOf(const Config& config) {
  const std::string policy = config.GetString(kSchedulePolicy);
  if (policy == "ROUND_ROBIN") return SlotPolicy::kRoundRobin;
  return policy == "SPEED" ? SlotPolicy::kSpeed : SlotPolicy::kDevicePriority;
}

bool HasVariables(const Model& model) {
  for (const auto& node : model.nodes()) {
    if (VariableIdOf(*node) != nullptr) return true;
    for (const auto& body : node->bodies()) {
      if (HasVariables(*body->model)) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<PropertySpec> SharingProperties() {
  std::vector<PropertySpec> specs = properties::DeviceMetrics();
  specs.push_back(TextProperty(
      properties::kDeviceProperties, "",
      "Properties of single devices: {CPU:{NUM_STREAMS:2},GPU:{...}}."));
  specs.push_back(EnumProperty(
      kSchedulePolicy, {"DEVICE_PRIORITY", "ROUND_ROBIN", "SPEED"},
      "DEVICE_PRIORITY",
      "Which of the devices that are free takes an inference: the first, the "
      "next, or the one that has been the fastest."));
  specs.push_back(BoolProperty(
      kRuntimeFallback, true,
      "Whether an inference whose device is lost runs again on the next one."));
  specs.push_back(properties::PerfCount());
  for (PropertySpec& spec : properties::CacheProperties()) {
    specs.push_back(std::move(spec));
  }
  return specs;
}

MultiOptions SharingOptions(const Model& model, const Config& config) {
  MultiOptions options;
  options.policy = PolicyOf(config);
  options.is_stateful = HasVariables(model);
  options.falls_back = config.GetBool(kRuntimeFallback);
  return options;
}

}  // namespace dovetail::multi
