// The way out of a driver's thread.
#ifndef DOVETAIL_BACKENDS_GPU_HAND_OVER_H_
#define DOVETAIL_BACKENDS_GPU_HAND_OVER_H_

#include "dovetail/core/executor/executor.h"

namespace dovetail::gpu {

// Runs `task` in a thread of the process that takes completions. What follows
// a completion may be a user's callback, which may wait for other inferences
// and end requests, models and their executors: so it may run neither in the
// driver's thread nor in one that ends with them, nor before another
// completion.
void HandOver(Task task);

// Before the first HandOver: its threads run on the processors of the thread
// that calls this first. One of a stream may be pinned to a single one.
void PrepareHandOver();

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_HAND_OVER_H_
