#include "dovetail/core/executor/executor.h"

#include <algorithm>
#include <atomic>

namespace dovetail {
namespace {

using Body = absl::FunctionRef<void(int)>;

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

  void Begin(int parts, const Body* body) {
    parts_ = parts;
    body_ = body;
    next_.store(0, std::memory_order_relaxed);
    done_.store(0, std::memory_order_relaxed);
  }

  // Takes part after part until there are none left.
  void Work() {
    for (;;) {
      const int part = next_.fetch_add(1, std::memory_order_relaxed);
      if (part >= parts_) return;
      (*body_)(part);
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
  const Body* body_ = nullptr;
};

}  // namespace

void Executor::RunParts(int count, Body body) {
  const int helpers = std::min(concurrency(), count) - 1;
  if (helpers <= 0) {
    for (int i = 0; i < count; ++i) body(i);
    return;
  }
  Loop* loop = Loop::New();
  loop->Begin(count, &body);
  loop->AddReferences(helpers);
  for (int i = 0; i < helpers; ++i) {
    Schedule([loop] {
      loop->Work();
      loop->Release();
    });
  }
  loop->Work();
  loop->Wait();
  loop->Release();
}

}  // namespace dovetail
