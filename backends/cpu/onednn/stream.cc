#include "dovetail/backends/cpu/onednn/stream.h"

#include <algorithm>
#include <memory>

#include "dovetail/backends/cpu/onednn/descriptors.h"
#include "dovetail/core/executor/team/work_team.h"
#include "oneapi/dnnl/dnnl_threadpool.hpp"

namespace dovetail::cpu {
namespace {

class TeamThreadpool : public dnnl::threadpool_interop::threadpool_iface {
 public:
  explicit TeamThreadpool(WorkTeam& team) : team_(team) {}

  int get_num_threads() const override { return team_.threads(); }
  bool get_in_parallel() const override { return WorkTeam::InBody(); }
  uint64_t get_flags() const override { return 0; }
  void parallel_for(int n, const std::function<void(int, int)>& task) override {
    team_.Run(n, [&](int i) { task(i, n); });
  }

 private:
  WorkTeam& team_;
};

class StreamState : public LibraryState {
 public:
  explicit StreamState(WorkTeam& team)
      : pool_(team),
        stream_(dnnl::threadpool_interop::make_stream(CpuEngine(), &pool_)) {}

  dnnl::stream& stream() { return stream_; }

 private:
  TeamThreadpool pool_;
  dnnl::stream stream_;
};

}  // namespace

dnnl::stream& StreamOf(RunEnvironment& environment) {
  std::unique_ptr<LibraryState>& state = environment.library_state();
  if (state == nullptr) {
    state = std::make_unique<StreamState>(environment.team());
  }
  return static_cast<StreamState&>(*state).stream();
}

void SetPrimitiveThreads(int threads) {
  dnnl_threadpool_interop_set_max_concurrency(std::max(1, threads));
}

}  // namespace dovetail::cpu
