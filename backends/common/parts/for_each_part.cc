#include "dovetail/backends/common/parts/for_each_part.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/cpus/cpu_info.h"

namespace dovetail {

absl::Status ForEachPart(size_t count,
                         const std::function<absl::Status(size_t)>& make) {
  std::vector<absl::Status> made(count);
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < count; i = next++) made[i] = make(i);
  };
  std::vector<std::thread> threads;
  const size_t most = static_cast<size_t>(UsableCpus());
  for (size_t i = 1; i < std::min(count, most); ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  for (const absl::Status& status : made) {
    DOVETAIL_RETURN_IF_ERROR(status);
  }
  return absl::OkStatus();
}

}  // namespace dovetail
