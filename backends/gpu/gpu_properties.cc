#include "dovetail/backends/gpu/gpu_properties.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail::gpu {
namespace {

PropertySpec Level(absl::string_view name) {
  return EnumProperty(name, {"LOW", "MEDIUM", "HIGH"}, "MEDIUM",
                      "A hint, which changes nothing with OpenCL 1.2.");
}

PropertySpec Switch(absl::string_view name, bool value) {
  return BoolProperty(name, value,
                      "A hint, which changes nothing: the device has one form "
                      "of what it is about.");
}

// The order of inferences is the driver's: OpenCL 1.2 has no hints for it. So
// these are taken for the sake of programs that set them, and so are switches
// of kernels that are not there.
std::vector<PropertySpec> Hints() {
  return {
      Level(kModelPriority),
      Level(kQueuePriority),
      Level(kQueueThrottle),
      Level("GPU_HOST_TASK_PRIORITY"),
      Switch("GPU_ENABLE_LOOP_UNROLLING", true),
      Switch("GPU_ENABLE_SDPA_OPTIMIZATION", true),
      Switch("GPU_DISABLE_WINOGRAD_CONVOLUTION", false),
  };
}

std::vector<PropertySpec> Metrics() {
  return {
      ReadOnlyProperty(kTotalMemory, "bytes", "Memory of the device."),
      ReadOnlyProperty(kMemoryStatistics, "list of NAME:bytes",
                       "What the device's buffers of this process hold now, "
                       "and have held at most."),
      ReadOnlyProperty(kExecutionUnits, "number",
                       "Compute units of the device."),
      ReadOnlyProperty(kMaxBatchSize, "number",
                       "Images of a batch at most: one, as a model's own batch "
                       "is what it runs."),
  };
}

struct OldName {
  absl::string_view old_name;
  absl::string_view name;
};

constexpr OldName kOldNames[] = {
    {"CLDNN_PLUGIN_PRIORITY", kQueuePriority},
    {"CLDNN_PLUGIN_THROTTLE", kQueueThrottle},
    {"GPU_PLUGIN_PRIORITY", kQueuePriority},
    {"GPU_PLUGIN_THROTTLE", kQueueThrottle},
};

// Then 0 to 3 were the levels; 0 left it to the driver.
PropertyAlias Numbered(const OldName& old) {
  PropertyAlias alias = {std::string(old.old_name), std::string(old.name),
                         nullptr, nullptr};
  alias.from_alias =
      [](absl::string_view value) -> absl::StatusOr<std::string> {
    if (value == "0" || value == "2") return "MEDIUM";
    if (value == "1") return "LOW";
    if (value == "3") return "HIGH";
    return InvalidArgument("want a number from 0 to 3");
  };
  alias.to_alias = [](absl::string_view level) {
    return level == "LOW" ? "1" : level == "HIGH" ? "3" : "2";
  };
  return alias;
}

absl::Status AddOldGpuNames(PropertySchema& schema) {
  for (const OldName& old : kOldNames) {
    DOVETAIL_RETURN_IF_ERROR(schema.AddAlias(Numbered(old)));
  }
  for (const absl::string_view streams :
       {"GPU_THROUGHPUT_STREAMS", "CLDNN_GPU_THROUGHPUT_STREAMS"}) {
    PropertyAlias alias = {std::string(streams),
                           std::string(properties::kNumStreams), nullptr,
                           nullptr};
    alias.from_alias = [](absl::string_view value) {
      return std::string(value == "GPU_THROUGHPUT_AUTO" ? "AUTO" : value);
    };
    alias.to_alias = [](absl::string_view value) {
      return std::string(value == "AUTO" ? "GPU_THROUGHPUT_AUTO" : value);
    };
    DOVETAIL_RETURN_IF_ERROR(schema.AddAlias(std::move(alias)));
  }
  return schema.AddAlias("GPU_MAX_NUM_THREADS",
                         properties::kCompilationNumThreads);
}

}  // namespace

absl::Status AddGpuProperties(PropertySchema& schema) {
  DOVETAIL_RETURN_IF_ERROR(schema.Add(properties::DeviceId("")));
  DOVETAIL_RETURN_IF_ERROR(schema.Add(TextProperty(
      kOclPlatform, "",
      "The platform whose devices are numbered: a number or a part of its "
      "name; empty: all.")));
  DOVETAIL_RETURN_IF_ERROR(schema.Add(BoolProperty(
      kJoinLaunches, true,
      "On processors, whether launches that follow each other are one, but "
      "for models with PERF_COUNT or dynamic shapes.")));
  DOVETAIL_RETURN_IF_ERROR(schema.Add(IntProperty(
      kKeptPrograms, 256, 0, 1 << 20,
      "Of how many KiB of source the process keeps the programs that it has "
      "built last, for models that have the same ones. A driver may take "
      "hundreds of times as much memory.")));
  for (PropertySpec& spec : Hints()) {
    DOVETAIL_RETURN_IF_ERROR(schema.Add(std::move(spec)));
  }
  for (PropertySpec& spec : Metrics()) {
    DOVETAIL_RETURN_IF_ERROR(schema.Add(std::move(spec)));
  }
  return AddOldGpuNames(schema);
}

absl::StatusOr<std::string> GpuMetric(const ClDevice& device,
                                      absl::string_view name) {
  const DeviceTraits& traits = device.traits();
  if (name == kTotalMemory) return absl::StrCat(traits.memory_bytes);
  if (name == kExecutionUnits) return absl::StrCat(traits.compute_units);
  if (name == kMaxBatchSize) return "1";
  if (name == kMemoryStatistics) {
    return absl::StrCat("cl_mem_current:", device.memory().in_use(),
                        " cl_mem_peak:", device.memory().peak());
  }
  return NotFound("property '", name, "' is none of the GPU's metrics");
}

}  // namespace dovetail::gpu
