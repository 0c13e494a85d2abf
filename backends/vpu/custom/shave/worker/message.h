// What passes between the process that runs kernels and the one that asks it.
#ifndef DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_WORKER_MESSAGE_H_
#define DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_WORKER_MESSAGE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace dovetail::vpu {

// The first byte of a question.
enum class Question : uint8_t { kOpen, kBuild, kBinary, kPrepare, kRun };

// The first byte of an answer.
enum class Answer : uint8_t { kDone, kStatus, kFault };

// Where a fault lies.
enum class FaultPlace : uint8_t { kUnknown, kNull, kBefore, kBehind };

// Why the process ends. Its bytes are written by a handler of signals, so they
// are as they lie in memory: both processes are of one build.
struct Fault {
  int32_t signal = 0;
  FaultPlace place = FaultPlace::kUnknown;
  bool writes = false;
  uint64_t buffer = 0;    // of the launch; with kBefore and kBehind
  uint64_t distance = 0;  // in bytes from the buffer's begin, or from its end
};

// A buffer in a file that both processes map. It lies in pages of its own, as
// near to their end as its alignment allows.
struct Placement {
  uint64_t pages = 0;       // offset of the first page
  uint64_t page_bytes = 0;  // of all of its pages
  uint64_t head = 0;        // bytes of them before the buffer
  uint64_t bytes = 0;
};

// Length and bytes, with an open file where one is given. False where the
// other end is closed.
bool SendMessage(int socket, absl::string_view bytes, int file = -1);

struct Received {
  enum class End { kDone, kClosed, kTimeOut };
  End end = End::kClosed;
  std::string bytes;
  int file = -1;  // the caller closes it
};

// Waits `most_ms` for the message's begin and for each piece of it; for ever
// where it is below 0.
Received ReceiveMessage(int socket, int64_t most_ms);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_WORKER_MESSAGE_H_
