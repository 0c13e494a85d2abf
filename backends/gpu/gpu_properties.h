// The keys and metrics of the GPU beside those of every device.
#ifndef DOVETAIL_BACKENDS_GPU_GPU_PROPERTIES_H_
#define DOVETAIL_BACKENDS_GPU_GPU_PROPERTIES_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/gpu/driver/device.h"
#include "dovetail/core/properties/property.h"

namespace dovetail::gpu {

inline constexpr absl::string_view kOclPlatform = "OCL_PLATFORM";
inline constexpr absl::string_view kModelPriority = "MODEL_PRIORITY";
inline constexpr absl::string_view kQueuePriority = "GPU_QUEUE_PRIORITY";
inline constexpr absl::string_view kQueueThrottle = "GPU_QUEUE_THROTTLE";
inline constexpr absl::string_view kJoinLaunches = "GPU_JOIN_LAUNCHES";
inline constexpr absl::string_view kKeptPrograms = "GPU_KEPT_PROGRAMS";
inline constexpr absl::string_view kTotalMemory = "GPU_DEVICE_TOTAL_MEM_SIZE";
inline constexpr absl::string_view kMemoryStatistics = "GPU_MEMORY_STATISTICS";
inline constexpr absl::string_view kExecutionUnits =
    "GPU_EXECUTION_UNITS_COUNT";
inline constexpr absl::string_view kMaxBatchSize = "MAX_BATCH_SIZE";

// Adds them, and the names that they had in 2021.
absl::Status AddGpuProperties(PropertySchema& schema);

// The metrics among them; kNotFound for other names.
absl::StatusOr<std::string> GpuMetric(const ClDevice& device,
                                      absl::string_view name);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_GPU_PROPERTIES_H_
