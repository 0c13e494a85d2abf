// InferRequest: names to indices; the rest is Request.

#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/plugin/ports/ports.h"
#include "dovetail/core/runtime/runtime.h"

namespace dovetail {

InferRequest::InferRequest(std::unique_ptr<Request> request)
    : request_(std::move(request)) {}

absl::StatusOr<int> InferRequest::FindInput(absl::string_view name) const {
  return FindPort("input", request_->executable().inputs(), name);
}
absl::StatusOr<int> InferRequest::FindOutput(absl::string_view name) const {
  return FindPort("output", request_->executable().outputs(), name);
}

absl::Status InferRequest::SetInput(absl::string_view name,
                                    const Tensor& tensor) {
  DOVETAIL_ASSIGN_OR_RETURN(const int i, FindInput(name));
  return request_->SetInput(i, tensor);
}
absl::Status InferRequest::SetInput(int i, const Tensor& tensor) {
  return request_->SetInput(i, tensor);
}
absl::Status InferRequest::SetOutput(absl::string_view name,
                                     const Tensor& tensor) {
  DOVETAIL_ASSIGN_OR_RETURN(const int i, FindOutput(name));
  return request_->SetOutput(i, tensor);
}
absl::Status InferRequest::SetOutput(int i, const Tensor& tensor) {
  return request_->SetOutput(i, tensor);
}
absl::StatusOr<Tensor> InferRequest::Input(absl::string_view name) const {
  DOVETAIL_ASSIGN_OR_RETURN(const int i, FindInput(name));
  return request_->Input(i);
}
absl::StatusOr<Tensor> InferRequest::Input(int i) const {
  return request_->Input(i);
}
absl::StatusOr<Tensor> InferRequest::Output(absl::string_view name) const {
  DOVETAIL_ASSIGN_OR_RETURN(const int i, FindOutput(name));
  return request_->Output(i);
}
absl::StatusOr<Tensor> InferRequest::Output(int i) const {
  return request_->Output(i);
}

absl::Status InferRequest::Infer() { return request_->Infer(); }
absl::Status InferRequest::StartAsync() { return request_->StartAsync(); }
absl::Status InferRequest::Wait() { return request_->Wait(); }
absl::StatusOr<bool> InferRequest::WaitFor(std::chrono::milliseconds timeout) {
  return request_->WaitFor(timeout);
}
void InferRequest::Cancel() { request_->Cancel(); }
absl::Status InferRequest::SetCallback(CompletionCallback callback,
                                       std::shared_ptr<Executor> executor) {
  return request_->SetCallback(std::move(callback), std::move(executor));
}
absl::StatusOr<std::vector<ProfilingRecord>> InferRequest::Profiling() const {
  return request_->Profiling();
}
absl::StatusOr<std::vector<Variable>> InferRequest::Variables() const {
  return request_->Variables();
}
absl::Status InferRequest::SetVariable(absl::string_view id,
                                       const Tensor& value) {
  return request_->SetVariable(id, value);
}
absl::Status InferRequest::ResetVariables() {
  return request_->ResetVariables();
}

}  // namespace dovetail
