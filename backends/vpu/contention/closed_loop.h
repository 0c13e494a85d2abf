// Several inferences on one processor, in its own time.
#ifndef DOVETAIL_BACKENDS_VPU_CONTENTION_CLOSED_LOOP_H_
#define DOVETAIL_BACKENDS_VPU_CONTENTION_CLOSED_LOOP_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/backends/vpu/program/program.h"

namespace dovetail::vpu {

// What a request does in a time, in microseconds from the loop's beginning.
struct LoopSpan {
  enum class What { kWaitForLink, kSend, kWait, kStage, kReceive, kHost };
  What what = What::kStage;
  size_t stage = 0;  // of the program, of kStage
  double begin = 0, end = 0;
};

// One inference, from the first span's begin to the last one's end.
struct LoopRound {
  int request = 0;
  int executor = 0;
  std::vector<LoopSpan> spans;  // one behind another
};

// Means over the inferences that count, in microseconds.
struct LoopTimes {
  int requests = 0;
  double latency = 0;   // from one start of a request to the next
  double host = 0;      // in the host and on its link, waiting for it included
  double wait = 0;      // for an executor
  double device = 0;    // in an executor
  double ddr_busy = 0;  // share of the time, 0 to 1
  std::vector<double> stages;     // of the program
  std::vector<LoopRound> rounds;  // the last one of each request

  double per_second() const { return requests * 1e6 / latency; }
};

inline constexpr int kMostRequests = 64;

// A closed loop: all requests start at time 0, and each starts again when it
// ends. An inference sends its inputs over the link, which serves one at a
// time in the order of asking, waits for one of the machine's executors, runs
// the program's stages one behind another, and sends its outputs back; the
// host's own time follows. Stages of different executors run at once, and
// each waits where it and another one want DDR (SpeedsUnderSharing). The first
// rounds do not count. The same program gives the same times on every host.
//
// kInvalidArgument for less than 1 or more than kMostRequests requests, and for
// a program without stages.
absl::StatusOr<LoopTimes> RunClosedLoop(const Program& program, int requests);

// The same for a run that is over after so many inferences, `requests` or
// more, all of which count. `stages` are those of the one that ends last, which
// has the processor for itself when the others have ended: a stick's counters
// hold the last inference of a graph, and are read when all are done.
absl::StatusOr<LoopTimes> RunInferences(const Program& program, int requests,
                                        int inferences);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_CONTENTION_CLOSED_LOOP_H_
