// Owners of OpenCL's objects, which count their references.
#ifndef DOVETAIL_BACKENDS_COMMON_OPENCL_HANDLE_H_
#define DOVETAIL_BACKENDS_COMMON_OPENCL_HANDLE_H_

#include <utility>

#include "CL/cl.h"
#include "dovetail/backends/common/opencl/cl_api.h"

namespace dovetail::opencl {

// How the objects of a type are kept and let go.
template <typename T>
struct HandleTraits;

#define DOVETAIL_CL_HANDLE_(type, object)                \
  template <>                                            \
  struct HandleTraits<type> {                            \
    static void Retain(const ClApi& api, type handle) {  \
      api.Retain##object(handle);                        \
    }                                                    \
    static void Release(const ClApi& api, type handle) { \
      api.Release##object(handle);                       \
    }                                                    \
  };
DOVETAIL_CL_HANDLE_(cl_context, Context)
DOVETAIL_CL_HANDLE_(cl_command_queue, CommandQueue)
DOVETAIL_CL_HANDLE_(cl_mem, MemObject)
DOVETAIL_CL_HANDLE_(cl_program, Program)
DOVETAIL_CL_HANDLE_(cl_kernel, Kernel)
DOVETAIL_CL_HANDLE_(cl_event, Event)
#undef DOVETAIL_CL_HANDLE_

// One reference to an object, or none. A copy is another reference to the same
// object; OpenCL destroys it with the last. One handle is for one thread at a
// time, copies of it are for as many threads as OpenCL allows.
template <typename T>
class ClHandle {
 public:
  ClHandle() = default;
  // Takes over the caller's reference, as clCreate... answers it.
  ClHandle(const ClApi& api, T handle) : api_(&api), handle_(handle) {}
  // Adds a reference to one that stays the caller's.
  static ClHandle Retained(const ClApi& api, T handle) {
    if (handle != nullptr) HandleTraits<T>::Retain(api, handle);
    return ClHandle(api, handle);
  }

  ClHandle(const ClHandle& other) : api_(other.api_), handle_(other.handle_) {
    if (handle_ != nullptr) HandleTraits<T>::Retain(*api_, handle_);
  }
  ClHandle(ClHandle&& other) noexcept
      : api_(other.api_), handle_(std::exchange(other.handle_, nullptr)) {}
  ClHandle& operator=(ClHandle other) noexcept {
    std::swap(api_, other.api_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~ClHandle() {
    if (handle_ != nullptr) HandleTraits<T>::Release(*api_, handle_);
  }

  T get() const { return handle_; }
  explicit operator bool() const { return handle_ != nullptr; }
  // Only of a handle that was given an object.
  const ClApi& api() const { return *api_; }

 private:
  const ClApi* api_ = nullptr;
  T handle_ = nullptr;
};

using Context = ClHandle<cl_context>;
using CommandQueue = ClHandle<cl_command_queue>;
using Mem = ClHandle<cl_mem>;
using Program = ClHandle<cl_program>;
using Event = ClHandle<cl_event>;

// A kernel and the arguments that are set. It does not keep the buffers among
// them: whoever owns a kernel owns each Buffer that is bound to it, too, until
// its last launch is complete. PoCL ends the process where a kernel is launched
// with a buffer that was released. Arguments are set by one thread at a time,
// and not while another launches the kernel; a copy of the handle is the same
// kernel with the same arguments.
using Kernel = ClHandle<cl_kernel>;

}  // namespace dovetail::opencl

#endif  // DOVETAIL_BACKENDS_COMMON_OPENCL_HANDLE_H_
