// Connections between the parts of a model.
#ifndef DOVETAIL_BACKENDS_HETERO_PARTS_WIRING_H_
#define DOVETAIL_BACKENDS_HETERO_PARTS_WIRING_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/blob/blob_writer.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail::hetero {

// Where a tensor comes from: output `index` of a part, or, where `part` is -1,
// input `index` of the whole model.
struct Source {
  int part = -1;
  int index = 0;
  friend bool operator==(const Source&, const Source&) = default;
};

// What one part needs to run.
struct PartWiring {
  std::string device;
  std::vector<Source> inputs;
};

struct Wiring {
  std::vector<PartWiring> parts;  // in the order in which they run
  std::vector<Source> results;    // of the whole model
};

// The model as its user sees it, and its wiring.
struct WiredModel {
  std::vector<PortInfo> inputs, outputs;
  Wiring wiring;
};

// Writes a section of an export.
absl::Status WriteWiring(const WiredModel& model, BlobWriter& blob);
// kDataLoss for one that WriteWiring does not write.
absl::StatusOr<WiredModel> ReadWiring(const BlobReader& blob);

// Whether the parts have the ports that the wiring connects, of equal types and
// of shapes that go together; kDataLoss names the part and the port.
absl::Status CheckWiring(
    const WiredModel& model,
    const std::vector<std::shared_ptr<const Executable>>& parts);

}  // namespace dovetail::hetero

#endif  // DOVETAIL_BACKENDS_HETERO_PARTS_WIRING_H_
