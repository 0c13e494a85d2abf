#include "dovetail/core/request/request.h"

#include <utility>

#include "dovetail/core/base/scoped_trace.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/plugin/ports/ports.h"
#include "dovetail/core/request/inference.h"

namespace dovetail {
namespace {

absl::Status CheckIndex(absl::string_view kind, int i, size_t count) {
  if (i >= 0 && static_cast<size_t>(i) < count) return absl::OkStatus();
  return OutOfRange("there is no ", kind, " ", i, ": the model has ", count,
                    " ", kind, "s");
}

absl::Status CheckOutput(const PortInfo& port, const Tensor& tensor) {
  DOVETAIL_RETURN_IF_ERROR(CheckTensor("output", port, tensor));
  if (!tensor.is_read_only()) return absl::OkStatus();
  return InvalidArgument(DescribePort("output", port),
                         ": the tensor is read-only");
}

// The one gate for memory that is not the host's.
absl::Status CheckMemory(absl::string_view port, const Tensor& tensor,
                         const ExecutionContext& context) {
  if (tensor.is_on_host() || context.Takes(*tensor.device_memory())) {
    return absl::OkStatus();
  }
  return InvalidArgument(port, ": the tensor is in the memory of device ",
                         tensor.device_memory()->device(),
                         ", which the compiled model cannot use; copy it to "
                         "the host first");
}

}  // namespace

absl::StatusOr<std::unique_ptr<Request>> Request::Create(
    std::shared_ptr<const Executable> executable) {
  if (executable == nullptr) {
    return InvalidArgument("a request needs a compiled model");
  }
  DOVETAIL_ASSIGN_OR_RETURN(std::unique_ptr<ExecutionContext> context,
                            executable->NewContext());
  if (context == nullptr) {
    return Internal("the device made no execution context");
  }
  return std::unique_ptr<Request>(
      new Request(new Inference(std::move(executable), std::move(context))));
}

Request::Request(Inference* inference) : inference_(inference) {}

Request::~Request() {
  inference_->Stop();
  inference_->Unref();
}

absl::Status Request::SetInput(int i, const Tensor& tensor) {
  const auto ports = executable().inputs();
  DOVETAIL_RETURN_IF_ERROR(CheckIndex("input", i, ports.size()));
  DOVETAIL_RETURN_IF_ERROR(CheckTensor("input", ports[i], tensor));
  return inference_->WhenIdle([&](ExecutionContext& context) {
    DOVETAIL_RETURN_IF_ERROR(
        CheckMemory(DescribePort("input", ports[i]), tensor, context));
    return context.SetInput(i, tensor);
  });
}

absl::Status Request::SetOutput(int i, const Tensor& tensor) {
  const auto ports = executable().outputs();
  DOVETAIL_RETURN_IF_ERROR(CheckIndex("output", i, ports.size()));
  if (tensor.has_data()) {
    DOVETAIL_RETURN_IF_ERROR(CheckOutput(ports[i], tensor));
  }
  return inference_->WhenIdle([&](ExecutionContext& context) {
    DOVETAIL_RETURN_IF_ERROR(
        CheckMemory(DescribePort("output", ports[i]), tensor, context));
    return context.SetOutput(i, tensor);
  });
}

absl::StatusOr<Tensor> Request::Input(int i) {
  DOVETAIL_RETURN_IF_ERROR(
      CheckIndex("input", i, executable().inputs().size()));
  absl::StatusOr<Tensor> tensor;
  DOVETAIL_RETURN_IF_ERROR(
      inference_->WhenIdle([&](ExecutionContext& context) {
        tensor = context.Input(i);
        return tensor.status();
      }));
  return tensor;
}

absl::StatusOr<Tensor> Request::Output(int i) {
  DOVETAIL_RETURN_IF_ERROR(
      CheckIndex("output", i, executable().outputs().size()));
  absl::StatusOr<Tensor> tensor;
  DOVETAIL_RETURN_IF_ERROR(
      inference_->WhenIdle([&](ExecutionContext& context) {
        tensor = context.Output(i);
        return tensor.status();
      }));
  return tensor;
}

absl::Status Request::Infer() {
  const ScopedTrace trace("request", "infer");
  return inference_->RunHere();
}
absl::Status Request::StartAsync() { return inference_->Start(); }
absl::Status Request::Wait() { return inference_->Wait(); }
absl::StatusOr<bool> Request::WaitFor(std::chrono::milliseconds timeout) {
  return inference_->WaitFor(timeout);
}
void Request::Cancel() { inference_->Cancel(); }
absl::Status Request::SetCallback(CompletionCallback callback,
                                  std::shared_ptr<Executor> executor) {
  return inference_->SetCallback(std::move(callback), std::move(executor));
}
bool Request::busy() const { return inference_->busy(); }

absl::StatusOr<std::vector<ProfilingRecord>> Request::Profiling() {
  return inference_->Profiling();
}

absl::StatusOr<std::vector<Variable>> Request::Variables() {
  std::vector<Variable> variables;
  DOVETAIL_RETURN_IF_ERROR(
      inference_->WhenIdle([&](ExecutionContext& context) {
        variables = context.variables();
        return absl::OkStatus();
      }));
  return variables;
}

absl::Status Request::SetVariable(absl::string_view id, const Tensor& value) {
  return inference_->WhenIdle([&](ExecutionContext& context) {
    return context.SetVariable(id, value);
  });
}

absl::Status Request::ResetVariables() {
  return inference_->WhenIdle([](ExecutionContext& context) {
    for (const Variable& variable : context.variables()) {
      DOVETAIL_RETURN_IF_ERROR(context.SetVariable(variable.id, Tensor()));
    }
    return absl::OkStatus();
  });
}

const Executable& Request::executable() const {
  return inference_->executable();
}

}  // namespace dovetail
