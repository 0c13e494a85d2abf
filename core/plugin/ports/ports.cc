#include "dovetail/core/plugin/ports/ports.h"

#include <algorithm>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/core/base/nearest.h"
#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

// Names of the tensor, then the layer's, by which it can be found too.
PortInfo MakePort(std::string name, const OutputPort& port,
                  const std::string& layer) {
  PortInfo info;
  info.name = std::move(name);
  info.names.assign(port.names.begin(), port.names.end());
  if (std::find(info.names.begin(), info.names.end(), layer) ==
      info.names.end()) {
    info.names.push_back(layer);
  }
  info.type = port.type;
  info.shape = port.shape;
  return info;
}

}  // namespace

std::vector<PortInfo> InputPorts(const Model& model) {
  std::vector<PortInfo> ports;
  for (const Node* parameter : model.parameters()) {
    ports.push_back(MakePort(model.InputName(static_cast<int>(ports.size())),
                             parameter->port(), parameter->name()));
  }
  return ports;
}

std::vector<PortInfo> OutputPorts(const Model& model) {
  std::vector<PortInfo> ports;
  for (const Node* result : model.results()) {
    const Value value = result->input(0);
    PortInfo port = MakePort(model.OutputName(static_cast<int>(ports.size())),
                             value.port(), result->name());
    if (value) port.names.push_back(value.node->name());
    ports.push_back(std::move(port));
  }
  return ports;
}

std::string DescribePort(absl::string_view kind, const PortInfo& port) {
  return absl::StrCat(kind, " '", port.name, "' (", ElementTypeName(port.type),
                      port.shape.ToString(), ")");
}

absl::Status CheckTensor(absl::string_view kind, const PortInfo& port,
                         const Tensor& tensor) {
  if (!tensor.has_data()) {
    return InvalidArgument(DescribePort(kind, port),
                           ": the tensor has no data");
  }
  const bool type_fits =
      port.type == ElementType::kDynamic || port.type == tensor.type();
  if (type_fits && port.shape.Contains(tensor.shape())) {
    return absl::OkStatus();
  }
  return InvalidArgument(DescribePort(kind, port), ": the tensor is ",
                         ElementTypeName(tensor.type()),
                         tensor.shape().ToString(),
                         type_fits ? ", whose shape does not fit"
                                   : ", which is of another type");
}

absl::StatusOr<int> FindPort(absl::string_view kind,
                             absl::Span<const PortInfo> ports,
                             absl::string_view name) {
  std::vector<std::string> known;
  for (size_t i = 0; i < ports.size(); ++i) {
    const PortInfo& port = ports[i];
    if (port.name == name ||
        std::find(port.names.begin(), port.names.end(), name) !=
            port.names.end()) {
      return static_cast<int>(i);
    }
    known.push_back(port.name);
  }
  int index;
  if (absl::SimpleAtoi(name, &index) && index >= 0 &&
      index < static_cast<int>(ports.size())) {
    return index;
  }
  const std::string nearest = Nearest(name, known);
  return NotFound("there is no ", kind, " '", name, "'",
                  nearest.empty() ? "" : "; did you mean '", nearest,
                  nearest.empty() ? "" : "'?", "; the ", kind,
                  "s are: ", absl::StrJoin(known, ", "));
}

}  // namespace dovetail
