#include "dovetail/backends/gpu/plan/recent_programs.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "dovetail/core/base/process_wide.h"

namespace dovetail::gpu {

RecentPrograms& RecentPrograms::OfProcess() {
  return ProcessWide<RecentPrograms>("backends/gpu programs");
}

std::shared_ptr<const ClProgram> RecentPrograms::Find(const ClDevice& device,
                                                      absl::string_view key) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto it =
      std::find_if(kept_.begin(), kept_.end(), [&](const Kept& one) {
        return one.program->device().get() == &device &&
               one.program->key() == key;
      });
  if (it == kept_.end()) return nullptr;
  kept_.splice(kept_.begin(), kept_, it);
  return it->program;
}

void RecentPrograms::Add(std::shared_ptr<const ClProgram> program, size_t text,
                         size_t most) {
  if (program->device()->is_shared() || text > most) return;
  std::list<Kept> dropped;  // the driver ends them without the lock
  std::lock_guard<std::mutex> lock(mutex_);
  text_ += text;
  kept_.push_front({std::move(program), text});
  while (text_ > most) {
    text_ -= kept_.back().text;
    dropped.splice(dropped.begin(), kept_, std::prev(kept_.end()));
  }
}

}  // namespace dovetail::gpu
