#include "dovetail/backends/gpu/testing/shim_state.h"

#include <cstdlib>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"

namespace dovetail::gpu {
namespace {

std::string Variable(const char* name, const char* otherwise = "") {
  const char* const text = std::getenv(name);
  return text != nullptr ? text : otherwise;
}

}  // namespace

ShimState& ShimState::Get() {
  static ShimState& state = *new ShimState;
  return state;
}

ShimState::ShimState() {
  auto real =
      LoadClApiFrom(Variable("DOVETAIL_SHIM_FORWARDS_TO", "libOpenCL.so.1"));
  if (real.ok()) real_ = *std::move(real);
  ReadEnvironment();
}

void ShimState::ReadEnvironment() {
  for (const absl::string_view fault :
       absl::StrSplit(Variable("DOVETAIL_SHIM_FAIL"), ',', absl::SkipEmpty())) {
    const std::vector<std::string> parts = absl::StrSplit(fault, ':');
    int64_t nth = 0;
    int code = 0;
    if (parts.size() == 3 && absl::SimpleAtoi(parts[1], &nth) &&
        absl::SimpleAtoi(parts[2], &code)) {
      Fail(parts[0], nth, code);
    }
  }
  int64_t limit = -1;
  if (absl::SimpleAtoi(Variable("DOVETAIL_SHIM_MEMORY"), &limit)) {
    LimitMemory(limit);
  }
  Lose(Variable("DOVETAIL_SHIM_LOST") == "1");
}

cl_int ShimState::Enter(const std::string& function) {
  std::lock_guard<std::mutex> lock(mutex_);
  ++calls_[function];
  if (real_ == nullptr) return CL_PLATFORM_NOT_FOUND_KHR;
  if (lost_) return CL_DEVICE_NOT_AVAILABLE;
  const auto it = faults_.find(function);
  if (it == faults_.end()) return CL_SUCCESS;
  const cl_int code = it->second.code;
  if (it->second.calls_until == 0) return code;
  if (--it->second.calls_until > 0) return CL_SUCCESS;
  faults_.erase(it);
  return code;
}

void ShimState::AddReference(const std::string& kind, int change) {
  std::lock_guard<std::mutex> lock(mutex_);
  live_[kind] += change;
}

void ShimState::AddHostCopy(uint64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  ++host_copies_;
  copied_bytes_ += static_cast<int64_t>(bytes);
}

cl_int ShimState::CheckMemory(uint64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  const int64_t wanted = memory_ + static_cast<int64_t>(bytes);
  if (memory_limit_ >= 0 && wanted > memory_limit_) {
    return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  }
  return CL_SUCCESS;
}

void ShimState::HoldMemory(cl_mem mem, uint64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  held_[mem] = {bytes};
  memory_ += static_cast<int64_t>(bytes);
}

void ShimState::AddMemoryReference(cl_mem mem, int change) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto it = held_.find(mem);
  if (it == held_.end()) return;  // a part of another buffer
  it->second.references += change;
  if (it->second.references > 0) return;
  memory_ -= static_cast<int64_t>(it->second.bytes);
  held_.erase(it);
}

void ShimState::Fail(const std::string& function, int64_t nth, cl_int code) {
  std::lock_guard<std::mutex> lock(mutex_);
  faults_[function] = {nth, code};
}

void ShimState::Lose(bool lost) {
  std::lock_guard<std::mutex> lock(mutex_);
  lost_ = lost;
}

void ShimState::LimitMemory(int64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  memory_limit_ = bytes;
}

void ShimState::Reset() {
  std::lock_guard<std::mutex> lock(mutex_);
  faults_.clear();
  calls_.clear();
  lost_ = false;
  memory_limit_ = -1;
  host_copies_ = copied_bytes_ = 0;
}

int64_t ShimState::Live(const std::string& kind) {
  std::lock_guard<std::mutex> lock(mutex_);
  return live_[kind];
}

int64_t ShimState::Calls(const std::string& function) {
  std::lock_guard<std::mutex> lock(mutex_);
  return calls_[function];
}

int64_t ShimState::HostCopies() {
  std::lock_guard<std::mutex> lock(mutex_);
  return host_copies_;
}

int64_t ShimState::CopiedBytes() {
  std::lock_guard<std::mutex> lock(mutex_);
  return copied_bytes_;
}

}  // namespace dovetail::gpu
