#include "dovetail/core/request/trampoline.h"

#include <cstddef>
#include <vector>

#include "dovetail/core/base/process_wide.h"

namespace dovetail {
namespace trampoline {
namespace {

struct Thread {
  bool running = false;
  // Taken from `next` on; cleared, but kept allocated, when all are taken.
  std::vector<Step> put_off;
  size_t next = 0;
};

Thread& OwnOfThread() {
  static thread_local Thread thread;
  return thread;
}

// One a thread, also where the program and a loaded plugin run requests in it.
Thread& ThisThread() {
  static Thread& (*const get)() =
      ProcessWideOfThread<Thread, &OwnOfThread>("core/request trampoline");
  return get();
}

}  // namespace

void RunDeferred() {
  Thread& thread = ThisThread();
  while (thread.next < thread.put_off.size()) {
    const Step step = thread.put_off[thread.next++];
    if (thread.next == thread.put_off.size()) {
      thread.put_off.clear();
      thread.next = 0;
    }
    step.function(step.object, step.argument);
  }
}

void Defer(absl::FunctionRef<void()> body) {
  Thread& thread = ThisThread();
  const bool outermost = !thread.running;
  thread.running = true;
  body();
  if (!outermost) return;
  RunDeferred();
  thread.running = false;
}

void Run(Step step) {
  Thread& thread = ThisThread();
  if (thread.running) {
    thread.put_off.push_back(step);
  } else {
    Defer([&] { step.function(step.object, step.argument); });
  }
}

}  // namespace trampoline
}  // namespace dovetail
