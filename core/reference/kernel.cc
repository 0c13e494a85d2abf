#include "dovetail/core/reference/kernel.h"

#include <utility>

#include "dovetail/core/graph/model.h"

namespace dovetail {
namespace {

// Runs every task at once in the thread that schedules it.
class CallingThread : public Executor {
 public:
  void Schedule(Task task) override { task(); }
};

}  // namespace

absl::Status KernelContext::AllocateOutput(int i, ElementType type,
                                           const Shape& shape) {
  absl::StatusOr<Tensor> tensor =
      environment_.allocate != nullptr
          ? environment_.allocate(node_, i, type, shape)
          : Tensor::AllocateUninitialized(type, shape);
  if (!tensor.ok()) return Annotate(tensor.status(), node_.Describe());
  outputs_[i] = *std::move(tensor);
  return absl::OkStatus();
}

Executor& KernelContext::executor() const {
  static auto* const calling_thread = new CallingThread;
  return environment_.executor != nullptr ? *environment_.executor
                                          : *calling_thread;
}

absl::StatusOr<std::vector<Tensor>> KernelContext::EvaluateBody(
    const Model& body, absl::Span<const Tensor> inputs) const {
  if (environment_.run_body != nullptr) {
    return environment_.run_body(body, inputs);
  }
  if (evaluate_ == nullptr) {
    return Internal(node_.Describe(),
                    ": its kernel was run without EvaluateFn");
  }
  return evaluate_(body, inputs, environment_);
}

}  // namespace dovetail
