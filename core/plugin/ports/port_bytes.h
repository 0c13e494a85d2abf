// Ports of a compiled model as bytes of an export.
#ifndef DOVETAIL_CORE_PLUGIN_PORTS_PORT_BYTES_H_
#define DOVETAIL_CORE_PLUGIN_PORTS_PORT_BYTES_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/core/base/bytes.h"
#include "dovetail/core/plugin/ports/port_info.h"

namespace dovetail {

void WritePorts(absl::Span<const PortInfo> ports, ByteWriter& writer);
// kDataLoss for bytes that WritePorts does not write.
absl::StatusOr<std::vector<PortInfo>> ReadPorts(ByteReader& reader);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PLUGIN_PORTS_PORT_BYTES_H_
