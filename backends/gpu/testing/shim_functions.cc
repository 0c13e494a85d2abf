// The functions that libopencl_shim.so shows: those of OpenCL that cl_api.h
// lists, and its control.
#include <cstddef>

#include "dovetail/backends/gpu/driver/cl_api.h"
#include "dovetail/backends/gpu/testing/shim_control.h"
#include "dovetail/backends/gpu/testing/shim_state.h"

namespace dovetail::gpu {
namespace {

ShimState& Shim() { return ShimState::Get(); }
const ClApi& Real() { return *Shim().real(); }

constexpr OpenClShim kControl = {
    [](const char* function, int64_t nth, cl_int code) {
      Shim().Fail(function, nth, code);
    },
    [] { Shim().Lose(true); },
    [](int64_t bytes) { Shim().LimitMemory(bytes); },
    [] { Shim().Reset(); },
    [](const char* kind) { return Shim().Live(kind); },
    [](const char* function) { return Shim().Calls(function); },
    [] { return Shim().HostCopies(); },
    [] { return Shim().CopiedBytes(); },
};

cl_int Counted(const char* kind, cl_int code) {
  if (code == CL_SUCCESS) Shim().AddReference(kind, 1);
  return code;
}

// A command with an event, which the caller may not have asked for.
cl_int CountedEvent(cl_int code, const cl_event* event) {
  return event != nullptr ? Counted("Event", code) : code;
}

template <typename T>
T Created(const char* kind, T object) {
  if (object != nullptr) Shim().AddReference(kind, 1);
  return object;
}

// The nothing that a creating function answers with an error.
std::nullptr_t Refused(cl_int code, cl_int* answer) {
  if (answer != nullptr) *answer = code;
  return nullptr;
}

}  // namespace
}  // namespace dovetail::gpu

using dovetail::gpu::Counted;
using dovetail::gpu::CountedEvent;
using dovetail::gpu::Created;
using dovetail::gpu::Real;
using dovetail::gpu::Refused;
using dovetail::gpu::Shim;

extern "C" const dovetail::gpu::OpenClShim* dovetail_opencl_shim_control() {
  return &dovetail::gpu::kControl;
}

// A function that answers a code.
#define SHIM(name, parameters, arguments)                       \
  extern "C" cl_int cl##name parameters {                       \
    const cl_int fault = Shim().Enter("cl" #name);              \
    return fault != CL_SUCCESS ? fault : Real().name arguments; \
  }

// A command that may give an event, of the parameter `event`.
#define SHIM_COMMAND(name, parameters, arguments)      \
  extern "C" cl_int cl##name parameters {              \
    const cl_int fault = Shim().Enter("cl" #name);     \
    if (fault != CL_SUCCESS) return fault;             \
    return CountedEvent(Real().name arguments, event); \
  }

// A function that makes an object, or says why not in the parameter `answer`.
#define SHIM_CREATE(kind, type, name, parameters, arguments) \
  extern "C" type cl##name parameters {                      \
    const cl_int fault = Shim().Enter("cl" #name);           \
    if (fault != CL_SUCCESS) return Refused(fault, answer);  \
    return Created(kind, Real().name arguments);             \
  }

