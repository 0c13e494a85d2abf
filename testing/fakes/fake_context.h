// One inference at a time of the fake device: copies inputs to the device, has
// it run, is told when it has, and copies outputs back.
#ifndef DOVETAIL_TESTING_FAKES_FAKE_CONTEXT_H_
#define DOVETAIL_TESTING_FAKES_FAKE_CONTEXT_H_

#include <atomic>
#include <vector>

#include "dovetail/core/plugin/plugin.h"
#include "dovetail/core/plugin/ports/port_tensors.h"
#include "dovetail/testing/fakes/fake_executable.h"

namespace dovetail {

class FakeContext : public ExecutionContext {
 public:
  // `executable` outlives the context.
  explicit FakeContext(const FakeExecutable& executable);

  absl::Span<const Stage> stages() override { return stages_; }
  bool Takes(const DeviceMemory& memory) const override;
  void Begin(bool) override { cancelled_ = false; }
  void End(const absl::Status& status) override;
  void Cancel() override;

  std::vector<ProfilingRecord> profiling() const override;
  std::vector<Variable> variables() const override;
  absl::Status SetVariable(absl::string_view id, const Tensor& value) override;

 private:
  absl::Status Upload();
  void Execute(StageDone done);
  absl::Status Download();
  absl::Status StoreOutput(int i, FakeMemory::Handle handle);

  const FakeExecutable& executable_;
  FakeDevice& device_;
  std::vector<Stage> stages_;

  std::vector<FakeBuffer> uploaded_;  // own those inputs that were copied
  std::vector<FakeMemory::Handle> input_handles_;
  DeviceSession session_;
  RunReport report_;

  // Execute writes the ticket and then reads the flag, Cancel the other way
  // round: so one of them sees the other.
  std::atomic<CommandQueue::Ticket> ticket_ = 0;
  std::atomic<bool> cancelled_ = false;
};

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_FAKES_FAKE_CONTEXT_H_
