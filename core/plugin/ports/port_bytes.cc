#include "dovetail/core/plugin/ports/port_bytes.h"

#include <string>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/binary/tensor_bytes.h"

namespace dovetail {

void WritePorts(absl::Span<const PortInfo> ports, ByteWriter& writer) {
  writer.Number(ports.size());
  for (const PortInfo& port : ports) {
    writer.Text(port.name);
    writer.Number(port.names.size());
    for (const std::string& name : port.names) writer.Text(name);
    WriteElementType(port.type, writer);
    WritePartialShape(port.shape, writer);
  }
}

absl::StatusOr<std::vector<PortInfo>> ReadPorts(ByteReader& reader) {
  std::vector<PortInfo> ports;
  DOVETAIL_ASSIGN_OR_RETURN(const size_t count, reader.Count());
  for (size_t i = 0; i < count; ++i) {
    PortInfo port;
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view own, reader.Text());
    port.name = std::string(own);
    DOVETAIL_ASSIGN_OR_RETURN(const size_t names, reader.Count());
    for (size_t k = 0; k < names; ++k) {
      DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view name, reader.Text());
      port.names.emplace_back(name);
    }
    DOVETAIL_ASSIGN_OR_RETURN(port.type, ReadElementType(reader));
    DOVETAIL_ASSIGN_OR_RETURN(port.shape, ReadPartialShape(reader));
    ports.push_back(std::move(port));
  }
  return ports;
}

}  // namespace dovetail
