#include "dovetail/backends/cpu/compiler/weights_cache.h"

#include <utility>

#include "dovetail/core/base/status.h"

namespace dovetail::cpu {

absl::StatusOr<std::shared_ptr<PackedWeights>> WeightsCache::Get(
    absl::string_view key, int64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  std::weak_ptr<PackedWeights>& entry = entries_[std::string(key)];
  if (std::shared_ptr<PackedWeights> packed = entry.lock()) return packed;
  DOVETAIL_ASSIGN_OR_RETURN(
      Tensor memory, Tensor::AllocateUninitialized(ElementType::kU8, {bytes}));
  auto packed = std::make_shared<PackedWeights>(std::move(memory));
  entry = packed;
  return packed;
}

}  // namespace dovetail::cpu
