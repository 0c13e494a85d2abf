#include "dovetail/backends/gpu/queue/queue.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "dovetail/backends/gpu/driver/cl_status.h"
#include "dovetail/backends/gpu/driver/kernel_name.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

std::string Sizes(const size_t* sizes, int dims) {
  return absl::StrJoin(absl::MakeConstSpan(sizes, dims), "x");
}

bool HasLocal(const NdRange& range) { return range.local[0] != 0; }

bool Fits(const NdRange& range, const DeviceTraits& traits) {
  size_t group = 1;
  for (int i = 0; i < range.dims; ++i) {
    const size_t local = range.local[i];
    if (local == 0) return false;
    if (range.global[i] % local != 0 && !range.is_uneven) return false;
    if (local > traits.max_group_sizes[i]) return false;
    group *= local;
  }
  return group <= traits.max_group_size;
}

absl::Status CheckRange(const NdRange& range, const Kernel& kernel,
                        const DeviceTraits& traits) {
  if (range.dims < 1 || range.dims > 3) {
    return InvalidArgument("kernel '", KernelName(kernel), "': ", range.dims,
                           " dimensions; 1 to 3 are possible");
  }
  if (!HasLocal(range) || Fits(range, traits)) return absl::OkStatus();
  return InvalidArgument(
      "kernel '", KernelName(kernel), "': a work group of ",
      Sizes(range.local, range.dims), " for ", Sizes(range.global, range.dims),
      " work items; it has to divide them and be ", traits.max_group_size, " (",
      Sizes(traits.max_group_sizes, 3), ") at most on '", traits.name, "'");
}

absl::Status CheckBytes(const Buffer& buffer, int64_t offset, int64_t bytes,
                        absl::string_view what) {
  if (offset >= 0 && bytes >= 0 && bytes <= buffer.bytes() &&
      offset <= buffer.bytes() - bytes) {
    return absl::OkStatus();
  }
  return OutOfRange(what, " of ", bytes, " bytes from byte ", offset,
                    " of a buffer that has ", buffer.bytes());
}

cl_bool Blocking(Queue::Wait wait) {
  return wait == Queue::Wait::kYes ? CL_TRUE : CL_FALSE;
}

cl_event* Slot(const Event* event, cl_event& raw) {
  return event != nullptr ? &raw : nullptr;
}

cl_map_flags MapFlags(Queue::Access access) {
  switch (access) {
    case Queue::Access::kRead:
      return CL_MAP_READ;
    case Queue::Access::kWrite:
      return CL_MAP_READ | CL_MAP_WRITE;
    case Queue::Access::kOverwrite:
      return CL_MAP_WRITE_INVALIDATE_REGION;
  }
  return CL_MAP_READ | CL_MAP_WRITE;
}

void CL_CALLBACK CallDone(cl_event, cl_int code, void* data) {
  const std::unique_ptr<Queue::Done> done(static_cast<Queue::Done*>(data));
  (*done)(code == CL_COMPLETE ? absl::OkStatus()
                              : ClStatus(code, "a command of the queue"));
}

}  // namespace

Queue::Queue(std::shared_ptr<ClDevice> device, CommandQueue queue,
             bool profiling)
    : device_(std::move(device)),
      queue_(std::move(queue)),
      profiling_(profiling) {}

absl::StatusOr<std::unique_ptr<Queue>> Queue::Create(
    std::shared_ptr<ClDevice> device, bool profiling) {
  const ClApi& api = device->api();
  const cl_command_queue_properties properties =
      profiling ? CL_QUEUE_PROFILING_ENABLE : 0;
  cl_int code = CL_SUCCESS;
  CommandQueue queue(
      api, api.CreateCommandQueue(device->context().get(), device->id(),
                                  properties, &code));
  DOVETAIL_RETURN_IF_ERROR(ClStatus(code, "clCreateCommandQueue"));
  return std::unique_ptr<Queue>(
      new Queue(std::move(device), std::move(queue), profiling));
}

