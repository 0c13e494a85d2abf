// Buffers of a launch in the process that runs it, with nothing around them.
#ifndef DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_WORKER_GUARDED_MAPPING_H_
#define DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_WORKER_GUARDED_MAPPING_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/backends/vpu/custom/shave/worker/fault_handler.h"
#include "dovetail/backends/vpu/custom/shave/worker/message.h"

namespace dovetail::vpu {

// Maps buffers of a file so far apart that an index of 32 bits from one of them
// reaches neither another nor anything else: such an access is a fault.
class GuardedMapping {
 public:
  // kResourceExhausted where the system has no addresses left.
  static absl::StatusOr<std::unique_ptr<GuardedMapping>> New(
      int file, const std::vector<Placement>& placements);
  ~GuardedMapping();
  GuardedMapping(const GuardedMapping&) = delete;
  GuardedMapping& operator=(const GuardedMapping&) = delete;

  const std::vector<KnownBuffer>& buffers() const { return buffers_; }

 private:
  GuardedMapping() = default;

  char* begin_ = nullptr;
  size_t bytes_ = 0;
  std::vector<KnownBuffer> buffers_;
};

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_WORKER_GUARDED_MAPPING_H_
