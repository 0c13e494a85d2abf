#include "dovetail/core/base/process_wide.h"

#include <atomic>
#include <map>
#include <mutex>
#include <string>

#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

class Table final : public ProcessTable {
 public:
  void* Get(absl::string_view name, void* (*make)()) override {
    std::lock_guard<std::recursive_mutex> lock(mutex_);
    const auto it = objects_.find(name);
    if (it != objects_.end()) return it->second;
    void* const object = make();
    objects_.emplace(name, object);
    return object;
  }

  // Of some object, or "".
  std::string AnyName() const {
    std::lock_guard<std::recursive_mutex> lock(mutex_);
    return objects_.empty() ? "" : objects_.begin()->first;
  }

 private:
  // Recursive because `make` may ask for other objects.
  mutable std::recursive_mutex mutex_;
  std::map<std::string, void*, std::less<>> objects_;
};

Table& OwnTable() {
  static Table& table = *new Table;
  return table;
}

std::atomic<ProcessTable*>& Joined() {
  static std::atomic<ProcessTable*> joined = nullptr;
  return joined;
}

}  // namespace

std::unique_ptr<ProcessTable> MakeProcessTable() {
  return std::make_unique<Table>();
}

ProcessTable& CurrentProcessTable() {
  ProcessTable* const joined = Joined().load(std::memory_order_acquire);
  return joined != nullptr ? *joined : OwnTable();
}

absl::Status JoinProcess(ProcessTable& table) {
  if (&table == &CurrentProcessTable()) return absl::OkStatus();
  if (const std::string name = OwnTable().AnyName(); !name.empty()) {
    return FailedPrecondition("it has made '", name,
                              "' of its own before it was given the program's");
  }
  ProcessTable* none = nullptr;
  Joined().compare_exchange_strong(none, &table, std::memory_order_acq_rel);
  return absl::OkStatus();
}

}  // namespace dovetail
