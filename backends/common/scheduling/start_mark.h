// The order between the start of a stage and its end in another thread.
#ifndef DOVETAIL_BACKENDS_COMMON_SCHEDULING_START_MARK_H_
#define DOVETAIL_BACKENDS_COMMON_SCHEDULING_START_MARK_H_

#include <atomic>
#include <thread>

namespace dovetail {

// A stage that hands an inference on to another device may be done, in a thread
// of that device, before its `start` has returned; the thread that starts the
// request would then find itself in the user's callback. So the other thread
// waits: for the few instructions that are left of `start`.
class StartMark {
 public:
  // First thing in `start`, before another thread can know of the inference.
  void Begin() {
    starter_ = std::this_thread::get_id();
    starting_.store(true, std::memory_order_relaxed);
  }
  // Last thing in `start`: where the mark is may be gone afterwards.
  void End() { starting_.store(false, std::memory_order_release); }
  // Before `done`, in any thread.
  void AwaitEnd() const {
    while (starter_ != std::this_thread::get_id() &&
           starting_.load(std::memory_order_acquire)) {
      std::this_thread::yield();
    }
  }

 private:
  std::thread::id starter_;
  std::atomic<bool> starting_ = false;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_SCHEDULING_START_MARK_H_
