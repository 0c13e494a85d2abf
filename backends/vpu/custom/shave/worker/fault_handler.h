// What the process that runs kernels says when a kernel ends it.
#ifndef DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_WORKER_FAULT_HANDLER_H_
#define DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_WORKER_FAULT_HANDLER_H_

#include <cstdint>

#include "absl/types/span.h"

namespace dovetail::vpu {

// Memory that a kernel may use.
struct KnownBuffer {
  uintptr_t begin = 0;
  uint64_t bytes = 0;
};

// From now on a signal that says of a mistake (SIGSEGV, SIGFPE and the like)
// sends a Fault as the answer and ends the process.
void HandleFaults(int socket);

// Which buffers addresses are looked for among, in any thread; the span has to
// stay until the next call.
void SetKnownBuffers(absl::Span<const KnownBuffer> buffers);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_WORKER_FAULT_HANDLER_H_
