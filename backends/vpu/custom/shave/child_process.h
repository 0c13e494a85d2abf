// Work of a driver that may crash, in a process of its own.
#ifndef DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_CHILD_PROCESS_H_
#define DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_CHILD_PROCESS_H_

#include <functional>
#include <string>

namespace dovetail::vpu {

struct ChildOutcome {
  enum class End {
    kDone,      // `text` is what the work answered
    kCrashed,   // `text` says by which signal
    kNotKnown,  // no process could be made, or it waited for ever
  };
  End end = End::kNotKnown;
  std::string text;
};

// Runs `work` in a copy of this process that has only the calling thread, and
// whose standard error goes nowhere. It may use 30 seconds of a processor, and
// is ended after 120 seconds in any case: what another thread has locked, stays
// so in a copy.
ChildOutcome RunInChild(const std::function<std::string()>& work);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_CHILD_PROCESS_H_
