// The way of one input or output between a tensor and the kernels of a plan.
#ifndef DOVETAIL_BACKENDS_GPU_PLAN_PORT_BINDING_H_
#define DOVETAIL_BACKENDS_GPU_PLAN_PORT_BINDING_H_

#include <memory>

#include "absl/status/status.h"
#include "dovetail/backends/gpu/plan/gpu_plan_instance.h"
#include "dovetail/backends/gpu/queue/queue.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail::gpu {

// Kernels use the tensor's own memory where they can: a buffer of the device's
// context, or the host's where both share memory and HostAlignment holds. Else
// it is copied from or to memory of the plan's. One thread at a time; the
// functions without a queue's waiting only add commands.
class PortBinding {
 public:
  enum class Kind { kInput, kOutput };

  // Both outlive the binding.
  PortBinding(Kind kind, int i, GpuPlanInstance* instance, Queue* queue)
      : kind_(kind), i_(i), instance_(*instance), queue_(*queue) {}
  // The tensor's memory may be gone: OpenCL forgets a mapping with the buffer.
  ~PortBinding() = default;
  PortBinding(PortBinding&&) = default;

  // Before a run: binds a contiguous tensor, or has it copied where it is not
  // `in_place`, and hands an input's elements to the device. Tensors at the
  // same address are taken for the same memory until Release.
  absl::Status Begin(const Tensor& tensor, bool in_place);
  // Behind the run's launches: gives elements back to the host.
  absl::Status End();
  // Waits until the device does not touch the tensor's memory, and forgets it.
  absl::Status Release();

 private:
  enum class Mode { kNothing, kWrapped, kShared, kCopied };

  absl::Status Bind(std::shared_ptr<const Buffer> buffer);
  absl::Status BindTensor(bool in_place);
  const Buffer& buffer() const;
  absl::Status CopyIn();
  absl::Status CopyOut();
  absl::Status Unmap();

  const Kind kind_;
  const int i_;
  GpuPlanInstance& instance_;
  Queue& queue_;
  Mode mode_ = Mode::kNothing;
  Tensor tensor_;                 // of the run
  const void* memory_ = nullptr;  // that is bound, of the host
  void* mapped_ = nullptr;        // not null: the host has it
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_PLAN_PORT_BINDING_H_
