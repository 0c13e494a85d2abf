#include "dovetail/core/executor/parallel_for.h"

#include <algorithm>

#include "dovetail/core/base/checked_math.h"

namespace dovetail {
namespace {

// More parts than threads even out parts that take unequal time and threads
// that start late or lose their processor.
constexpr int64_t kPartsPerThread = 4;

using Body = absl::FunctionRef<void(int64_t, int64_t)>;

// Cuts [0, count) into parts of whole grains, which `run` shares out.
template <typename Run>
void CutAndRun(int threads, int64_t count, int64_t grain, Body body, Run run) {
  if (count <= 0) return;
  grain = std::max<int64_t>(1, grain);
  if (threads <= 1 || count <= grain) return body(0, count);
  // As equal as they can be: were each of as many grains, ten of them would be
  // five parts of two, and one of two threads had three of these.
  const int64_t grains = CeilDivide(count, grain);
  const int parts =
      static_cast<int>(std::min(grains, threads * kPartsPerThread));
  const auto begin_of = [=](int64_t part) {
    return part == parts ? count : part * grains / parts * grain;
  };
  run(parts, [=](int part) { body(begin_of(part), begin_of(part + 1)); });
}

}  // namespace

void ParallelFor(Executor& executor, int64_t count, int64_t grain, Body body) {
  CutAndRun(executor.concurrency(), count, grain, body,
            [&](int parts, absl::FunctionRef<void(int)> part) {
              executor.RunParts(parts, part);
            });
}

void ParallelFor(WorkTeam& team, int64_t count, int64_t grain, Body body) {
  CutAndRun(team.threads(), count, grain, body,
            [&](int parts, absl::FunctionRef<void(int)> part) {
              team.Run(parts, part);
            });
}

}  // namespace dovetail
