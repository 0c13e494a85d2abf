// The steps that an inference is made of.
#ifndef DOVETAIL_CORE_PLUGIN_STAGE_H_
#define DOVETAIL_CORE_PLUGIN_STAGE_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/executor/executor.h"

namespace dovetail {

// What a stage calls once when it is finished, from any thread.
using StageDone = std::function<void(absl::Status)>;

// One step of an inference, and where it runs. A stage that waits for a device
// calls `done` from the device's completion, so that no thread waits for it.
// `done` is called exactly once; `start` may call it itself. A synchronous
// inference starts all stages in the user's thread, whatever their executors:
// an executor is where to run, not a lock.
struct Stage {
  // Profiles call the stage so. The usual names are "preprocess", "input copy",
  // "execute", "output copy" and "postprocess".
  std::string name;
  Executor* executor;  // where `start` is called; null: where the last ended
  std::function<void(StageDone done)> start;
};

// A stage that is finished when `run` returns.
Stage SynchronousStage(absl::string_view name, Executor* executor,
                       std::function<absl::Status()> run);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PLUGIN_STAGE_H_
