#include "dovetail/backends/vpu/custom/shave/shave_control.h"

#include <algorithm>
#include <atomic>
#include <limits>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/opencl/cl_status.h"
#include "dovetail/core/base/status.h"

namespace dovetail::vpu {
namespace {

// Drivers share memory of whole pages without a copy.
constexpr size_t kPage = 4096;
constexpr int64_t kNumbersOfGroup = 4;

// What the first number says.
constexpr uint64_t kRun = 0;
constexpr uint64_t kWrongTransfer = 1;
constexpr uint64_t kStop = 2;  // and the watchdog's milliseconds more

int64_t Bounded(uint64_t number) {
  return static_cast<int64_t>(std::min<uint64_t>(
      number, std::numeric_limits<int32_t>::max() * uint64_t{1024}));
}

}  // namespace

absl::StatusOr<std::unique_ptr<ShaveControl>> ShaveControl::New(
    const ShaveProgram& program, int64_t groups) {
  std::unique_ptr<ShaveControl> control(new ShaveControl);
  control->groups_ = groups;
  const size_t numbers = static_cast<size_t>(1 + kNumbersOfGroup * groups);
  const size_t bytes = (numbers * sizeof(uint64_t) + kPage - 1) / kPage * kPage;
  control->numbers_.reset(
      static_cast<uint64_t*>(std::aligned_alloc(kPage, bytes)));
  if (control->numbers_ == nullptr) {
    return ResourceExhausted("no ", bytes, " bytes for the counts of ", groups,
                             " work groups");
  }
  control->Reset();
  cl_int code = CL_SUCCESS;
  control->memory_ = opencl::Mem(
      program.api(),
      program.api().CreateBuffer(program.context().get(),
                                 CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes,
                                 control->numbers_.get(), &code));
  DOVETAIL_RETURN_IF_ERROR(opencl::ClStatus(code, "clCreateBuffer"));
  return control;
}

void ShaveControl::Stop(int64_t watchdog_ms) {
  std::atomic_ref<uint64_t>(numbers_[0])
      .store(kStop + static_cast<uint64_t>(watchdog_ms));
}

absl::Status ShaveControl::status() const {
  const uint64_t state = std::atomic_ref<uint64_t>(numbers_[0]).load();
  if (state == kRun) return absl::OkStatus();
  if (state == kWrongTransfer) {
    return InvalidArgument(
        "a DMA transfer has lines of 0 bytes, or more bytes "
        "than 2^31 - 1");
  }
  return absl::DeadlineExceededError(
      absl::StrCat("it ran longer than MYRIAD_WATCHDOG=", state - kStop,
                   " ms and was stopped"));
}

void ShaveControl::Reset() {
  std::fill_n(numbers_.get(), 1 + kNumbersOfGroup * groups_, kRun);
}

std::vector<GroupWork> ShaveControl::Counts() const {
  std::vector<GroupWork> counts(static_cast<size_t>(groups_));
  for (size_t i = 0; i < counts.size(); ++i) {
    const uint64_t* const numbers = numbers_.get() + 1 + kNumbersOfGroup * i;
    counts[i] = {Bounded(numbers[0]), Bounded(numbers[1]), Bounded(numbers[2]),
                 Bounded(numbers[3])};
  }
  return counts;
}

}  // namespace dovetail::vpu
