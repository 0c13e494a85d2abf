// What kernels say is wrong with the data of an inference.
#ifndef DOVETAIL_BACKENDS_GPU_PLAN_FAULTS_H_
#define DOVETAIL_BACKENDS_GPU_PLAN_FAULTS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "dovetail/backends/common/compiler/plan.h"
#include "dovetail/backends/gpu/driver/device.h"
#include "dovetail/backends/gpu/memory/buffer.h"
#include "dovetail/backends/gpu/queue/queue.h"

namespace dovetail::gpu {

// Of each step of a plan: whether it found an index that is outside of an axis,
// one such index, and elements of the axis. For one context at a time.
class Faults {
 public:
  // Nothing is allocated for a plan without kernels that report any.
  absl::Status Allocate(const std::shared_ptr<ClDevice>& device,
                        const Plan& plan);

  const Buffer& buffer() const { return buffer_; }
  // Where a step has its own, in ints, as its kernel's argument.
  static int32_t OffsetOf(size_t step) {
    return static_cast<int32_t>(step * kInts);
  }

  // Behind all launches: what they found comes to the host.
  absl::Status Read(Queue& queue);
  // When that is complete: kInvalidArgument for the first step that found
  // something, which is then forgotten.
  absl::Status Check(const Plan& plan, Queue& queue);

 private:
  static constexpr size_t kInts = 4;

  Buffer buffer_;
  std::vector<int32_t> found_;
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_PLAN_FAULTS_H_
