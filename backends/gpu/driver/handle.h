// Objects of OpenCL that release themselves.
#ifndef DOVETAIL_BACKENDS_GPU_DRIVER_HANDLE_H_
#define DOVETAIL_BACKENDS_GPU_DRIVER_HANDLE_H_

#include <utility>

#include "dovetail/backends/gpu/driver/cl_api.h"

namespace dovetail::gpu {

// How OpenCL counts the references of a kind of objects.
template <typename T>
struct ClReferences;

#define DOVETAIL_CL_REFERENCES(type, name)                  \
  template <>                                               \
  struct ClReferences<type> {                               \
    static constexpr auto kRetain = &ClApi::Retain##name;   \
    static constexpr auto kRelease = &ClApi::Release##name; \
  };
DOVETAIL_CL_REFERENCES(cl_context, Context)
DOVETAIL_CL_REFERENCES(cl_command_queue, CommandQueue)
DOVETAIL_CL_REFERENCES(cl_mem, MemObject)
DOVETAIL_CL_REFERENCES(cl_program, Program)
DOVETAIL_CL_REFERENCES(cl_kernel, Kernel)
DOVETAIL_CL_REFERENCES(cl_event, Event)
#undef DOVETAIL_CL_REFERENCES

// One reference to an object; movable. Without one, get() is null.
template <typename T>
class ClHandle {
 public:
  ClHandle() = default;
  // Takes over the reference that `object` came with.
  ClHandle(const ClApi* api, T object) : api_(api), object_(object) {}
  // One more reference, such as to an object of the application's.
  static ClHandle Share(const ClApi* api, T object) {
    (api->*ClReferences<T>::kRetain)(object);
    return ClHandle(api, object);
  }
  ClHandle(ClHandle&& other) noexcept
      : api_(other.api_), object_(std::exchange(other.object_, nullptr)) {}
  ClHandle& operator=(ClHandle&& other) noexcept {
    std::swap(api_, other.api_);
    std::swap(object_, other.object_);
    return *this;
  }
  ~ClHandle() {
    if (object_ != nullptr) (api_->*ClReferences<T>::kRelease)(object_);
  }

  T get() const { return object_; }

 private:
  const ClApi* api_ = nullptr;
  T object_ = nullptr;
};

using Context = ClHandle<cl_context>;
using BuiltProgram = ClHandle<cl_program>;
// Keeps no buffer alive that is its argument: some drivers abort when a kernel
// runs whose buffer was released.
using Kernel = ClHandle<cl_kernel>;
using Event = ClHandle<cl_event>;

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_DRIVER_HANDLE_H_
