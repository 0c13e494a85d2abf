// One inference of a model that several devices have.
#ifndef DOVETAIL_BACKENDS_COMMON_SCHEDULING_MULTI_CONTEXT_H_
#define DOVETAIL_BACKENDS_COMMON_SCHEDULING_MULTI_CONTEXT_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "dovetail/backends/common/scheduling/device_slots.h"
#include "dovetail/backends/common/scheduling/multi_executable.h"
#include "dovetail/backends/common/scheduling/start_mark.h"
#include "dovetail/core/tensor/memory/allocator.h"

namespace dovetail::multi {

// Its one stage takes a slot, when there is one, and runs the stages of that
// device on this context's own tensors, or the user's: results are here, and
// the device's next inference does not touch them. No thread waits for a slot.
class MultiContext : public ExecutionContext, private SlotWaiter {
 public:
  explicit MultiContext(const MultiExecutable& executable);

  // All inferences of this context are of the one device, which keeps its
  // variables in `run`. Before the first one.
  void StayOn(int device, DeviceRun run);

  absl::Span<const Stage> stages() override { return stages_; }
  absl::Status SetInput(int i, const Tensor& tensor) override;
  absl::Status SetOutput(int i, const Tensor& tensor) override;
  void Begin(bool synchronous) override;
  void End(const absl::Status& status) override;
  void Cancel() override;
  std::vector<ProfilingRecord> profiling() const override { return records_; }
  std::vector<Variable> variables() const override;
  absl::Status SetVariable(absl::string_view id, const Tensor& value) override;

 private:
  void Run(StageDone done);
  void Take(DeviceSlot slot) override;
  void TakeNone() override;
  absl::StatusOr<DeviceRun*> RunOf(DeviceSlot slot);
  absl::Status StartOn(DeviceRun& run, bool& is_over);
  absl::Status Bind(DeviceRun& run);
  absl::Status TakeOver(ExecutionContext& context);
  static void OnEnded(void* self, absl::Status status);
  void Ended(absl::Status status);
  bool TryNext(const absl::Status& status);
  void GiveBack();
  void Finish(absl::Status status);

  const MultiExecutable& executable_;
  const std::shared_ptr<Allocator> allocator_;  // of who made the request
  std::optional<DeviceRun> own_;                // see StayOn
  bool own_has_run_ = false;  // and was not told how the inference ended
  const bool is_timed_;
  const bool has_dynamic_outputs_;
  std::vector<Stage> stages_;
  std::vector<ProfilingRecord> records_;
  uint64_t tensors_;  // which they are: see DeviceRun

  // Of the inference.
  bool synchronous_ = false;
  std::thread::id caller_;
  StageDone done_;
  StartMark start_;  // of Run
  DeviceSlot slot_;
  DeviceRun* run_ = nullptr;  // of that slot
  int64_t start_ns_ = 0;

  std::mutex mutex_;  // guards what follows, and is_withdrawn
  DeviceRun* running_ = nullptr;
  int cancelling_ = 0;                 // calls of Cancel that use running_
  std::optional<absl::Status> ended_;  // meanwhile
};

}  // namespace dovetail::multi

#endif  // DOVETAIL_BACKENDS_COMMON_SCHEDULING_MULTI_CONTEXT_H_
