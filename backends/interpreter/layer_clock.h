// What each step of an inference takes, of the thread that runs it and of those
// that help in its parallel loops.
#ifndef DOVETAIL_BACKENDS_INTERPRETER_LAYER_CLOCK_H_
#define DOVETAIL_BACKENDS_INTERPRETER_LAYER_CLOCK_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/functional/function_ref.h"
#include "dovetail/core/executor/executor.h"
#include "dovetail/core/plugin/profiling.h"

namespace dovetail {

// Used as the executor of parallel loops, it times what runs there for the
// current step. Begin, Start and Stop come from one thread at a time.
class LayerClock : public Executor {
 public:
  struct Reading {
    bool ran = false;
    int64_t start_ns = 0;  // as of ProfilingRecord
    int64_t duration_ns = 0;
    int64_t cpu_ns = 0;
  };

  // `executor` outlives the clock.
  explicit LayerClock(Executor* executor) : executor_(executor) {}

  // An inference of that many steps begins: all readings are zero.
  void Begin(size_t steps);
  void Start(size_t step);
  void Stop();
  // Of a step of the last inference.
  Reading Read(size_t step) const;

  void Schedule(Task task) override;
  int concurrency() const override { return executor_->concurrency(); }
  void RunParts(int count, absl::FunctionRef<void(int i)> body) override;

 private:
  struct Times {
    std::atomic<bool> ran = false;
    std::atomic<int64_t> start_ns = 0;
    std::atomic<int64_t> real_ns = 0;
    std::atomic<int64_t> cpu_ns = 0;
  };
  using AllTimes = std::vector<Times>;

  Executor* const executor_;
  // A helper may look at the time when the inference is over, and even when the
  // clock is gone.
  std::shared_ptr<AllTimes> times_ = std::make_shared<AllTimes>();
  size_t step_ = 0;
  int64_t real_start_ns_ = 0;
  int64_t cpu_start_ns_ = 0;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_INTERPRETER_LAYER_CLOCK_H_