// Retain and release of objects. Releasing goes on after a loss, so that what
// is counted stays what is there.
#define SHIM_REFERENCES(kind, type)                                  \
  extern "C" cl_int clRetain##kind(type object) {                    \
    const cl_int fault = Shim().Enter("clRetain" #kind);             \
    if (Shim().real() == nullptr) return fault;                      \
    const cl_int code = Counted(#kind, Real().Retain##kind(object)); \
    return fault != CL_SUCCESS ? fault : code;                       \
  }                                                                  \
  extern "C" cl_int clRelease##kind(type object) {                   \
    const cl_int fault = Shim().Enter("clRelease" #kind);            \
    if (Shim().real() == nullptr) return fault;                      \
    Shim().AddReference(#kind, -1);                                  \
    const cl_int code = Real().Release##kind(object);                \
    return fault != CL_SUCCESS ? fault : code;                       \
  }

// clGet...Info of an object.
#define SHIM_INFO(name, type, info)                                        \
  SHIM(name,                                                               \
       (type object, info what, size_t size, void* value, size_t* actual), \
       (object, what, size, value, actual))

SHIM_REFERENCES(CommandQueue, cl_command_queue)
SHIM_REFERENCES(Context, cl_context)
SHIM_REFERENCES(Event, cl_event)
SHIM_REFERENCES(Kernel, cl_kernel)
SHIM_REFERENCES(Program, cl_program)

SHIM_INFO(GetCommandQueueInfo, cl_command_queue, cl_command_queue_info)
SHIM_INFO(GetContextInfo, cl_context, cl_context_info)
SHIM_INFO(GetDeviceInfo, cl_device_id, cl_device_info)
SHIM_INFO(GetEventInfo, cl_event, cl_event_info)
SHIM_INFO(GetEventProfilingInfo, cl_event, cl_profiling_info)
SHIM_INFO(GetKernelInfo, cl_kernel, cl_kernel_info)
SHIM_INFO(GetMemObjectInfo, cl_mem, cl_mem_info)
SHIM_INFO(GetPlatformInfo, cl_platform_id, cl_platform_info)
SHIM_INFO(GetProgramInfo, cl_program, cl_program_info)

SHIM(GetPlatformIDs, (cl_uint size, cl_platform_id* ids, cl_uint* count),
     (size, ids, count))
SHIM(GetDeviceIDs,
     (cl_platform_id platform, cl_device_type type, cl_uint size,
      cl_device_id* ids, cl_uint* count),
     (platform, type, size, ids, count))
SHIM(GetProgramBuildInfo,
     (cl_program program, cl_device_id device, cl_program_build_info what,
      size_t size, void* value, size_t* actual),
     (program, device, what, size, value, actual))
SHIM(GetKernelWorkGroupInfo,
     (cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what,
      size_t size, void* value, size_t* actual),
     (kernel, device, what, size, value, actual))
SHIM(BuildProgram,
     (cl_program program, cl_uint count, const cl_device_id* devices,
      const char* options, void(CL_CALLBACK* done)(cl_program, void*),
      void* data),
     (program, count, devices, options, done, data))
SHIM(SetKernelArg,
     (cl_kernel kernel, cl_uint index, size_t size, const void* value),
     (kernel, index, size, value))
SHIM(SetEventCallback,
     (cl_event event, cl_int state,
      void(CL_CALLBACK* done)(cl_event, cl_int, void*), void* data),
     (event, state, done, data))
SHIM(WaitForEvents, (cl_uint count, const cl_event* events), (count, events))
SHIM(Flush, (cl_command_queue queue), (queue))
SHIM(Finish, (cl_command_queue queue), (queue))

SHIM_CREATE("Context", cl_context, CreateContext,
            (const cl_context_properties* properties, cl_uint count,
             const cl_device_id* devices,
             void(CL_CALLBACK* notify)(const char*, const void*, size_t, void*),
             void* data, cl_int* answer),
            (properties, count, devices, notify, data, answer))
SHIM_CREATE("CommandQueue", cl_command_queue, CreateCommandQueue,
            (cl_context context, cl_device_id device,
             cl_command_queue_properties properties, cl_int* answer),
            (context, device, properties, answer))
SHIM_CREATE("Program", cl_program, CreateProgramWithSource,
            (cl_context context, cl_uint count, const char** texts,
             const size_t* sizes, cl_int* answer),
            (context, count, texts, sizes, answer))
SHIM_CREATE("Program", cl_program, CreateProgramWithBinary,
            (cl_context context, cl_uint count, const cl_device_id* devices,
             const size_t* sizes, const unsigned char** binaries,
             cl_int* states, cl_int* answer),
            (context, count, devices, sizes, binaries, states, answer))
SHIM_CREATE("Kernel", cl_kernel, CreateKernel,
            (cl_program program, const char* name, cl_int* answer),
            (program, name, answer))
SHIM_CREATE("MemObject", cl_mem, CreateSubBuffer,
            (cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
             const void* region, cl_int* answer),
            (buffer, flags, type, region, answer))

SHIM_COMMAND(EnqueueNDRangeKernel,
             (cl_command_queue queue, cl_kernel kernel, cl_uint dims,
              const size_t* offset, const size_t* global, const size_t* local,
              cl_uint count, const cl_event* after, cl_event* event),
             (queue, kernel, dims, offset, global, local, count, after, event))
SHIM_COMMAND(EnqueueCopyBuffer,
             (cl_command_queue queue, cl_mem from, cl_mem to,
              size_t from_offset, size_t to_offset, size_t size, cl_uint count,
              const cl_event* after, cl_event* event),
             (queue, from, to, from_offset, to_offset, size, count, after,
              event))
SHIM_COMMAND(EnqueueFillBuffer,
             (cl_command_queue queue, cl_mem to, const void* pattern,
              size_t pattern_size, size_t offset, size_t size, cl_uint count,
              const cl_event* after, cl_event* event),
             (queue, to, pattern, pattern_size, offset, size, count, after,
              event))
SHIM_COMMAND(EnqueueMarkerWithWaitList,
             (cl_command_queue queue, cl_uint count, const cl_event* after,
              cl_event* event),
             (queue, count, after, event))
SHIM_COMMAND(EnqueueUnmapMemObject,
             (cl_command_queue queue, cl_mem mem, void* mapped, cl_uint count,
              const cl_event* after, cl_event* event),
             (queue, mem, mapped, count, after, event))

extern "C" cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem from,
                                      cl_bool blocking, size_t offset,
                                      size_t size, void* to, cl_uint count,
                                      const cl_event* after, cl_event* event) {
  const cl_int fault = Shim().Enter("clEnqueueReadBuffer");
  if (fault != CL_SUCCESS) return fault;
  Shim().AddHostCopy(size);
  return CountedEvent(Real().EnqueueReadBuffer(queue, from, blocking, offset,
                                               size, to, count, after, event),
                      event);
}

extern "C" cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem to,
                                       cl_bool blocking, size_t offset,
                                       size_t size, const void* from,
                                       cl_uint count, const cl_event* after,
                                       cl_event* event) {
  const cl_int fault = Shim().Enter("clEnqueueWriteBuffer");
  if (fault != CL_SUCCESS) return fault;
  Shim().AddHostCopy(size);
  return CountedEvent(
      Real().EnqueueWriteBuffer(queue, to, blocking, offset, size, from, count,
                                after, event),
      event);
}

