#include "dovetail/core/blob/deferred_check.h"

#include <atomic>
#include <map>
#include <mutex>
#include <vector>

namespace dovetail {
namespace {

// One part of a section.
struct Part {
  BlobReader reader;
  std::string section;
  uint64_t offset, size;
  std::shared_ptr<const void> owner;
  uintptr_t begin;

  std::once_flag once;
  absl::Status status;
  std::atomic<bool> is_damaged = false;

  absl::Status Check() {
    std::call_once(once, [&] {
      status = reader.CheckRange(section, offset, size);
      is_damaged = !status.ok();
    });
    return status;
  }
};

// Those that somebody keeps. Two imports of one memory have parts of their own.
class Parts {
 public:
  static Parts& All() {
    static auto& all = *new Parts;
    return all;
  }

  void Add(std::shared_ptr<Part> part) {
    std::lock_guard<std::mutex> lock(mutex_);
    by_begin_.emplace(part->begin, part);
    ++count_;
  }
  void Remove(const Part* part) {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto [first, last] = by_begin_.equal_range(part->begin);
    for (auto it = first; it != last; ++it) {
      if (it->second.get() != part) continue;
      by_begin_.erase(it);
      --count_;
      return;
    }
  }
  std::vector<std::shared_ptr<Part>> Around(uintptr_t address) {
    std::vector<std::shared_ptr<Part>> around;
    if (count_ == 0) return around;
    std::lock_guard<std::mutex> lock(mutex_);
    for (auto it = by_begin_.upper_bound(address); it != by_begin_.begin();) {
      --it;
      if (address - it->first >= it->second->size) break;
      around.push_back(it->second);
    }
    return around;
  }

 private:
  std::atomic<int> count_ = 0;
  std::mutex mutex_;
  std::multimap<uintptr_t, std::shared_ptr<Part>> by_begin_;
};

}  // namespace

std::shared_ptr<const void> DeferCheck(const BlobReader& reader,
                                       const std::string& name,
                                       const BlobBytes& section,
                                       uint64_t offset, uint64_t size) {
  const auto* const data = static_cast<const char*>(section.data) + offset;
  std::shared_ptr<Part> part(new Part{reader,
                                      name,
                                      offset,
                                      size,
                                      section.owner,
                                      reinterpret_cast<uintptr_t>(data),
                                      {},
                                      {},
                                      {}});
  Parts::All().Add(part);
  // The list keeps a part, too, so it is the owner's end that takes it out.
  const Part* const noted = part.get();
  return std::shared_ptr<const void>(
      data, [noted, part](const void*) { Parts::All().Remove(noted); });
}

absl::Status CheckDeferred(const void* data) {
  for (const std::shared_ptr<Part>& part :
       Parts::All().Around(reinterpret_cast<uintptr_t>(data))) {
    if (absl::Status status = part->Check(); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status KnownDamage(const void* data) {
  for (const std::shared_ptr<Part>& part :
       Parts::All().Around(reinterpret_cast<uintptr_t>(data))) {
    if (part->is_damaged) return part->status;
  }
  return absl::OkStatus();
}

}  // namespace dovetail
