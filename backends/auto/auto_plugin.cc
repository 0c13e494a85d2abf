#include "dovetail/backends/auto/auto_plugin.h"

#include <deque>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/backends/auto/auto_devices.h"
#include "dovetail/backends/auto/auto_executable.h"
#include "dovetail/backends/auto/candidates.h"
#include "dovetail/backends/auto/model_precision.h"
#include "dovetail/backends/auto/reservations.h"
#include "dovetail/backends/common/parts/part_properties.h"
#include "dovetail/backends/common/parts/parts_plugin.h"
#include "dovetail/backends/common/scheduling/sharing_options.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/plugin/ports/ports.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {
namespace automatic {
namespace {

constexpr absl::string_view kModelPriority = "MODEL_PRIORITY";
constexpr absl::string_view kStartupFallback = "ENABLE_STARTUP_FALLBACK";
constexpr absl::string_view kCumulative = "CUMULATIVE_THROUGHPUT";

absl::StatusOr<std::vector<std::string>> DevicesOf(const PluginCall& call) {
  return ReadCandidates(call.config.GetString(properties::kDevicePriorities),
                        call.host);
}

Priority PriorityOf(const PluginCall& call) {
  return ReadPriority(call.config.GetString(kModelPriority));
}

bool WantsAll(const PluginCall& call) {
  return call.config.GetString(properties::kPerformanceHint) == kCumulative;
}

class AutoPlugin : public PartsPlugin {
 public:
  explicit AutoPlugin(PropertySchema schema)
      : PartsPlugin("AUTO", std::move(schema)) {}

  absl::StatusOr<PropertySchema> PropertiesWithParts(
      const PluginCall& call) const override {
    DOVETAIL_ASSIGN_OR_RETURN(const auto devices, DevicesOf(call));
    return WithPropertiesOf(devices, properties(), call.host);
  }

  // Without EXPORT_IMPORT: each device has its own entry in the cache.
  absl::StatusOr<std::string> GetMetric(absl::string_view name,
                                        const PluginCall& call) const override {
    if (name == properties::kFullDeviceName) {
      return "The best of the devices that there are";
    }
    if (name == properties::kOptimizationCapabilities) {
      DOVETAIL_ASSIGN_OR_RETURN(const auto devices, DevicesOf(call));
      return JoinedCapabilities(devices, call, WholeExports::kNever);
    }
    if (name == properties::kDeviceArchitecture) {
      DOVETAIL_ASSIGN_OR_RETURN(const auto devices, DevicesOf(call));
      return JoinedMetric(devices, name, call);
    }
    return Plugin::GetMetric(name, call);
  }

  // Of the first device that runs all layers; where none does, of the first.
  absl::StatusOr<QueryResult> Query(const Model& model,
                                    const PluginCall& call) const override {
    DOVETAIL_ASSIGN_OR_RETURN(const auto devices, Sorted(model, call));
    std::vector<std::string> notes;
    absl::StatusOr<QueryResult> first = Unavailable("no device answers");
    for (const std::string& device : devices) {
      auto answer = Ask(device, devices, model, call);
      const bool takes = answer.ok() && answer->all_supported();
      notes.push_back(takes ? absl::StrCat("AUTO takes ", device, ", of ",
                                           absl::StrJoin(devices, ", "))
                            : absl::StrCat(device, " does not take the model",
                                           answer.ok() ? "" : ": ",
                                           answer.status().message()));
      if (takes || device == devices.front()) first = std::move(answer);
      if (takes) break;
    }
    if (first.ok()) absl::c_move(notes, std::back_inserter(first->notes));
    return first;
  }

