// The keys that several devices have, so that they are called the same and mean
// the same everywhere. A device adds to its schema those that it heeds.
#ifndef DOVETAIL_CORE_PROPERTIES_STANDARD_PROPERTIES_H_
#define DOVETAIL_CORE_PROPERTIES_STANDARD_PROPERTIES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/core/properties/property.h"

namespace dovetail {
namespace properties {

// ---- To be set ----

inline constexpr absl::string_view kPerformanceHint = "PERFORMANCE_HINT";
inline constexpr absl::string_view kPerformanceHintNumRequests =
    "PERFORMANCE_HINT_NUM_REQUESTS";
inline constexpr absl::string_view kExecutionModeHint = "EXECUTION_MODE_HINT";
inline constexpr absl::string_view kNumStreams = "NUM_STREAMS";
inline constexpr absl::string_view kInferenceNumThreads =
    "INFERENCE_NUM_THREADS";
inline constexpr absl::string_view kInferencePrecisionHint =
    "INFERENCE_PRECISION_HINT";
inline constexpr absl::string_view kPerfCount = "PERF_COUNT";
inline constexpr absl::string_view kEnableCpuPinning = "ENABLE_CPU_PINNING";
inline constexpr absl::string_view kSchedulingCoreType = "SCHEDULING_CORE_TYPE";
inline constexpr absl::string_view kEnableHyperThreading =
    "ENABLE_HYPER_THREADING";
inline constexpr absl::string_view kKvCachePrecision = "KV_CACHE_PRECISION";
inline constexpr absl::string_view kDynamicQuantizationGroupSize =
    "DYNAMIC_QUANTIZATION_GROUP_SIZE";
inline constexpr absl::string_view kCacheDir = "CACHE_DIR";
inline constexpr absl::string_view kCacheMode = "CACHE_MODE";
inline constexpr absl::string_view kCacheSizeLimit = "CACHE_SIZE_LIMIT";
inline constexpr absl::string_view kLogLevel = "LOG_LEVEL";
inline constexpr absl::string_view kExclusiveAsyncRequests =
    "EXCLUSIVE_ASYNC_REQUESTS";
inline constexpr absl::string_view kCompilationNumThreads =
    "COMPILATION_NUM_THREADS";
inline constexpr absl::string_view kDeviceId = "DEVICE_ID";
inline constexpr absl::string_view kPrintPasses = "PRINT_PASSES";
inline constexpr absl::string_view kPrintPlan = "PRINT_PLAN";
inline constexpr absl::string_view kDevicePriorities =
    "MULTI_DEVICE_PRIORITIES";

// ---- Of core itself ----

inline constexpr absl::string_view kEnableMmap = "ENABLE_MMAP";
inline constexpr absl::string_view kDeviceProperties = "DEVICE_PROPERTIES";

// ---- To be read, of a device ----

inline constexpr absl::string_view kSupportedProperties =
    "SUPPORTED_PROPERTIES";
inline constexpr absl::string_view kAvailableDevices = "AVAILABLE_DEVICES";
inline constexpr absl::string_view kFullDeviceName = "FULL_DEVICE_NAME";
inline constexpr absl::string_view kDeviceArchitecture = "DEVICE_ARCHITECTURE";
inline constexpr absl::string_view kOptimizationCapabilities =
    "OPTIMIZATION_CAPABILITIES";
inline constexpr absl::string_view kNativeOperations = "NATIVE_OPERATIONS";
inline constexpr absl::string_view kReferenceOperations =
    "REFERENCE_OPERATIONS";
inline constexpr absl::string_view kDecomposedOperations =
    "DECOMPOSED_OPERATIONS";
inline constexpr absl::string_view kRangeForStreams = "RANGE_FOR_STREAMS";
inline constexpr absl::string_view kRangeForAsyncInferRequests =
    "RANGE_FOR_ASYNC_INFER_REQUESTS";

inline constexpr absl::string_view kDeviceType = "DEVICE_TYPE";
inline constexpr absl::string_view kDeviceUuid = "DEVICE_UUID";
inline constexpr absl::string_view kDeviceGops = "DEVICE_GOPS";
inline constexpr absl::string_view kDeviceThermal = "DEVICE_THERMAL";
inline constexpr absl::string_view kOptimalBatchSize = "OPTIMAL_BATCH_SIZE";

// ---- To be read, of a compiled model ----

inline constexpr absl::string_view kNetworkName = "NETWORK_NAME";
inline constexpr absl::string_view kExecutionDevices = "EXECUTION_DEVICES";
inline constexpr absl::string_view kLoadedFromCache = "LOADED_FROM_CACHE";
inline constexpr absl::string_view kCacheMissReason = "CACHE_MISS_REASON";
inline constexpr absl::string_view kOptimalNumberOfInferRequests =
    "OPTIMAL_NUMBER_OF_INFER_REQUESTS";

// LATENCY (default), THROUGHPUT or CUMULATIVE_THROUGHPUT.
PropertySpec PerformanceHint();
// How many requests the application runs at a time; 0: it does not say.
PropertySpec PerformanceHintNumRequests();
// PERFORMANCE (default) or ACCURACY.
PropertySpec ExecutionModeHint();
// AUTO (default, by the performance hint), NUMA (one for each node of memory)
// or a number from 1 to `max`.
PropertySpec NumStreams(int max);
// Threads of all streams together; 0 (default): as many as CPUs are usable.
PropertySpec InferenceNumThreads();
// The types that arithmetic may be done in; the first is the default.
PropertySpec InferencePrecisionHint(std::vector<std::string> types);
PropertySpec PerfCount();
// NO (default), YES: each thread of a stream stays on a processor of its own.
PropertySpec EnableCpuPinning();
// ANY_CORE (default), PCORE_ONLY, ECORE_ONLY.
PropertySpec SchedulingCoreType();
// YES (default), NO: one thread a core, where a core can run two.
PropertySpec EnableHyperThreading();
// Takes only "dynamic": variables are kept in the types of the model that runs.
PropertySpec KvCachePrecision();
// Of how many numbers activations get a scale together, where they are
// quantized to be multiplied with compressed weights: a number up to 2^64 - 1,
// for a whole row; 0: they are not. With `default_size` 0 the device quantizes
// none, and takes only 0.
PropertySpec DynamicQuantizationGroupSize(int64_t default_size);
// A folder for compiled models; "" (default): none.
PropertySpec CacheDir();
// OPTIMIZE_SPEED (default): exports and cache entries hold all that importing
// needs. OPTIMIZE_SIZE: weights stay in the model's own file.
PropertySpec CacheMode();
// Bytes that CACHE_DIR may take; 0 (default): no limit.
PropertySpec CacheSizeLimit();
// These three.
std::vector<PropertySpec> CacheProperties();
// LOG_NONE (default) to LOG_TRACE; of the process, not of a device.
PropertySpec LogLevelProperty();
// YES (default), NO: files of weights are read instead of mapped; of core.
PropertySpec EnableMmap();
// NO (default), YES: inferences of all models of the device take turns.
PropertySpec ExclusiveAsyncRequests();
// Threads that compile; 0 (default): as many as CPUs are usable.
PropertySpec CompilationNumThreads();
// Which of several devices of a kind.
PropertySpec DeviceId(absl::string_view default_id = "");
// NO (default), YES for all passes or the name of one.
PropertySpec PrintPasses();

// The value of SUPPORTED_PROPERTIES: "NUM_STREAMS:RW FULL_DEVICE_NAME:RO".
std::string SupportedProperties(const std::vector<PropertySpec>& specs);

// Makes the schema know its keys by the names that OpenVINO gave them in 2021
// and since, too, with the values that they had then: CPU_THROUGHPUT_STREAMS
// (with CPU_THROUGHPUT_AUTO, CPU_THROUGHPUT_NUMA), CPU_THREADS_NUM,
// CPU_BIND_THREAD, AFFINITY, ENFORCE_BF16, SUPPORTED_METRICS,
// SUPPORTED_CONFIG_KEYS, IMPORT_EXPORT_SUPPORT. Only for keys that there are.
void AddOldNames(PropertySchema& schema);

// SUPPORTED_PROPERTIES, AVAILABLE_DEVICES, FULL_DEVICE_NAME,
// DEVICE_ARCHITECTURE, OPTIMIZATION_CAPABILITIES, NATIVE_OPERATIONS,
// REFERENCE_OPERATIONS and DECOMPOSED_OPERATIONS, which every device has. Core
// answers the first three; the last three are empty where the plugin does not
// answer.
std::vector<PropertySpec> DeviceMetrics();

}  // namespace properties
}  // namespace dovetail

#endif  // DOVETAIL_CORE_PROPERTIES_STANDARD_PROPERTIES_H_
