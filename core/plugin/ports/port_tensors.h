// The tensors of a context's inputs or outputs: the user's where one was set,
// else memory of the context's own. For backends that work in host memory.
#ifndef DOVETAIL_CORE_PLUGIN_PORTS_PORT_TENSORS_H_
#define DOVETAIL_CORE_PLUGIN_PORTS_PORT_TENSORS_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/core/plugin/ports/port_info.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// Threads: as an ExecutionContext. Index arguments are those of existing ports.
class PortTensors {
 public:
  // `kind` is "input" or "output", for messages. `ports` must live on.
  PortTensors(absl::string_view kind, absl::Span<const PortInfo> ports);

  // The user's tensor; a default Tensor takes it away again.
  absl::Status Set(int i, const Tensor& tensor);
  // The user's tensor; else the own one, which is made (zeroed) when the port
  // is static. kFailedPrecondition when the port is dynamic and nothing is
  // there.
  absl::StatusOr<Tensor> Get(int i);
  bool is_set(int i) const { return users_[i].has_data(); }

  // Where a kernel may write output `i`: the user's tensor when it is
  // contiguous, else own memory, which is kept as long as type and shape stay
  // the same. kInvalidArgument when a tensor that the user has set does not
  // fit.
  absl::StatusOr<Tensor> Destination(int i, ElementType type,
                                     const Shape& shape);
  // `tensor` is the value of output `i`: copies it into the user's tensor when
  // it is not there already, else keeps it. Errors as Destination.
  absl::Status Store(int i, const Tensor& tensor);

 private:
  absl::Status CheckFits(int i, ElementType type, const Shape& shape) const;

  absl::string_view kind_;
  absl::Span<const PortInfo> ports_;
  std::vector<Tensor> users_, own_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PLUGIN_PORTS_PORT_TENSORS_H_
