// Commands for an OpenCL device, run one after the other.
#ifndef DOVETAIL_BACKENDS_GPU_QUEUE_QUEUE_H_
#define DOVETAIL_BACKENDS_GPU_QUEUE_QUEUE_H_

#include <cstdint>
#include <functional>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/gpu/driver/device.h"
#include "dovetail/backends/gpu/driver/handle.h"
#include "dovetail/backends/gpu/memory/buffer.h"
#include "dovetail/backends/gpu/queue/nd_range.h"

namespace dovetail::gpu {

// An in-order queue: a command sees what those before it have written. Several
// threads may add commands, in an order that they see to themselves. Waiting is
// what costs (tens of microseconds on some drivers), commands are cheap: add a
// whole graph, flush, wait once.
//
// Errors come as ClStatus gives them, with the kernel's name for launches:
// kUnavailable when the device is lost. An error of a command that ran comes
// from the next Finish, blocking call or OnComplete. Buffers and kernels are of
// the queue's device and outlive the commands that use them.
class Queue {
 public:
  enum class Wait { kNo, kYes };

  // With `profiling` TimesOf() tells when each command ran.
  static absl::StatusOr<std::unique_ptr<Queue>> Create(
      std::shared_ptr<ClDevice> device, bool profiling = false);
  // Around an application's in-order queue of the device's context, of which it
  // takes a reference: kInvalidArgument for another one.
  static absl::StatusOr<std::unique_ptr<Queue>> Share(
      std::shared_ptr<ClDevice> device, cl_command_queue queue);
  // Waits for what was added.
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  // Runs the kernel with the arguments that are set now. Without work items
  // nothing runs. kInvalidArgument, with both sizes, where a work group does
  // not divide the global size or is larger than the device takes.
  absl::Status Launch(const Kernel& kernel, const NdRange& range,
                      Event* event = nullptr);

  // Bytes from and to the host, from byte `offset` of the buffer: kOutOfRange
  // beyond its end. Without waiting the host's memory stays untouched until a
  // later Finish.
  absl::Status Write(const Buffer& to, int64_t offset, const void* from,
                     int64_t bytes, Wait wait, Event* event = nullptr);
  absl::Status Read(const Buffer& from, int64_t offset, void* to, int64_t bytes,
                    Wait wait, Event* event = nullptr);
  // Between buffers, or within one where the ranges do not overlap.
  absl::Status Copy(const Buffer& from, int64_t from_offset, const Buffer& to,
                    int64_t to_offset, int64_t bytes, Event* event = nullptr);
  // Repeats `pattern` of 1, 2, 4 ... 128 bytes, of which `offset` and `bytes`
  // are multiples.
  absl::Status Fill(const Buffer& to, int64_t offset, int64_t bytes,
                    absl::string_view pattern, Event* event = nullptr);

  // The bytes in the host's address space, after all commands before, until
  // Unmap; commands do not touch them meanwhile. The buffer's own memory where
  // the device shares it with the host. Without waiting they are there after a
  // later Finish.
  enum class Access { kRead, kWrite, kOverwrite };
  absl::StatusOr<void*> Map(const Buffer& buffer, int64_t offset, int64_t bytes,
                            Access access, Wait wait = Wait::kYes);
  absl::Status Unmap(const Buffer& buffer, void* mapped);

  // Makes the device begin. Without it commands may wait for a Finish.
  absl::Status Flush();
  // Waits until all commands are complete.
  absl::Status Finish();

  // Calls `done` once all commands until now are complete, with their first
  // error if the driver tells; from a thread of the driver, in which calls to
  // OpenCL that wait are forbidden and others are slow: hand over and return.
  // Flushes. `done` is not called where this answers an error.
  using Done = std::function<void(absl::Status)>;
  absl::Status OnComplete(Done done);

  const std::shared_ptr<ClDevice>& device() const { return device_; }
  bool profiling() const { return profiling_; }
  cl_command_queue get() const { return queue_.get(); }

 private:
  Queue(std::shared_ptr<ClDevice> device, CommandQueue queue, bool profiling);
  absl::Status Added(cl_int code, absl::string_view call, cl_event raw,
                     Event* event) const;
  absl::Status Marker(Event* event);

  std::shared_ptr<ClDevice> device_;
  CommandQueue queue_;
  bool profiling_;
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_QUEUE_QUEUE_H_