extern "C" void* clEnqueueMapBuffer(cl_command_queue queue, cl_mem mem,
                                    cl_bool blocking, cl_map_flags flags,
                                    size_t offset, size_t size, cl_uint count,
                                    const cl_event* after, cl_event* event,
                                    cl_int* answer) {
  const cl_int fault = Shim().Enter("clEnqueueMapBuffer");
  if (fault != CL_SUCCESS) return Refused(fault, answer);
  Shim().AddHostCopy(size);
  void* const mapped = Real().EnqueueMapBuffer(
      queue, mem, blocking, flags, offset, size, count, after, event, answer);
  if (mapped != nullptr) CountedEvent(CL_SUCCESS, event);
  return mapped;
}

extern "C" cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags,
                                 size_t size, void* data, cl_int* answer) {
  cl_int fault = Shim().Enter("clCreateBuffer");
  if (fault == CL_SUCCESS) fault = Shim().CheckMemory(size);
  if (fault != CL_SUCCESS) return Refused(fault, answer);
  const cl_mem mem = Created(
      "MemObject", Real().CreateBuffer(context, flags, size, data, answer));
  if (mem != nullptr) Shim().HoldMemory(mem, size);
  return mem;
}

extern "C" cl_int clRetainMemObject(cl_mem mem) {
  const cl_int fault = Shim().Enter("clRetainMemObject");
  if (Shim().real() == nullptr) return fault;
  Shim().AddMemoryReference(mem, 1);
  const cl_int code = Counted("MemObject", Real().RetainMemObject(mem));
  return fault != CL_SUCCESS ? fault : code;
}

extern "C" cl_int clReleaseMemObject(cl_mem mem) {
  const cl_int fault = Shim().Enter("clReleaseMemObject");
  if (Shim().real() == nullptr) return fault;
  Shim().AddReference("MemObject", -1);
  Shim().AddMemoryReference(mem, -1);
  const cl_int code = Real().ReleaseMemObject(mem);
  return fault != CL_SUCCESS ? fault : code;
}
