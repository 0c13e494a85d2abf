#include "dovetail/backends/common/compiler/weights/shared_weights.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/memory/allocator.h"
#include "dovetail/core/tensor/memory/storage.h"

namespace dovetail {
namespace {

// Names the entry while somebody keeps it, and with it the constants and the
// allocator.
std::string KeyText(const PackingKey& key, int64_t bytes) {
  std::string text =
      absl::StrCat(reinterpret_cast<uintptr_t>(CurrentAllocator().get()), " ");
  for (const Tensor& constant : key.constants) {
    absl::StrAppend(&text, reinterpret_cast<uintptr_t>(constant.address()),
                    ViewText(constant), " ");
  }
  return absl::StrCat(text, key.form, ":", bytes);
}

}  // namespace

SharedWeights& SharedWeights::OfDevices() {
  static auto& weights = *new SharedWeights;
  return weights;
}

absl::StatusOr<std::shared_ptr<PackedWeights>> SharedWeights::Get(
    const PackingKey& key, int64_t bytes) {
  const std::string text = KeyText(key, bytes);
  std::lock_guard<std::mutex> lock(mutex_);
  if (entries_.size() >= drop_at_) DropOld_();
  std::weak_ptr<PackedWeights>& entry = entries_[text];
  if (std::shared_ptr<PackedWeights> packed = entry.lock()) return packed;
  DOVETAIL_ASSIGN_OR_RETURN(
      std::shared_ptr<void> memory,
      AllocateStorage(ElementType::kU8, bytes, Contents::kWrittenInParts));
  auto packed =
      std::make_shared<PackedWeights>(std::move(memory), bytes, key.constants);
  entry = packed;
  return packed;
}

bool SharedWeights::Has(const PackingKey& key, int64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto it = entries_.find(KeyText(key, bytes));
  return it != entries_.end() && !it->second.expired();
}

// So seldom that it costs nothing to speak of, however many there are.
void SharedWeights::DropOld_() {
  for (auto it = entries_.begin(); it != entries_.end();) {
    it = it->second.expired() ? entries_.erase(it) : std::next(it);
  }
  drop_at_ = std::max<size_t>(64, 2 * entries_.size());
}

}  // namespace dovetail