absl::StatusOr<std::unique_ptr<Queue>> Queue::Share(
    std::shared_ptr<ClDevice> device, cl_command_queue queue) {
  const ClApi& api = device->api();
  const auto ask = [&](cl_command_queue_info what, auto* value) {
    return ClStatus(
        api.GetCommandQueueInfo(queue, what, sizeof(*value), value, nullptr),
        "clGetCommandQueueInfo");
  };
  cl_context context = nullptr;
  cl_device_id id = nullptr;
  cl_command_queue_properties properties = 0;
  DOVETAIL_RETURN_IF_ERROR(ask(CL_QUEUE_CONTEXT, &context));
  DOVETAIL_RETURN_IF_ERROR(ask(CL_QUEUE_DEVICE, &id));
  DOVETAIL_RETURN_IF_ERROR(ask(CL_QUEUE_PROPERTIES, &properties));
  if (context != device->context().get() || id != device->id()) {
    return InvalidArgument("the OpenCL queue is of another context or device");
  }
  if ((properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0) {
    return InvalidArgument(
        "the OpenCL queue is out of order; in order it "
        "has to be");
  }
  const bool profiling = (properties & CL_QUEUE_PROFILING_ENABLE) != 0;
  return std::unique_ptr<Queue>(new Queue(
      std::move(device), CommandQueue::Retained(api, queue), profiling));
}

Queue::~Queue() { Finish().IgnoreError(); }

absl::Status Queue::Added(cl_int code, absl::string_view call, cl_event raw,
                          Event* event) const {
  if (code != CL_SUCCESS) return ClStatus(code, call);
  if (event != nullptr) *event = Event(device_->api(), raw);
  return absl::OkStatus();
}

absl::Status Queue::Marker(Event* event) {
  cl_event raw = nullptr;
  const cl_int code = device_->api().EnqueueMarkerWithWaitList(
      get(), 0, nullptr, Slot(event, raw));
  return Added(code, "clEnqueueMarkerWithWaitList", raw, event);
}

absl::Status Queue::Launch(const Kernel& kernel, const NdRange& range,
                           Event* event) {
  DOVETAIL_RETURN_IF_ERROR(CheckRange(range, kernel, device_->traits()));
  const bool empty = std::any_of(range.global, range.global + range.dims,
                                 [](size_t size) { return size == 0; });
  if (empty) return event != nullptr ? Marker(event) : absl::OkStatus();
  cl_event raw = nullptr;
  const cl_int code = device_->api().EnqueueNDRangeKernel(
      get(), kernel.get(), static_cast<cl_uint>(range.dims), nullptr,
      range.global, HasLocal(range) ? range.local : nullptr, 0, nullptr,
      Slot(event, raw));
  if (code != CL_SUCCESS) {
    return ClStatus(
        code, absl::StrCat(
                  "clEnqueueNDRangeKernel of '", KernelName(kernel), "' (",
                  Sizes(range.global, range.dims), " in groups of ",
                  HasLocal(range) ? Sizes(range.local, range.dims) : "any size",
                  ") on '", device_->traits().name, "'"));
  }
  return Added(code, "", raw, event);
}

absl::Status Queue::Write(const Buffer& to, int64_t offset, const void* from,
                          int64_t bytes, Wait wait, Event* event) {
  DOVETAIL_RETURN_IF_ERROR(CheckBytes(to, offset, bytes, "a write"));
  if (bytes == 0) return event != nullptr ? Marker(event) : absl::OkStatus();
  cl_event raw = nullptr;
  const cl_int code = device_->api().EnqueueWriteBuffer(
      get(), to.mem().get(), Blocking(wait), static_cast<size_t>(offset),
      static_cast<size_t>(bytes), from, 0, nullptr, Slot(event, raw));
  return Added(code, "clEnqueueWriteBuffer", raw, event);
}

absl::Status Queue::Read(const Buffer& from, int64_t offset, void* to,
                         int64_t bytes, Wait wait, Event* event) {
  DOVETAIL_RETURN_IF_ERROR(CheckBytes(from, offset, bytes, "a read"));
  if (bytes == 0) return event != nullptr ? Marker(event) : absl::OkStatus();
  cl_event raw = nullptr;
  const cl_int code = device_->api().EnqueueReadBuffer(
      get(), from.mem().get(), Blocking(wait), static_cast<size_t>(offset),
      static_cast<size_t>(bytes), to, 0, nullptr, Slot(event, raw));
  return Added(code, "clEnqueueReadBuffer", raw, event);
}

absl::Status Queue::Copy(const Buffer& from, int64_t from_offset,
                         const Buffer& to, int64_t to_offset, int64_t bytes,
                         Event* event) {
  DOVETAIL_RETURN_IF_ERROR(CheckBytes(from, from_offset, bytes, "a copy"));
  DOVETAIL_RETURN_IF_ERROR(CheckBytes(to, to_offset, bytes, "a copy"));
  if (bytes == 0) return event != nullptr ? Marker(event) : absl::OkStatus();
  cl_event raw = nullptr;
  const cl_int code = device_->api().EnqueueCopyBuffer(
      get(), from.mem().get(), to.mem().get(), static_cast<size_t>(from_offset),
      static_cast<size_t>(to_offset), static_cast<size_t>(bytes), 0, nullptr,
      Slot(event, raw));
  return Added(code, "clEnqueueCopyBuffer", raw, event);
}

absl::Status Queue::Fill(const Buffer& to, int64_t offset, int64_t bytes,
                         absl::string_view pattern, Event* event) {
  DOVETAIL_RETURN_IF_ERROR(CheckBytes(to, offset, bytes, "a fill"));
  if (bytes == 0) return event != nullptr ? Marker(event) : absl::OkStatus();
  cl_event raw = nullptr;
  const cl_int code = device_->api().EnqueueFillBuffer(
      get(), to.mem().get(), pattern.data(), pattern.size(),
      static_cast<size_t>(offset), static_cast<size_t>(bytes), 0, nullptr,
      Slot(event, raw));
  return Added(code, "clEnqueueFillBuffer", raw, event);
}

absl::StatusOr<void*> Queue::Map(const Buffer& buffer, int64_t offset,
                                 int64_t bytes, Access access, Wait wait) {
  DOVETAIL_RETURN_IF_ERROR(CheckBytes(buffer, offset, bytes, "a map"));
  if (bytes == 0) return InvalidArgument("a map of no bytes");
  cl_int code = CL_SUCCESS;
  void* const mapped = device_->api().EnqueueMapBuffer(
      get(), buffer.mem().get(), Blocking(wait), MapFlags(access),
      static_cast<size_t>(offset), static_cast<size_t>(bytes), 0, nullptr,
      nullptr, &code);
  DOVETAIL_RETURN_IF_ERROR(ClStatus(code, "clEnqueueMapBuffer"));
  return mapped;
}

absl::Status Queue::Unmap(const Buffer& buffer, void* mapped) {
  return ClStatus(device_->api().EnqueueUnmapMemObject(
                      get(), buffer.mem().get(), mapped, 0, nullptr, nullptr),
                  "clEnqueueUnmapMemObject");
}

absl::Status Queue::Flush() {
  return ClStatus(device_->api().Flush(get()), "clFlush");
}

absl::Status Queue::Finish() {
  return ClStatus(device_->api().Finish(get()), "clFinish");
}

absl::Status Queue::OnComplete(Done done) {
  Event marker;
  DOVETAIL_RETURN_IF_ERROR(Marker(&marker));
  // Before the callback is there: after it an error here would come twice.
  DOVETAIL_RETURN_IF_ERROR(Flush());
  auto data = std::make_unique<Done>(std::move(done));
  DOVETAIL_RETURN_IF_ERROR(
      ClStatus(device_->api().SetEventCallback(marker.get(), CL_COMPLETE,
                                               CallDone, data.get()),
               "clSetEventCallback"));
  data.release();  // CallDone has it
  return absl::OkStatus();
}

}  // namespace dovetail::gpu
