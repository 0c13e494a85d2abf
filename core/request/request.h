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

// Called once at the end of each asynchronous inference, on the thread that ran
// the last stage, with the inference's status. The request is idle by then: the
// callback may set tensors and start again.
using CompletionCallback = std::function<void(const absl::Status& status)>;

// Idle until StartAsync or Infer, then busy until the last stage has ended.
// While it is busy everything but Wait, WaitFor, Cancel and Status-like
// getters answers kFailedPrecondition. Thread-safe. The destructor cancels and
// waits.
class Request {
 public:
  // Keeps the executable alive. kInternal when NewContext gives null.
  static absl::StatusOr<std::unique_ptr<Request>> Create(
      std::shared_ptr<const Executable> executable);
  ~Request();

  // Tensors by index of the port. kOutOfRange for an index that there is not;
  // kInvalidArgument, naming the port, for another type, a shape that does not
  // fit, no data, or an output that is read-only.
  absl::Status SetInput(int i, const Tensor& tensor);
  absl::Status SetOutput(int i, const Tensor& tensor);
  absl::StatusOr<Tensor> Input(int i);
  absl::StatusOr<Tensor> Output(int i);

  // Runs all stages and waits. The callback is not called.
  absl::Status Infer();
  // Schedules the first stage and returns.
  absl::Status StartAsync();
  // Blocks until idle; the status of the last inference. kFailedPrecondition
  // when none was ever started.
  absl::Status Wait();
  // The same for at most `timeout`: false when it is still busy then.
  absl::StatusOr<bool> WaitFor(std::chrono::milliseconds timeout);
  // A busy request ends with kCancelled at the next stage at the latest; an
  // idle one is left alone.
  void Cancel();
  // Replaces the callback; an empty one removes it.
  absl::Status SetCallback(CompletionCallback callback);
  bool busy() const;

  absl::StatusOr<std::vector<ProfilingRecord>> Profiling();
  absl::StatusOr<std::vector<Variable>> Variables();
  absl::Status SetVariable(absl::string_view id, const Tensor& value);
  // Resets all variables to their initial values.
  absl::Status ResetVariables();

  const Executable& executable() const;

 private:
  class Impl;
  explicit Request(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REQUEST_REQUEST_H_
