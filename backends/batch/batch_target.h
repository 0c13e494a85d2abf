// The device that BATCH runs on, and for how many requests at once.
#ifndef DOVETAIL_BACKENDS_BATCH_BATCH_TARGET_H_
#define DOVETAIL_BACKENDS_BATCH_BATCH_TARGET_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/plugin/host.h"

namespace dovetail::batch {

inline constexpr absl::string_view kMaxBatchSize = "MAX_BATCH_SIZE";
// More requests at once than any device is better for.
inline constexpr int64_t kMostRequests = 1024;

struct Target {
  std::string device;  // "GPU.1", "HETERO:GPU,CPU"
  int64_t size = 0;    // of the batch; 0: the device says
};

// Of "GPU(4)" or "GPU", of "MULTI:GPU(2),CPU(1)(4)" the last number.
// kInvalidArgument for more than one device, none, or a size that is none.
absl::StatusOr<Target> ReadTarget(absl::string_view text);
absl::StatusOr<Target> TargetOf(const PluginCall& call);

// The size, or where `target` has none the device's OPTIMAL_BATCH_SIZE, at most
// its MAX_BATCH_SIZE; 1 where it has none either. Never more than
// PERFORMANCE_HINT_NUM_REQUESTS.
absl::StatusOr<int64_t> BatchSizeOf(const Target& target,
                                    const PluginCall& call);
// The greatest size of a batch: the target's, or the device's MAX_BATCH_SIZE.
int64_t MostRequests(const Target& target, const PluginCall& call);

}  // namespace dovetail::batch

#endif  // DOVETAIL_BACKENDS_BATCH_BATCH_TARGET_H_
