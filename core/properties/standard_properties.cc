#include "dovetail/core/properties/standard_properties.h"

#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/core/base/status.h"

namespace dovetail {
namespace properties {
namespace {

constexpr int kMaxThreads = 4096;
constexpr int kMaxRequests = 65536;

}  // namespace

PropertySpec PerformanceHint() {
  return EnumProperty(kPerformanceHint,
                      {"LATENCY", "THROUGHPUT", "CUMULATIVE_THROUGHPUT"},
                      "LATENCY",
                      "What to be good at: one inference soon, or many.");
}

PropertySpec PerformanceHintNumRequests() {
  return IntProperty(
      kPerformanceHintNumRequests, 0, 0, kMaxRequests,
      "How many requests the application runs at a time; 0: unknown.");
}

PropertySpec ExecutionModeHint() {
  return EnumProperty(kExecutionModeHint, {"PERFORMANCE", "ACCURACY"},
                      "PERFORMANCE",
                      "ACCURACY: arithmetic in the types of the model.");
}

PropertySpec NumStreams(int max) {
  PropertySpec spec;
  spec.name = std::string(kNumStreams);
  spec.type = absl::StrCat("AUTO or a number from 1 to ", max);
  spec.default_value = "AUTO";
  spec.description = "How many inferences run at the same time.";
  spec.check = [max](absl::string_view text) -> absl::StatusOr<std::string> {
    // The second is how it was said in 2021.
    for (const absl::string_view word : {"AUTO", "CPU_THROUGHPUT_AUTO"}) {
      if (absl::EqualsIgnoreCase(text, word)) return "AUTO";
    }
    int streams;
    if (!absl::SimpleAtoi(text, &streams) || streams < 1 || streams > max) {
      return InvalidArgument("want AUTO or a number from 1 to ", max);
    }
    return absl::StrCat(streams);
  };
  return spec;
}

PropertySpec InferenceNumThreads() {
  return IntProperty(
      kInferenceNumThreads, 0, 0, kMaxThreads,
      "Threads of all streams together; 0: as many as CPUs are usable.");
}

PropertySpec InferencePrecisionHint(std::vector<std::string> types) {
  const std::string first = types.empty() ? "" : types[0];
  return EnumProperty(kInferencePrecisionHint, std::move(types), first,
                      "The type that floating-point arithmetic is done in.");
}

PropertySpec PerfCount() {
  return BoolProperty(kPerfCount, false,
                      "Whether inferences note the time of each layer.");
}

PropertySpec EnableCpuPinning() {
  return BoolProperty(kEnableCpuPinning, false,
                      "Whether each thread stays on one CPU.");
}

PropertySpec CacheDir() {
  return TextProperty(kCacheDir, "",
                      "A folder where compiled models are kept; empty: none.");
}

PropertySpec CacheMode() {
  return EnumProperty(kCacheMode, {"OPTIMIZE_SPEED", "OPTIMIZE_SIZE"},
                      "OPTIMIZE_SPEED",
                      "What exports and cache entries are to be: quick to "
                      "load, or small.");
}

PropertySpec CacheSizeLimit() {
  return IntProperty(kCacheSizeLimit, 0, 0, int64_t{1} << 60,
                     "Bytes that CACHE_DIR may take; 0: no limit.");
}

std::vector<PropertySpec> CacheProperties() {
  return {CacheDir(), CacheMode(), CacheSizeLimit()};
}

PropertySpec LogLevelProperty() {
  return EnumProperty(kLogLevel,
                      {"LOG_NONE", "LOG_ERROR", "LOG_WARNING", "LOG_INFO",
                       "LOG_DEBUG", "LOG_TRACE"},
                      "LOG_NONE", "How much the process tells on stderr.");
}

PropertySpec ExclusiveAsyncRequests() {
  return BoolProperty(kExclusiveAsyncRequests, false,
                      "Whether asynchronous inferences of all models of the "
                      "device take turns.");
}

PropertySpec CompilationNumThreads() {
  return IntProperty(kCompilationNumThreads, 0, 0, kMaxThreads,
                     "Threads that compile; 0: as many as CPUs are usable.");
}

PropertySpec DeviceId(absl::string_view default_id) {
  return TextProperty(kDeviceId, default_id,
                      "Which of several devices of this kind.");
}

PropertySpec PrintPasses() {
  PropertySpec spec = TextProperty(
      kPrintPasses, "NO",
      "Prints the model to stderr before and after all passes, or one.");
  spec.type = "NO, YES or the name of a pass";
  spec.check = [](absl::string_view text) -> absl::StatusOr<std::string> {
    if (absl::EqualsIgnoreCase(text, "NO") || text.empty()) return "NO";
    if (absl::EqualsIgnoreCase(text, "YES")) return "YES";
    return std::string(text);
  };
  return spec;
}

std::string SupportedProperties(const std::vector<PropertySpec>& specs) {
  std::vector<std::string> all;
  for (const PropertySpec& known : specs) {
    const bool set = known.mutability == Mutability::kReadWrite;
    all.push_back(absl::StrCat(known.name, set ? ":RW" : ":RO"));
  }
  return absl::StrJoin(all, " ");
}

void AddOldNames(PropertySchema& schema) {
  constexpr std::pair<absl::string_view, absl::string_view> kNames[] = {
      {"CPU_THROUGHPUT_STREAMS", kNumStreams},
      {"CPU_THREADS_NUM", kInferenceNumThreads},
      {"CPU_BIND_THREAD", kEnableCpuPinning},
      {"SUPPORTED_METRICS", kSupportedProperties},
      {"SUPPORTED_CONFIG_KEYS", kSupportedProperties},
  };
  for (const auto& [old_name, name] : kNames) {
    // Only for keys that there are.
    schema.AddAlias(old_name, name).IgnoreError();
  }
}

std::vector<PropertySpec> DeviceMetrics() {
  return {
      ReadOnlyProperty(kSupportedProperties, "list of names",
                       "Every key of the device, with RO or RW."),
      ReadOnlyProperty(kAvailableDevices, "list of ids",
                       "The devices of this kind that are there."),
      ReadOnlyProperty(kFullDeviceName, "text", "What the device is."),
      ReadOnlyProperty(kDeviceArchitecture, "text",
                       "Devices of equal architecture run the same exports."),
      ReadOnlyProperty(kOptimizationCapabilities, "list of words",
                       "Types that it computes in, INT8 where quantised "
                       "networks multiply integers, and EXPORT_IMPORT."),
      ReadOnlyProperty(kNativeOperations, "list of names",
                       "Operations, such as Softmax-8, that it has kernels "
                       "of its own for, in some form at least."),
      ReadOnlyProperty(kReferenceOperations, "list of names",
                       "Operations that it runs by the plain kernels of core "
                       "alone."),
  };
}

}  // namespace properties
}  // namespace dovetail
