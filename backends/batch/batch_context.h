// One inference that runs in a batch with others.
#ifndef DOVETAIL_BACKENDS_BATCH_BATCH_CONTEXT_H_
#define DOVETAIL_BACKENDS_BATCH_BATCH_CONTEXT_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/backends/batch/gathering.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail::batch {

// Its own tensors are rows of a batch's memory, so that a full batch of such
// requests copies nothing.
class BatchContext : public ExecutionContext {
 public:
  // Both outlive the context.
  static absl::StatusOr<std::unique_ptr<ExecutionContext>> Create(
      const Executable& executable, Gathering& gathering);
  ~BatchContext() override;

  absl::Span<const Stage> stages() override { return {&stage_, 1}; }
  absl::Status SetInput(int i, const Tensor& tensor) override;
  absl::Status SetOutput(int i, const Tensor& tensor) override;
  absl::StatusOr<Tensor> Input(int i) override { return guest_.inputs[i]; }
  absl::StatusOr<Tensor> Output(int i) override { return guest_.outputs[i]; }
  void Begin(bool synchronous) override;
  void Cancel() override { gathering_.Cancel(guest_); }
  std::vector<ProfilingRecord> profiling() const override {
    return guest_.profiling;
  }

 private:
  BatchContext(const Executable& executable, Gathering& gathering);
  absl::Status Enter(const Executable& executable);

  Gathering& gathering_;
  Gathering::Guest guest_;
  bool has_entered_ = false;
  const Stage stage_;
};

}  // namespace dovetail::batch

#endif  // DOVETAIL_BACKENDS_BATCH_BATCH_CONTEXT_H_
