#include "dovetail/core/executor/pools/threads.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "dovetail/core/base/process_wide.h"
#include "dovetail/core/executor/cpus/cpu_info.h"
#include "dovetail/core/executor/pools/thread_pool.h"

namespace dovetail {
namespace {

// Objects that live as long as somebody uses them. Thread-safe.
template <typename Key, typename T>
class SharedByKey {
 public:
  // The object of that key, made by `make()` when there is none.
  template <typename Make>
  std::shared_ptr<T> Get(const Key& key, Make make) {
    std::lock_guard<std::mutex> lock(mutex_);
    std::weak_ptr<T>& entry = all_[key];
    std::shared_ptr<T> object = entry.lock();
    if (object == nullptr) {
      object = make();
      entry = object;
    }
    return object;
  }

 private:
  std::mutex mutex_;
  std::map<Key, std::weak_ptr<T>> all_;
};

class ProcessThreads final : public Threads {
 public:
  std::shared_ptr<StreamsExecutor> SharedStreams(
      int streams, int threads_per_stream,
      const std::vector<CpuSet>& placement) override {
    return streams_.Get({streams, threads_per_stream, placement}, [&] {
      return std::make_shared<StreamsExecutor>(streams, threads_per_stream,
                                               placement);
    });
  }

  std::shared_ptr<Executor> NamedExecutor(absl::string_view name) override {
    return named_.Get(std::string(name),
                      [&] { return std::make_shared<ThreadPool>(1, name); });
  }

  std::shared_ptr<WorkTeam> CompileTeam(int most) override {
    const int cpus = UsableCpus();
    const int threads = most > 0 ? std::min(most, cpus) : cpus;
    return compile_teams_.Get(
        threads, [&] { return std::make_shared<WorkTeam>(threads); });
  }

  Timer& timer() override { return timer_; }

 private:
  SharedByKey<std::tuple<int, int, std::vector<CpuSet>>, StreamsExecutor>
      streams_;
  SharedByKey<std::string, Executor> named_;
  SharedByKey<int, WorkTeam> compile_teams_;
  Timer timer_;
};

}  // namespace

std::shared_ptr<Threads> Threads::OfProcess() {
  // Lives for ever, so nobody has to count its users.
  return {std::shared_ptr<void>(),
          &ProcessWide<ProcessThreads>("core/executor threads")};
}

}  // namespace dovetail
