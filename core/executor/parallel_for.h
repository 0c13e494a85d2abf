// A loop whose parts run at the same time.
#ifndef DOVETAIL_CORE_EXECUTOR_PARALLEL_FOR_H_
#define DOVETAIL_CORE_EXECUTOR_PARALLEL_FOR_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "dovetail/core/executor/executor.h"
#include "dovetail/core/executor/team/work_team.h"

namespace dovetail {

// Calls `body(begin, end)` for parts that together are [0, count), each of at
// least `grain` elements (but the last), and returns when all are done. The
// calling thread takes part, and every thread takes the next part when it has
// finished one: a part belongs to nobody, so a thread that has lost its core
// delays one part, not the loop. May be nested and may be called from a task of
// the same executor. The order of parts is not defined; which elements make up
// a part is, for one `count`, `grain` and concurrency.
void ParallelFor(Executor& executor, int64_t count, int64_t grain,
                 absl::FunctionRef<void(int64_t begin, int64_t end)> body);
// The same with a team's threads.
void ParallelFor(WorkTeam& team, int64_t count, int64_t grain,
                 absl::FunctionRef<void(int64_t begin, int64_t end)> body);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_EXECUTOR_PARALLEL_FOR_H_
