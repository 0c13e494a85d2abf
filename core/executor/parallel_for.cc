#include "dovetail/core/executor/parallel_for.h"

#include <algorithm>
#include <atomic>

#include "dovetail/core/base/checked_math.h"

namespace dovetail {
namespace {

// More parts than threads even out parts that take unequal time and threads
// that start late or lose their core.
constexpr int64_t kPartsPerThread = 4;

using Body = absl::FunctionRef<void(int64_t, int64_t)>;

// One loop. Helpers that are scheduled may come to run long after the loop has
// ended, so it lives as long as the last of them: counted by hand, because a
// task that captures one plain pointer fits into a std::function without
// memory of its own.
class Loop {
 public:
  // A loop with one reference, the caller's. Each thread keeps its last one for
  // the next time, so that a steady state allocates nothing.
  static Loop* New() {
    struct Kept {
      Loop* loop = nullptr;
      ~Kept() {
        if (loop != nullptr) loop->Release();
      }
    };
    static thread_local Kept kept;
    // A late helper of the last loop or a loop around this one still has it.
    if (kept.loop == nullptr ||
        kept.loop->references_.load(std::memory_order_acquire) != 1) {
      if (kept.loop != nullptr) kept.loop->Release();
      kept.loop = new Loop;
    }
    kept.loop->references_.fetch_add(1, std::memory_order_relaxed);
    return kept.loop;
  }

  // Cuts [0, count) into at most `max_parts` parts of whole grains.
  void Cut(int64_t count, int64_t grain, int64_t max_parts, const Body* body) {
    const int64_t grains = CeilDivide(count, grain);
    const int64_t grains_per_part = CeilDivide(grains, max_parts);
    count_ = count;
    part_size_ = grains_per_part * grain;
    parts_ = static_cast<int>(CeilDivide(grains, grains_per_part));
    body_ = body;
    next_.store(0, std::memory_order_relaxed);
    done_.store(0, std::memory_order_relaxed);
  }

  int parts() const { return parts_; }

  // Takes part after part until there are none left.
  void Work() {
    for (;;) {
      const int part = next_.fetch_add(1, std::memory_order_relaxed);
      if (part >= parts_) return;
      const int64_t begin = part * part_size_;
      (*body_)(begin, part + 1 == parts_ ? count_ : begin + part_size_);
      if (done_.fetch_add(1, std::memory_order_acq_rel) + 1 == parts_) {
        done_.notify_all();
      }
    }
  }

  // Waits for parts that other threads have taken. Those are running, so this
  // ends whatever else is in the executor's queue.
  void Wait() const {
    for (;;) {
      const int done = done_.load(std::memory_order_acquire);
      if (done == parts_) return;
      done_.wait(done, std::memory_order_acquire);
    }
  }

  void AddReferences(int count) {
    references_.fetch_add(count, std::memory_order_relaxed);
  }
  void Release() {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

 private:
  Loop() = default;

  std::atomic<int> references_ = 1;
  std::atomic<int> next_ = 0;
  std::atomic<int> done_ = 0;
  int parts_ = 0;
  int64_t count_ = 0;
  int64_t part_size_ = 0;
  const Body* body_ = nullptr;
};

}  // namespace

void ParallelFor(Executor& executor, int64_t count, int64_t grain, Body body) {
  if (count <= 0) return;
  const int64_t threads = std::max(1, executor.concurrency());
  grain = std::max<int64_t>(1, grain);
  if (threads == 1 || count <= grain) {
    body(0, count);
    return;
  }
  Loop* loop = Loop::New();
  loop->Cut(count, grain, threads * kPartsPerThread, &body);
  const int helpers =
      static_cast<int>(std::min<int64_t>(threads, loop->parts())) - 1;
  loop->AddReferences(helpers);
  for (int i = 0; i < helpers; ++i) {
    executor.Schedule([loop] {
      loop->Work();
      loop->Release();
    });
  }
  loop->Work();
  loop->Wait();
  loop->Release();
}

}  // namespace dovetail
