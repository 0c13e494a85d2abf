// A device's memory as an application shares it: where tensors that stay on a
// device are made, or wrapped around buffers that the application has already.
#ifndef DOVETAIL_CORE_PLUGIN_REMOTE_CONTEXT_H_
#define DOVETAIL_CORE_PLUGIN_REMOTE_CONTEXT_H_

#include <cstdint>
#include <map>
#include <string>
#include <variant>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// Named values that only a device can read, such as an OpenCL context or an
// existing buffer; backends document their keys.
using RemoteParams =
    std::map<std::string, std::variant<std::string, int64_t, void*>>;

// Thread-safe. Outlives every tensor that was made of it, as each keeps it.
class RemoteContext {
 public:
  virtual ~RemoteContext() = default;

  // "GPU.0": models that are compiled for it take its tensors as they are.
  virtual absl::string_view device() const = 0;
  // What it shares with the application, to be handed to the device's own API.
  virtual RemoteParams params() const { return {}; }

  // A tensor in the device's memory (Tensor::OnDevice): new memory of undefined
  // content, or what `params` names. kResourceExhausted when the device has no
  // room, kNotFound for a parameter that it does not know.
  virtual absl::StatusOr<Tensor> NewTensor(ElementType type, const Shape& shape,
                                           const RemoteParams& params = {}) = 0;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PLUGIN_REMOTE_CONTEXT_H_
