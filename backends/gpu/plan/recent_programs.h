// What the driver has compiled lately, for the next model that has the same
// kernels: one that is loaded again, or gets other shapes.
#ifndef DOVETAIL_BACKENDS_GPU_PLAN_RECENT_PROGRAMS_H_
#define DOVETAIL_BACKENDS_GPU_PLAN_RECENT_PROGRAMS_H_

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "absl/strings/string_view.h"
#include "dovetail/backends/gpu/driver/device.h"
#include "dovetail/backends/gpu/program/cl_program.h"

namespace dovetail::gpu {

// Keeps the programs that were used last, of as many bytes of text together as
// who adds one says. Thread-safe.
class RecentPrograms {
 public:
  // Those of the process, which are never destroyed.
  static RecentPrograms& OfProcess();

  // The program of that device and ClProgram::Key; null where it is not kept.
  std::shared_ptr<const ClProgram> Find(const ClDevice& device,
                                        absl::string_view key);
  // `text` is how many bytes of source it was built from; what is longer than
  // `most` is not kept, and of the others as many as are no longer together. A
  // device that an application has shared would be kept with it, and so its
  // context: nothing of that is added.
  void Add(std::shared_ptr<const ClProgram> program, size_t text, size_t most);

 private:
  struct Kept {
    std::shared_ptr<const ClProgram> program;
    size_t text;
  };

  std::mutex mutex_;      // guards what follows
  std::list<Kept> kept_;  // the one that was used last is the first
  size_t text_ = 0;       // of all
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_PLAN_RECENT_PROGRAMS_H_
