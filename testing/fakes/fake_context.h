// One inference at a time of the fake device: copies inputs to the device, has
// it run, is told when it has, and copies outputs back.
#ifndef DOVETAIL_TESTING_FAKES_FAKE_CONTEXT_H_
#define DOVETAIL_TESTING_FAKES_FAKE_CONTEXT_H_

#include <atomic>
#include <vector>

#include "dovetail/core/plugin/plugin.h"
#include "dovetail/core/plugin/port_tensors.h"
#include "dovetail/testing/fakes/fake_executable.h"

namespace dovetail {

class FakeContext : public ExecutionContext {
 public:
  // `executable` outlives the context.
  explicit FakeContext(const FakeExecutable& executable);

  absl::Status SetInput(int i, const Tensor& tensor) override {
    return inputs_.Set(i, tensor);
  }
  absl::Status SetOutput(int i, const Tensor& tensor) override {
    return outputs_.Set(i, tensor);
  }
  absl::StatusOr<Tensor> Input(int i) override { return inputs_.Get(i); }
  absl::StatusOr<Tensor> Output(int i) override { return outputs_.Get(i); }

  absl::Span<const Stage> stages() override { return stages_; }
  void Begin() override { cancelled_ = false; }
  void Cancel() override;

  std::vector<ProfilingRecord> profiling() const override;
  std::vector<Variable> variables() const override;
  absl::Status SetVariable(absl::string_view id, const Tensor& value) override;

 private:
  absl::Status Upload();
  void Execute(StageDone done);
  absl::Status Download();

  const FakeExecutable& executable_;
  FakeDevice& device_;
  PortTensors inputs_, outputs_;  // the host's side
  std::vector<Stage> stages_;

  std::vector<DeviceBuffer> uploaded_;
  DeviceSession session_;
  RunReport report_;

  // Execute writes the ticket and then reads the flag, Cancel the other way
  // round: so one of them sees the other.
  std::atomic<CommandQueue::Ticket> ticket_ = 0;
  std::atomic<bool> cancelled_ = false;
};

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_FAKES_FAKE_CONTEXT_H_
