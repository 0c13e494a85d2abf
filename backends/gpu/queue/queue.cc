#include "dovetail/backends/gpu/queue/queue.h"

#include "dovetail/backends/gpu/driver/cl_status.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {

absl::StatusOr<Queue> Queue::Create(std::shared_ptr<ClDevice> device,
                                    bool profiling) {
  const ClApi& api = device->api();
  cl_int code = CL_SUCCESS;
  ClHandle<cl_command_queue> queue(
      &api,
      api.CreateCommandQueue(device->context(), device->id(),
                             profiling ? CL_QUEUE_PROFILING_ENABLE : 0, &code));
  DOVETAIL_RETURN_IF_ERROR(ClStatus(code, "clCreateCommandQueue"));
  return Queue(std::move(device), std::move(queue));
}

absl::Status Queue::Launch(const Kernel& kernel, const NdRange& range,
                           Event* event) {
  cl_event made = nullptr;
  const cl_int code = device_->api().EnqueueNDRangeKernel(
      queue_.get(), kernel.get(), range.dims, nullptr, range.global,
      range.local[0] == 0 ? nullptr : range.local, 0, nullptr,
      event == nullptr ? nullptr : &made);
  if (event != nullptr && code == CL_SUCCESS) {
    *event = Event(&device_->api(), made);
  }
  return ClStatus(code, "clEnqueueNDRangeKernel");
}

absl::Status Queue::Write(const Buffer& buffer, int64_t offset,
                          const void* data, int64_t bytes) {
  return ClStatus(device_->api().EnqueueWriteBuffer(queue_.get(), buffer.get(),
                                                    CL_FALSE, offset, bytes,
                                                    data, 0, nullptr, nullptr),
                  "clEnqueueWriteBuffer");
}

absl::Status Queue::Read(const Buffer& buffer, int64_t offset, void* data,
                         int64_t bytes) {
  return ClStatus(device_->api().EnqueueReadBuffer(queue_.get(), buffer.get(),
                                                   CL_FALSE, offset, bytes,
                                                   data, 0, nullptr, nullptr),
                  "clEnqueueReadBuffer");
}

absl::Status Queue::Copy(const Buffer& from, const Buffer& to, int64_t bytes) {
  return ClStatus(
      device_->api().EnqueueCopyBuffer(queue_.get(), from.get(), to.get(), 0, 0,
                                       bytes, 0, nullptr, nullptr),
      "clEnqueueCopyBuffer");
}

absl::StatusOr<void*> Queue::Map(const Buffer& buffer, int64_t offset,
                                 int64_t bytes, MapAccess access) {
  cl_int code = CL_SUCCESS;
  void* const pointer = device_->api().EnqueueMapBuffer(
      queue_.get(), buffer.get(), CL_TRUE,
      access == MapAccess::kRead ? CL_MAP_READ : CL_MAP_WRITE_INVALIDATE_REGION,
      offset, bytes, 0, nullptr, nullptr, &code);
  DOVETAIL_RETURN_IF_ERROR(ClStatus(code, "clEnqueueMapBuffer"));
  return pointer;
}

absl::Status Queue::Unmap(const Buffer& buffer, void* pointer) {
  return ClStatus(device_->api().EnqueueUnmapMemObject(
                      queue_.get(), buffer.get(), pointer, 0, nullptr, nullptr),
                  "clEnqueueUnmapMemObject");
}

absl::Status Queue::Flush() {
  return ClStatus(device_->api().Flush(queue_.get()), "clFlush");
}

absl::Status Queue::Finish() {
  return ClStatus(device_->api().Finish(queue_.get()), "clFinish");
}

absl::StatusOr<EventTimes> Queue::TimesOf(const Event& event) const {
  EventTimes times;
  const auto read = [&](cl_profiling_info key, int64_t& to) {
    cl_ulong ns = 0;
    const cl_int code = device_->api().GetEventProfilingInfo(
        event.get(), key, sizeof(ns), &ns, nullptr);
    to = static_cast<int64_t>(ns);
    return ClStatus(code, "clGetEventProfilingInfo");
  };
  DOVETAIL_RETURN_IF_ERROR(read(CL_PROFILING_COMMAND_QUEUED, times.queued_ns));
  DOVETAIL_RETURN_IF_ERROR(
      read(CL_PROFILING_COMMAND_SUBMIT, times.submitted_ns));
  DOVETAIL_RETURN_IF_ERROR(read(CL_PROFILING_COMMAND_START, times.start_ns));
  DOVETAIL_RETURN_IF_ERROR(read(CL_PROFILING_COMMAND_END, times.end_ns));
  return times;
}

}  // namespace dovetail::gpu
