#include "dovetail/core/properties/standard_properties.h"

#include <limits>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "dovetail/core/base/status.h"

namespace dovetail {
namespace properties {
namespace {

constexpr int kMaxThreads = 4096;
constexpr int kMaxRequests = 65536;
constexpr uint64_t kMaxGroupSize = std::numeric_limits<uint64_t>::max();

// Takes one value, and says why.
PropertySpec FixedProperty(absl::string_view name, absl::string_view value,
                           absl::string_view why) {
  PropertySpec spec = EnumProperty(name, {std::string(value)}, value, why);
  spec.type = absl::StrCat("only ", value);
  spec.check = [value = spec.default_value, why = spec.description](
                    absl::string_view text) -> absl::StatusOr<std::string> {
    if (absl::EqualsIgnoreCase(text, value)) return value;
    return InvalidArgument("want ", value,
                           ", the only value that runs here: ", why);
  };
  return spec;
}

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
  spec.type = absl::StrCat("AUTO, NUMA or a number from 1 to ", max);
  spec.default_value = "AUTO";
  spec.description =
      "How many inferences run at the same time; NUMA: one for each node of "
      "memory.";
  spec.check = [max](absl::string_view text) -> absl::StatusOr<std::string> {
    for (const absl::string_view word : {"AUTO", "NUMA"}) {
      if (absl::EqualsIgnoreCase(text, word)) return std::string(word);
    }
    int streams;
    if (!absl::SimpleAtoi(text, &streams) || streams < 1 || streams > max) {
      return InvalidArgument("want AUTO, NUMA or a number from 1 to ", max);
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
                      "Whether each thread of a stream stays on one processor, "
                      "which no other thread of them has.");
}

PropertySpec SchedulingCoreType() {
  return EnumProperty(
      kSchedulingCoreType, {"ANY_CORE", "PCORE_ONLY", "ECORE_ONLY"}, "ANY_CORE",
      "Which cores of a processor with two kinds; ANY_CORE is in force where "
      "there are none of the kind.");
}

PropertySpec EnableHyperThreading() {
  return BoolProperty(kEnableHyperThreading, true,
                      "Whether a core that can run two threads gets two.");
}

PropertySpec KvCachePrecision() {
  return FixedProperty(
      kKvCachePrecision, "dynamic",
      "Variables are kept in the types of the model that runs.");
}

PropertySpec DynamicQuantizationGroupSize(int64_t default_size) {
  if (default_size == 0) {
    return FixedProperty(
        kDynamicQuantizationGroupSize, "0",
        "Activations are quantized as the model says, no further.");
  }
  PropertySpec spec = TextProperty(
      kDynamicQuantizationGroupSize, absl::StrCat(default_size),
      "So many numbers of a row get a scale together where activations are "
      "quantized to bytes to multiply them with compressed integers; 0: they "
      "are not.");
  spec.type = absl::StrCat("a number from 0 to ", kMaxGroupSize);
  spec.check = [](absl::string_view text) -> absl::StatusOr<std::string> {
    uint64_t size;
    if (absl::SimpleAtoi(text, &size)) return absl::StrCat(size);
    return InvalidArgument("want a number from 0 to ", kMaxGroupSize,
                           ", such as 32; 0: activations are not quantized");
  };
  return spec;
}

PropertySpec EnableMmap() {
  return BoolProperty(kEnableMmap, true,
                      "Whether files of weights are mapped or read.");
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

namespace {

using Words = std::vector<std::pair<absl::string_view, absl::string_view>>;

// A name whose values, old ones first, differ from the key's. A value of the
// key that several old ones mean is told as the first of them; others pass as
// they are, or, where the old values are all there were, are wrong.
PropertyAlias Translated(absl::string_view alias, absl::string_view name,
                         const Words& words, bool others_pass) {
  PropertyAlias translated{std::string(alias), std::string(name), nullptr,
                           nullptr};
  translated.from_alias =
      [=](absl::string_view value) -> absl::StatusOr<std::string> {
    std::vector<absl::string_view> all;
    for (const auto& [old_word, word] : words) {
      if (absl::EqualsIgnoreCase(value, old_word)) return std::string(word);
      all.push_back(old_word);
    }
    if (others_pass) return std::string(value);
    return InvalidArgument("want one of ", absl::StrJoin(all, ", "));
  };
  translated.to_alias = [=](absl::string_view value) {
    for (const auto& [old_word, word] : words) {
      if (value == word) return std::string(old_word);
    }
    return std::string(value);
  };
  return translated;
}

// A metric that is made of another one.
PropertyAlias Derived(absl::string_view alias, absl::string_view name,
                      std::function<std::string(absl::string_view)> derive) {
  return {std::string(alias), std::string(name), nullptr, std::move(derive)};
}

// Of SUPPORTED_PROPERTIES, the names of those that end in this.
std::string NamesWith(absl::string_view properties, absl::string_view end) {
  std::vector<absl::string_view> names;
  for (absl::string_view name : absl::StrSplit(properties, ' ')) {
    if (absl::ConsumeSuffix(&name, end)) names.push_back(name);
  }
  return absl::StrJoin(names, " ");
}

std::vector<PropertyAlias> OldNames() {
  PropertyAlias enforce_bf16 =
      Translated("ENFORCE_BF16", kInferencePrecisionHint,
                 {{"YES", "bf16"}, {"NO", "f32"}}, /*others_pass=*/false);
  // Other precisions are no bf16, whatever they are.
  enforce_bf16.to_alias = [](absl::string_view precision) {
    return precision == "bf16" ? "YES" : "NO";
  };
  return {
      Translated(
          "CPU_THROUGHPUT_STREAMS", kNumStreams,
          {{"CPU_THROUGHPUT_AUTO", "AUTO"}, {"CPU_THROUGHPUT_NUMA", "NUMA"}},
          /*others_pass=*/true),
      {"CPU_THREADS_NUM", std::string(kInferenceNumThreads), nullptr, nullptr},
      // Threads that stay on a node but on no processor there are not offered,
      // so NUMA is neither YES nor NO.
      Translated("CPU_BIND_THREAD", kEnableCpuPinning,
                 {{"YES", "YES"}, {"NO", "NO"}, {"HYBRID_AWARE", "YES"}},
                 /*others_pass=*/false),
      Translated("AFFINITY", kEnableCpuPinning,
                 {{"CORE", "YES"}, {"NONE", "NO"}, {"HYBRID_AWARE", "YES"}},
                 /*others_pass=*/false),
      std::move(enforce_bf16),
      Derived("SUPPORTED_METRICS", kSupportedProperties,
              [](absl::string_view all) { return NamesWith(all, ":RO"); }),
      Derived("SUPPORTED_CONFIG_KEYS", kSupportedProperties,
              [](absl::string_view all) { return NamesWith(all, ":RW"); }),
      Derived("IMPORT_EXPORT_SUPPORT", kOptimizationCapabilities,
              [](absl::string_view all) {
                return absl::StrContains(all, "EXPORT_IMPORT") ? "YES" : "NO";
              }),
  };
}

}  // namespace

void AddOldNames(PropertySchema& schema) {
  for (PropertyAlias& alias : OldNames()) {
    // Only for keys that there are.
    schema.AddAlias(std::move(alias)).IgnoreError();
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
                       "Types that it computes in, INT8 where quantized "
                       "networks multiply integers, and EXPORT_IMPORT."),
      ReadOnlyProperty(kNativeOperations, "list of names",
                       "Operations, such as Softmax-8, that it has kernels "
                       "of its own for, in some form at least."),
      ReadOnlyProperty(kReferenceOperations, "list of names",
                       "Operations that it runs by the plain kernels of core "
                       "alone."),
      ReadOnlyProperty(kDecomposedOperations, "list of names",
                       "Those of REFERENCE_OPERATIONS that passes say by "
                       "others, in some form at least."),
  };
}

}  // namespace properties
}  // namespace dovetail
