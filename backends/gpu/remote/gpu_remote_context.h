// An OpenCL context that an application and models share.
#ifndef DOVETAIL_BACKENDS_GPU_REMOTE_GPU_REMOTE_CONTEXT_H_
#define DOVETAIL_BACKENDS_GPU_REMOTE_GPU_REMOTE_CONTEXT_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/gpu/driver/device.h"
#include "dovetail/backends/gpu/queue/queue.h"
#include "dovetail/core/plugin/remote_context.h"

namespace dovetail::gpu {

// Parameters have OpenVINO's names:
//   CONTEXT_TYPE            "OCL", which may be left out
//   OCL_CONTEXT             a cl_context of the application's; else the
//   device's OCL_CONTEXT_DEVICE_ID   the number of the device among the
//   context's, by
//                           default 0
//   OCL_QUEUE               a cl_command_queue of it, in order, in which models
//                           of the context run; else each request has its own
// and of tensors:
//   SHARED_MEM_TYPE         "OCL_BUFFER", which may be left out
//   MEM_HANDLE              a cl_mem of the context, as large as the tensor at
//                           least; else new memory
class GpuRemoteContext : public RemoteContext {
 public:
  // `own` is the device as the process has it, for a context without
  // OCL_CONTEXT. kInvalidArgument for an object that does not fit, kNotFound
  // for a parameter that it does not know.
  static absl::StatusOr<std::shared_ptr<GpuRemoteContext>> Create(
      std::string name, std::shared_ptr<ClDevice> own,
      const RemoteParams& params);

  absl::string_view device() const override { return name_; }
  RemoteParams params() const override;
  absl::StatusOr<Tensor> NewTensor(ElementType type, const Shape& shape,
                                   const RemoteParams& params = {}) override;

  const std::shared_ptr<ClDevice>& cl_device() const { return device_; }
  // The application's queue; null: it shares none.
  const std::shared_ptr<Queue>& shared_queue() const { return shared_queue_; }

 private:
  GpuRemoteContext(std::string name, std::shared_ptr<ClDevice> device,
                   std::shared_ptr<Queue> copies, std::shared_ptr<Queue> shared)
      : name_(std::move(name)),
        device_(std::move(device)),
        copies_(std::move(copies)),
        shared_queue_(std::move(shared)) {}

  const std::string name_;
  const std::shared_ptr<ClDevice> device_;
  const std::shared_ptr<Queue> copies_, shared_queue_;
};

// The application's context as a device; null: `params` have none.
absl::StatusOr<std::shared_ptr<ClDevice>> SharedDevice(
    const ClApi& api, const RemoteParams& params);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_REMOTE_GPU_REMOTE_CONTEXT_H_
