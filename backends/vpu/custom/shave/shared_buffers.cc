#include "dovetail/backends/vpu/custom/shave/shared_buffers.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "dovetail/core/base/status.h"

namespace dovetail::vpu {
namespace {

// As vectors of 16 numbers of 8 bytes need it.
constexpr uint64_t kAlignment = 128;
constexpr char kPattern = '\xa5';

uint64_t RoundUp(uint64_t bytes, uint64_t to) {
  return (bytes + to - 1) / to * to;
}

// The last byte of a range that is another, in the direction of `step`, and
// then all are as they were; 0: none, else how many bytes from the begin on.
uint64_t Farthest(char* begin, uint64_t bytes, int step) {
  uint64_t farthest = 0;
  for (uint64_t i = 0; i < bytes; ++i) {
    if (begin[step * static_cast<int64_t>(i)] != kPattern) farthest = i + 1;
  }
  for (uint64_t i = 0; i < farthest; ++i) {
    begin[step * static_cast<int64_t>(i)] = kPattern;
  }
  return farthest;
}

}  // namespace

void SharedBuffers::Place(const std::vector<int64_t>& bytes) {
  const uint64_t page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  for (const int64_t one : bytes) {
    Placement placement;
    placement.bytes = std::max<uint64_t>(static_cast<uint64_t>(one), 1);
    placement.pages = bytes_;
    placement.page_bytes = RoundUp(placement.bytes, page);
    placement.head =
        placement.page_bytes - RoundUp(placement.bytes, kAlignment);
    bytes_ += placement.page_bytes;
    placements_.push_back(placement);
  }
}

absl::StatusOr<std::unique_ptr<SharedBuffers>> SharedBuffers::New(
    const std::vector<int64_t>& bytes) {
  std::unique_ptr<SharedBuffers> buffers(new SharedBuffers);
  buffers->Place(bytes);
  if (const int error = buffers->Map(); error != 0) {
    return ResourceExhausted("no ", buffers->bytes_,
                             " bytes for the buffers of a kernel: ",
                             std::strerror(error));
  }
  for (const Placement& one : buffers->placements_) {
    char* const pages = buffers->begin_ + one.pages;
    std::memset(pages, kPattern, one.head);
    std::memset(pages + one.head, 0, one.bytes);
    std::memset(pages + one.head + one.bytes, kPattern,
                one.page_bytes - one.head - one.bytes);
  }
  return buffers;
}

// Answers an error of the system. Memory that is not there is one now, and not
// a fault later.
int SharedBuffers::Map() {
  file_ = memfd_create("dovetail_shave_buffers", MFD_CLOEXEC);
  if (file_ < 0) return errno;
  const int error = posix_fallocate(file_, 0, static_cast<off_t>(bytes_));
  if (error != 0) return error;
  void* const begin =
      mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (begin == MAP_FAILED) return errno;
  begin_ = static_cast<char*>(begin);
  return 0;
}

SharedBuffers::~SharedBuffers() {
  if (begin_ != nullptr) munmap(begin_, bytes_);
  if (file_ >= 0) close(file_);
}

std::optional<Fault> SharedBuffers::FindOverrun() {
  std::optional<Fault> found;
  for (size_t i = 0; i < placements_.size(); ++i) {
    const Placement& one = placements_[i];
    const uint64_t behind =
        Farthest(data(i) + one.bytes,
                 one.page_bytes - one.head - one.bytes, /*step=*/1);
    const uint64_t before = Farthest(data(i) - 1, one.head, /*step=*/-1);
    if (found.has_value() || behind + before == 0) continue;
    found = Fault{.place = behind > 0 ? FaultPlace::kBehind
                                      : FaultPlace::kBefore,
                  .writes = true,
                  .buffer = i,
                  .distance = behind > 0 ? behind - 1 : before};
  }
  return found;
}

}  // namespace dovetail::vpu
