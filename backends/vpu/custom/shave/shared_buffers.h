// Buffers that this process and the one that runs kernels both see.
#ifndef DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_SHARED_BUFFERS_H_
#define DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_SHARED_BUFFERS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/backends/vpu/custom/shave/worker/message.h"

namespace dovetail::vpu {

// A file in memory with each buffer in pages of its own, at an address that is
// a multiple of 128 bytes. What is left of the pages has a pattern.
class SharedBuffers {
 public:
  // kResourceExhausted where the system has no memory for them.
  static absl::StatusOr<std::unique_ptr<SharedBuffers>> New(
      const std::vector<int64_t>& bytes);
  ~SharedBuffers();
  SharedBuffers(const SharedBuffers&) = delete;
  SharedBuffers& operator=(const SharedBuffers&) = delete;

  int file() const { return file_; }
  const std::vector<Placement>& placements() const { return placements_; }
  char* data(size_t buffer) const {
    return begin_ + placements_[buffer].pages + placements_[buffer].head;
  }

  // Where the pattern next to a buffer is another, which then is as it was.
  std::optional<Fault> FindOverrun();

 private:
  SharedBuffers() = default;

  void Place(const std::vector<int64_t>& bytes);
  int Map();

  int file_ = -1;
  char* begin_ = nullptr;
  size_t bytes_ = 0;
  std::vector<Placement> placements_;
};

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_SHARED_BUFFERS_H_
