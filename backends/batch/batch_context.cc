#include "dovetail/backends/batch/batch_context.h"

#include <utility>

#include "dovetail/core/base/status.h"

namespace dovetail::batch {

absl::StatusOr<std::unique_ptr<ExecutionContext>> BatchContext::Create(
    const Executable& executable, Gathering& gathering) {
  std::unique_ptr<BatchContext> context(
      new BatchContext(executable, gathering));
  DOVETAIL_RETURN_IF_ERROR(context->Enter(executable));
  return std::unique_ptr<ExecutionContext>(std::move(context));
}

BatchContext::BatchContext(const Executable& executable, Gathering& gathering)
    : ExecutionContext(executable),
      gathering_(gathering),
      stage_{"batch", nullptr, [this](StageDone done) {
               gathering_.Join(guest_, std::move(done));
             }} {}

BatchContext::~BatchContext() {
  if (has_entered_) gathering_.Leave(guest_);
}

absl::Status BatchContext::Enter(const Executable& executable) {
  DOVETAIL_RETURN_IF_ERROR(gathering_.Enter(guest_));
  has_entered_ = true;
  guest_.inputs.resize(executable.inputs().size());
  guest_.outputs.resize(executable.outputs().size());
  for (size_t i = 0; i < guest_.inputs.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(SetInput(static_cast<int>(i), Tensor()));
  }
  for (size_t i = 0; i < guest_.outputs.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(SetOutput(static_cast<int>(i), Tensor()));
  }
  return absl::OkStatus();
}

absl::Status BatchContext::SetInput(int i, const Tensor& tensor) {
  Tensor used = tensor;
  if (!used.has_data()) used = guest_.home->InputRow(i, guest_.row);
  if (!used.has_data()) {
    DOVETAIL_RETURN_IF_ERROR(input_tensors().Set(i, Tensor()));
    DOVETAIL_ASSIGN_OR_RETURN(used, input_tensors().Get(i));
  }
  guest_.inputs[i] = std::move(used);
  return absl::OkStatus();
}

absl::Status BatchContext::SetOutput(int i, const Tensor& tensor) {
  Tensor used = tensor;
  if (!used.has_data()) used = guest_.home->OutputRow(i, guest_.row);
  if (!used.has_data()) {
    DOVETAIL_RETURN_IF_ERROR(output_tensors().Set(i, Tensor()));
    DOVETAIL_ASSIGN_OR_RETURN(used, output_tensors().Get(i));
  }
  guest_.outputs[i] = std::move(used);
  return absl::OkStatus();
}

void BatchContext::Begin(bool) {
  guest_.is_cancelled = false;
  guest_.profiling.clear();
}

}  // namespace dovetail::batch
