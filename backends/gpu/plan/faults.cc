#include "dovetail/backends/gpu/plan/faults.h"

#include <algorithm>
#include <string>

#include "dovetail/backends/gpu/plan/steps.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {

absl::Status Faults::Allocate(const std::shared_ptr<ClDevice>& device,
                              const Plan& plan) {
  const bool is_needed =
      std::any_of(plan.steps.begin(), plan.steps.end(), [](const auto& step) {
        const LaunchStep* const launch = AsLaunch(step);
        return launch != nullptr && launch->source.reports_faults;
      });
  if (!is_needed) return absl::OkStatus();
  found_.assign(plan.steps.size() * kInts, 0);
  DOVETAIL_ASSIGN_OR_RETURN(
      buffer_,
      Buffer::WithData(device, found_.data(),
                       static_cast<int64_t>(found_.size() * sizeof(int32_t))));
  return absl::OkStatus();
}

absl::Status Faults::Read(Queue& queue) {
  if (found_.empty()) return absl::OkStatus();
  return queue.Read(buffer_, 0, found_.data(), buffer_.bytes(),
                    Queue::Wait::kNo);
}

absl::Status Faults::Check(const Plan& plan, Queue& queue) {
  for (size_t step = 0; step * kInts < found_.size(); ++step) {
    const int32_t* const found = &found_[step * kInts];
    if (found[0] == 0) continue;
    const absl::Status status = InvalidArgument(
        "an index is ", found[1], ", but the axis has ", found[2], " elements");
    DOVETAIL_RETURN_IF_ERROR(
        queue.Fill(buffer_, 0, buffer_.bytes(), std::string(1, '\0')));
    std::fill(found_.begin(), found_.end(), 0);
    return Annotate(status, plan.steps[step].node != nullptr
                                ? plan.steps[step].node->Describe()
                                : plan.steps[step].name);
  }
  return absl::OkStatus();
}

}  // namespace dovetail::gpu
