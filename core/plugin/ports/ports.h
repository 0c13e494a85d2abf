// The inputs and outputs of a model as a compiled model shows them.
#ifndef DOVETAIL_CORE_PLUGIN_PORTS_PORTS_H_
#define DOVETAIL_CORE_PLUGIN_PORTS_PORTS_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/plugin/ports/port_info.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// In the order of parameters and results.
std::vector<PortInfo> InputPorts(const Model& model);
std::vector<PortInfo> OutputPorts(const Model& model);

// "input 'data' (f32[1,3,?,?])": how messages name a port. `kind` is "input" or
// "output".
std::string DescribePort(absl::string_view kind, const PortInfo& port);

// Whether a tensor can be used for the port: data, type and shape.
// kInvalidArgument names the port and both sides.
absl::Status CheckTensor(absl::string_view kind, const PortInfo& port,
                         const Tensor& tensor);

// The index of the port that is called so: by one of the tensor's names, by the
// name it has in messages, or, for text that is a number, by index. kNotFound
// lists the names there are.
absl::StatusOr<int> FindPort(absl::string_view kind,
                             absl::Span<const PortInfo> ports,
                             absl::string_view name);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PLUGIN_PORTS_PORTS_H_
