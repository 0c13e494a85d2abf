// The way out of a driver's thread.
#ifndef DOVETAIL_BACKENDS_GPU_HAND_OVER_H_
#define DOVETAIL_BACKENDS_GPU_HAND_OVER_H_

#include "dovetail/core/executor/executor.h"

namespace dovetail::gpu {

// Has the executor run `task`, which may then destroy the executor: it begins
// only when Schedule has returned, unless Schedule itself runs it.
void HandOver(Executor& executor, Task task);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_HAND_OVER_H_
