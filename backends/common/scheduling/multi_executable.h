// A model that is compiled for several devices, each of which runs whole
// inferences of it.
#ifndef DOVETAIL_BACKENDS_COMMON_SCHEDULING_MULTI_EXECUTABLE_H_
#define DOVETAIL_BACKENDS_COMMON_SCHEDULING_MULTI_EXECUTABLE_H_

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>
#include <vector>

#include "dovetail/backends/common/scheduling/device_slots.h"
#include "dovetail/core/plugin/plugin.h"
#include "dovetail/core/request/stage_chain.h"

namespace dovetail::multi {

// What runs an inference on a device: a context of its own, and what runs its
// stages.
struct DeviceRun {
  std::unique_ptr<ExecutionContext> context;
  std::unique_ptr<StageChain> chain;
  // Which of all sets of tensors that requests have had it was last given; 0:
  // none, or not all of one.
  uint64_t tensors = 0;
};

struct MultiOptions {
  SlotPolicy policy = SlotPolicy::kDevicePriority;
  bool is_stateful = false;  // a request stays on one device
  // An inference whose device is lost runs again on the next one.
  bool falls_back = false;
};

class MultiExecutable : public Executable {
 public:
  MultiExecutable(ExecutableInfo info, const MultiOptions& options)
      : Executable(std::move(info)),
        options_(options),
        slots_(std::make_shared<DeviceSlots>(options.policy)) {}

  // The model compiled for a device, which runs so many inferences at a time,
  // 0: as many as it says that it likes. May be called while others run; the
  // number of the device.
  int AddDevice(std::string device, std::shared_ptr<const Executable> part,
                int inferences) const;
  // Lets the device's inferences end, and frees what has been compiled for it.
  void DropDevice(int device) const;
  // A device is lost and runs nothing any more. In a thread of an inference,
  // which does not wait for what is begun here.
  virtual void OnLost() const {}

  absl::StatusOr<std::unique_ptr<ExecutionContext>> NewContext() const override;
  absl::StatusOr<std::string> GetMetric(absl::string_view name) const override;
  std::vector<PropertySpec> own_properties() const override;
  absl::Status SetProperty(absl::string_view name,
                           absl::string_view value) const override;
  // The graph that the first device runs which has the model now. What is
  // compiled for that one then lives as long as this, as users hold the graph.
  const Model* runtime_model() const override;
  ExecutionInfo execution_info(const Node& node) const override;

  const MultiOptions& options() const { return options_; }
  DeviceSlots& slots() const { return *slots_; }
  // For a thread in which an inference goes on that may end in another one
  // before slots() have returned, with which the executable may go.
  std::shared_ptr<DeviceSlots> shared_slots() const { return slots_; }
  // Of whoever holds the slot; made when it is used for the first time.
  absl::StatusOr<DeviceRun*> RunAt(DeviceSlot slot) const;
  absl::StatusOr<DeviceRun> NewRun(int device) const;
  std::string DeviceName(int device) const;

 private:
  struct Part {
    std::string device;
    std::shared_ptr<const Executable> executable;  // null: dropped
    Config config;                                 // with which it was compiled
    std::vector<DeviceRun> runs;                   // by slot
  };

  // A graph that users may have.
  struct Shown {
    std::string device;
    std::shared_ptr<const Executable> executable;
    std::unordered_set<const Node*> nodes;
  };

  absl::StatusOr<std::string> OfParts(absl::string_view name) const;
  const Shown* ShownOf(const Part& part) const;
  // Of devices that have not been dropped.
  std::map<std::string, int> Numbers() const;

  const MultiOptions options_;
  const std::shared_ptr<DeviceSlots> slots_;
  mutable std::mutex mutex_;  // guards what follows, but not the runs
  mutable std::deque<Part> parts_;
  mutable std::deque<Shown> shown_;
  mutable int next_device_ = 0;  // of the next stateful request, in the order
};

}  // namespace dovetail::multi

#endif  // DOVETAIL_BACKENDS_COMMON_SCHEDULING_MULTI_EXECUTABLE_H_
