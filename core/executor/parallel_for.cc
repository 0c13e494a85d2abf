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
  const int64_t grains = CeilDivide(count, grain);
  const int64_t grains_per_part =
      CeilDivide(grains, threads * kPartsPerThread);
  const int64_t part_size = grains_per_part * grain;
  const int parts = static_cast<int>(CeilDivide(grains, grains_per_part));
  run(parts, [=](int part) {
    const int64_t begin = part * part_size;
    body(begin, part + 1 == parts ? count : begin + part_size);
  });
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