  absl::StatusOr<std::unique_ptr<Executable>> Compile(
      std::unique_ptr<Model> model, const PluginCall& call) const override {
    if (model == nullptr) return InvalidArgument("there is no model");
    DOVETAIL_ASSIGN_OR_RETURN(const auto devices, Sorted(*model, call));
    DOVETAIL_ASSIGN_OR_RETURN(std::deque<Candidate> candidates,
                              CandidatesOf(devices, call));
    const multi::MultiOptions options =
        multi::SharingOptions(*model, call.config);
    const std::shared_ptr<const Model> shared = std::move(model);
    const ExecutableInfo info = {InputPorts(*shared), OutputPorts(*shared),
                                 call.config};
    auto running = std::make_shared<AutoDevices>(
        info, options,
        AutoSource{shared, call.host.shared_from_this(), reservations_,
                   PriorityOf(call)});
    const auto start = absl::c_find_if(devices, &IsCpu);
    // What a context remembers cannot move from one device to another.
    const bool starts = call.config.GetBool(kStartupFallback) &&
                        !options.is_stateful && start != devices.end() &&
                        start != devices.begin();
    if (WantsAll(call)) {
      DOVETAIL_RETURN_IF_ERROR(running->UseAll(candidates));
    } else if (starts) {
      DOVETAIL_RETURN_IF_ERROR(running->StartOn(*start, std::move(candidates)));
    } else {
      DOVETAIL_RETURN_IF_ERROR(running->UseFirst(std::move(candidates)));
    }
    return std::make_unique<AutoExecutable>(info, std::move(running));
  }

  absl::StatusOr<std::unique_ptr<Executable>> Import(
      const PluginCall&) const override {
    return Unimplemented(
        "device AUTO imports nothing: CACHE_DIR makes it load quickly");
  }

 private:
  static absl::StatusOr<QueryResult> Ask(
      const std::string& device, const std::vector<std::string>& devices,
      const Model& model, const PluginCall& call) {
    DOVETAIL_ASSIGN_OR_RETURN(
        const PropertyMap properties,
        PropertiesForPart(device, devices, call, PartCache::kOwn));
    return call.host.Query(model, device, properties);
  }

  // The devices, the best for this model first.
  absl::StatusOr<std::vector<std::string>> Sorted(
      const Model& model, const PluginCall& call) const {
    DOVETAIL_ASSIGN_OR_RETURN(auto devices, DevicesOf(call));
    WarnOfMissing(call.config.GetString(properties::kDevicePriorities),
                  call.host);
    devices = ByPrecision(std::move(devices), PrecisionOf(model), call.host);
    if (WantsAll(call)) return devices;
    return reservations_->Sorted(std::move(devices), PriorityOf(call));
  }

  static absl::StatusOr<std::deque<Candidate>> CandidatesOf(
      const std::vector<std::string>& devices, const PluginCall& call) {
    std::deque<Candidate> candidates;
    for (const std::string& device : devices) {
      DOVETAIL_ASSIGN_OR_RETURN(
          PropertyMap properties,
          PropertiesForPart(device, devices, call, PartCache::kOwn));
      const auto hint =
          properties.find(std::string(properties::kPerformanceHint));
      const bool is_one =
          hint != properties.end() && hint->second == kCumulative;
      if (is_one) hint->second = "THROUGHPUT";
      candidates.push_back({device, std::move(properties)});
    }
    return candidates;
  }

  const std::shared_ptr<Reservations> reservations_ =
      std::make_shared<Reservations>();
};

}  // namespace
}  // namespace automatic

absl::StatusOr<std::unique_ptr<Plugin>> MakeAutoPlugin() {
  std::vector<PropertySpec> specs = multi::SharingProperties();
  specs.push_back(TextProperty(
      properties::kDevicePriorities, automatic::kAllDevices,
      "The devices to choose from, the first choice first, such as GPU,CPU; "
      "-GPU: all but this one; *: all that there are."));
  specs.push_back(properties::PerformanceHint());
  specs.push_back(EnumProperty(
      automatic::kModelPriority, {"LOW", "MEDIUM", "HIGH"}, "MEDIUM",
      "Models that matter more have the better devices for themselves."));
  specs.push_back(BoolProperty(
      automatic::kStartupFallback, true,
      "Whether the CPU runs inferences until the device that is wanted has "
      "been compiled for."));
  DOVETAIL_ASSIGN_OR_RETURN(PropertySchema schema,
                            PropertySchema::Make(std::move(specs)));
  return std::make_unique<automatic::AutoPlugin>(std::move(schema));
}

}  // namespace dovetail
