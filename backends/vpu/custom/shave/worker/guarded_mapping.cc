#include "dovetail/backends/vpu/custom/shave/worker/guarded_mapping.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "dovetail/core/base/status.h"

namespace dovetail::vpu {
namespace {

// 2^31 numbers of 4 bytes; where a system limits addresses, less.
constexpr uint64_t kGap = uint64_t{1} << 33;
constexpr uint64_t kLeastGap = uint64_t{1} << 20;

uint64_t BytesWith(uint64_t gap, const std::vector<Placement>& placements) {
  uint64_t bytes = gap;
  for (const Placement& one : placements) bytes += one.page_bytes + gap;
  return bytes;
}

}  // namespace

absl::StatusOr<std::unique_ptr<GuardedMapping>> GuardedMapping::New(
    int file, const std::vector<Placement>& placements) {
  std::unique_ptr<GuardedMapping> mapping(new GuardedMapping);
  void* begin = MAP_FAILED;
  uint64_t gap = kGap;
  for (; gap >= kLeastGap; gap /= 2) {
    mapping->bytes_ = BytesWith(gap, placements);
    begin = mmap(nullptr, mapping->bytes_, PROT_NONE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (begin != MAP_FAILED) break;
  }
  if (begin == MAP_FAILED) {
    return ResourceExhausted("no addresses for the buffers of a kernel: ",
                             std::strerror(errno));
  }
  mapping->begin_ = static_cast<char*>(begin);
  char* at = mapping->begin_ + gap;
  for (const Placement& one : placements) {
    if (mmap(at, one.page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
             file, static_cast<off_t>(one.pages)) == MAP_FAILED) {
      return ResourceExhausted("no memory for the buffers of a kernel: ",
                               std::strerror(errno));
    }
    mapping->buffers_.push_back(
        {reinterpret_cast<uintptr_t>(at + one.head), one.bytes});
    at += one.page_bytes + gap;
  }
  return mapping;
}

GuardedMapping::~GuardedMapping() {
  if (begin_ != nullptr) munmap(begin_, bytes_);
}

}  // namespace dovetail::vpu
