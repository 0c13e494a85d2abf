#include "dovetail/backends/common/scheduling/multi_executable.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/backends/common/scheduling/device_counts.h"
#include "dovetail/backends/common/scheduling/multi_context.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail::multi {

namespace {

// How many inferences the device runs best at a time.
int InferencesOf(const Executable& part) {
  int count = 1;
  const auto value = part.GetMetric(properties::kOptimalNumberOfInferRequests);
  if (value.ok() && absl::SimpleAtoi(*value, &count) && count > 0) return count;
  return 1;
}

}  // namespace

int MultiExecutable::AddDevice(std::string device,
                               std::shared_ptr<const Executable> part,
                               int inferences) const {
  if (inferences == 0) inferences = InferencesOf(*part);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    const Config& config = part->config();
    parts_.push_back({std::move(device), part, config, {}});
    parts_.back().runs.resize(static_cast<size_t>(inferences));
  }
  return slots_->AddDevice(inferences);
}

void MultiExecutable::DropDevice(int device) const {
  slots_->Remove(device);
  slots_->AwaitIdle(device);
  std::shared_ptr<const Executable> executable;
  std::vector<DeviceRun> runs;
  std::lock_guard<std::mutex> lock(mutex_);
  runs.swap(parts_[device].runs);
  executable.swap(parts_[device].executable);
}

std::string MultiExecutable::DeviceName(int device) const {
  std::lock_guard<std::mutex> lock(mutex_);
  return parts_[device].device;
}

absl::StatusOr<DeviceRun> MultiExecutable::NewRun(int device) const {
  std::shared_ptr<const Executable> executable;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    executable = parts_[device].executable;
  }
  DeviceRun run;
  auto context = executable->NewContext();
  if (!context.ok()) return Annotate(context.status(), DeviceName(device));
  run.context = *std::move(context);
  run.chain = std::make_unique<StageChain>(
      run.context->stages(), config().GetBool(properties::kPerfCount));
  return run;
}

absl::StatusOr<DeviceRun*> MultiExecutable::RunAt(DeviceSlot slot) const {
  DeviceRun* run = nullptr;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    run = &parts_[slot.device].runs[slot.number];
  }
  if (run->context == nullptr) {
    DOVETAIL_ASSIGN_OR_RETURN(*run, NewRun(slot.device));
  }
  return run;
}

absl::StatusOr<std::unique_ptr<ExecutionContext>> MultiExecutable::NewContext()
    const {
  auto context = std::make_unique<MultiContext>(*this);
  if (options_.is_stateful) {
    const std::vector<int> order = slots_->order();
    if (order.empty()) return Unavailable("no device is left");
    int next = 0;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      next = next_device_++;
    }
    const int device = order[static_cast<size_t>(next) % order.size()];
    DOVETAIL_ASSIGN_OR_RETURN(DeviceRun run, NewRun(device));
    context->StayOn(device, std::move(run));
  }
  return std::unique_ptr<ExecutionContext>(std::move(context));
}

// ---- Properties ----

absl::StatusOr<std::string> MultiExecutable::GetMetric(
    absl::string_view name) const {
  std::vector<std::string> devices;
  for (const int device : slots_->order()) {
    devices.push_back(DeviceName(device));
  }
  if (name == properties::kExecutionDevices) return absl::StrJoin(devices, " ");
  if (name == properties::kDevicePriorities) return absl::StrJoin(devices, ",");
  if (name == properties::kOptimalNumberOfInferRequests) {
    return absl::StrCat(std::max(slots_->count(), 1));
  }
  return OfParts(name);
}

// What is in force on the first device that has such a key; of those that have
// been dropped what was, since results may still be theirs.
absl::StatusOr<std::string> MultiExecutable::OfParts(
    absl::string_view name) const {
  std::lock_guard<std::mutex> lock(mutex_);
  for (const Part& part : parts_) {
    if (part.executable == nullptr) continue;
    auto value = part.executable->GetMetric(name);
    if (value.ok()) return value;
    const auto entry = part.config.Find(name);
    if (entry.ok()) return entry->value;
  }
  for (const Part& part : parts_) {
    const auto entry = part.config.Find(name);
    if (entry.ok()) return entry->value;
  }
  return Executable::GetMetric(name);
}

// ---- The graph that runs ----

const Model* MultiExecutable::runtime_model() const {
  std::lock_guard<std::mutex> lock(mutex_);
  for (const Part& part : parts_) {
    if (part.executable == nullptr) continue;
    const Shown* const shown = ShownOf(part);
    return shown == nullptr ? nullptr : shown->executable->runtime_model();
  }
  return nullptr;
}

// With the lock. Null: it shows nothing.
const MultiExecutable::Shown* MultiExecutable::ShownOf(const Part& part) const {
  for (const Shown& shown : shown_) {
    if (shown.executable == part.executable) return &shown;
  }
  const Model* const model = part.executable->runtime_model();
  if (model == nullptr) return nullptr;
  shown_.push_back({part.device, part.executable, {}});
  for (const auto& node : model->nodes()) {
    shown_.back().nodes.insert(node.get());
  }
  return &shown_.back();
}

ExecutionInfo MultiExecutable::execution_info(const Node& node) const {
  std::lock_guard<std::mutex> lock(mutex_);
  for (const Shown& shown : shown_) {
    if (shown.nodes.count(&node) == 0) continue;
    ExecutionInfo info = shown.executable->execution_info(node);
    const bool runs = !node.op().Has(kStructural) && info.fused_into.empty();
    if (runs && info.device.empty()) info.device = shown.device;
    return info;
  }
  return {};
}

// ---- Devices ----

std::map<std::string, int> MultiExecutable::Numbers() const {
  std::lock_guard<std::mutex> lock(mutex_);
  std::map<std::string, int> numbers;
  for (size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].executable == nullptr) continue;
    numbers[parts_[i].device] = static_cast<int>(i);
  }
  return numbers;
}

std::vector<PropertySpec> MultiExecutable::own_properties() const {
  return {TextProperty(properties::kDevicePriorities, "",
                       "The devices, the first choice first: some of those "
                       "that the model was compiled for.")};
}

absl::Status MultiExecutable::SetProperty(absl::string_view name,
                                          absl::string_view value) const {
  if (name != properties::kDevicePriorities) {
    return Executable::SetProperty(name, value);
  }
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<DeviceCount> wanted,
                            ReadDeviceCounts(value, "MULTI"));
  std::vector<int> order;
  const std::map<std::string, int> known = Numbers();
  for (const DeviceCount& device : wanted) {
    const auto it = known.find(device.device);
    if (it == known.end()) {
      const auto name_of = [](std::string* out, const auto& entry) {
        out->append(entry.first);
      };
      return InvalidArgument(name, ": '", device.device,
                             "' is none of the devices that the model was "
                             "compiled for: ",
                             absl::StrJoin(known, ", ", name_of));
    }
    order.push_back(it->second);
  }
  slots_->SetOrder(std::move(order));
  return absl::OkStatus();
}

}  // namespace dovetail::multi
