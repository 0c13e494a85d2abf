#include "dovetail/backends/gpu/queue/event_times.h"

#include "dovetail/backends/gpu/driver/cl_status.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

absl::Status Read(const Event& event, cl_profiling_info what, int64_t& time) {
  cl_ulong value = 0;
  const cl_int code = event.api().GetEventProfilingInfo(
      event.get(), what, sizeof(value), &value, nullptr);
  if (code == CL_PROFILING_INFO_NOT_AVAILABLE) {
    return FailedPrecondition(
        "an event has times when its command is complete, on a queue that "
        "profiles");
  }
  time = static_cast<int64_t>(value);
  return ClStatus(code, "clGetEventProfilingInfo");
}

}  // namespace

absl::StatusOr<EventTimes> TimesOf(const Event& event) {
  EventTimes times;
  DOVETAIL_RETURN_IF_ERROR(
      Read(event, CL_PROFILING_COMMAND_QUEUED, times.queued));
  DOVETAIL_RETURN_IF_ERROR(
      Read(event, CL_PROFILING_COMMAND_SUBMIT, times.submitted));
  DOVETAIL_RETURN_IF_ERROR(
      Read(event, CL_PROFILING_COMMAND_START, times.start));
  DOVETAIL_RETURN_IF_ERROR(Read(event, CL_PROFILING_COMMAND_END, times.end));
  return times;
}

}  // namespace dovetail::gpu
