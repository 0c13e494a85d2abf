// One inference over the stages of an execution context, synchronously or not:
// the state machine that no backend writes again.
#ifndef DOVETAIL_CORE_REQUEST_REQUEST_H_
#define DOVETAIL_CORE_REQUEST_REQUEST_H_

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail {

class Inference;

// Called once at the end of each asynchronous inference, on the thread that ran
// the last stage (or that destroys the request before its next stage began),
// with the inference's status. The request is idle by then: the callback may
// set tensors, start again, and destroy this or another request. It must not
// throw, nor wait for a request that needs the same thread.
using CompletionCallback = std::function<void(const absl::Status& status)>;

// Idle until StartAsync or Infer, then busy until the last stage has ended.
// While it is busy everything but Wait, WaitFor, Cancel and busy() answers
// kFailedPrecondition. Thread-safe. The destructor cancels and waits; a stage
// that is still in its executor's queue is not waited for. Inferences in a
// steady state allocate nothing here.
class Request {
 public:
  // Keeps the executable alive. kInternal when NewContext gives null.
  static absl::StatusOr<std::unique_ptr<Request>> Create(
      std::shared_ptr<const Executable> executable);
  ~Request();

  // Tensors by index of the port. kOutOfRange for an index that there is not;
  // kInvalidArgument, naming the port, for another type, a shape that does not
  // fit, no data, or an output that is read-only. A default Tensor gives an
  // output back to the device's own memory. The tensor is used in place (zero
  // copy) where the device can; it may have strides. A tensor in a device's
  // memory is for models that were compiled for that device: kInvalidArgument,
  // naming both, else.
  absl::Status SetInput(int i, const Tensor& tensor);
  absl::Status SetOutput(int i, const Tensor& tensor);
  absl::StatusOr<Tensor> Input(int i);
  absl::StatusOr<Tensor> Output(int i);

  // Runs all stages in this thread and waits. The callback is not called.
  absl::Status Infer();
  // Schedules the first stage and returns.
  absl::Status StartAsync();
  // Blocks until it is idle and its callback has returned (in the callback:
  // until it is idle); the status of the last inference. kFailedPrecondition
  // when none was ever started.
  absl::Status Wait();
  // The same for at most `timeout`: false when it is still busy then.
  absl::StatusOr<bool> WaitFor(std::chrono::milliseconds timeout);
  // A busy request ends with kCancelled (or the error of a stage), before the
  // next stage at the latest; an idle one is left alone.
  void Cancel();
  // Replaces the callback; an empty one removes it. With an executor the
  // callback runs there, else in the thread of the end.
  absl::Status SetCallback(CompletionCallback callback,
                           std::shared_ptr<Executor> executor = nullptr);
  bool busy() const;

  // Of the last inference, with PERF_COUNT: layers, then stages.
  absl::StatusOr<std::vector<ProfilingRecord>> Profiling();
  absl::StatusOr<std::vector<Variable>> Variables();
  absl::Status SetVariable(absl::string_view id, const Tensor& value);
  // Resets all variables to their initial values.
  absl::Status ResetVariables();

  const Executable& executable() const;

 private:
  explicit Request(Inference* inference);
  Inference* inference_;  // one reference to it
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REQUEST_REQUEST_H_
