// What is compiled of a model for several requests at once, and its section of
// an export.
#ifndef DOVETAIL_BACKENDS_BATCH_BATCH_BYTES_H_
#define DOVETAIL_BACKENDS_BATCH_BATCH_BYTES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/backends/batch/batch_parts.h"
#include "dovetail/backends/batch/proof/batch_axes.h"
#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/blob/blob_writer.h"
#include "dovetail/core/plugin/ports/port_info.h"

namespace dovetail::batch {

struct CompiledParts {
  std::string device;
  Parts parts;         // the first for one request
  BatchAxes axes;      // where there are more
  std::string reason;  // why there are none; else empty
};

// The model as its user sees it, and its parts.
struct ExportedBatch {
  std::vector<PortInfo> inputs, outputs;
  CompiledParts compiled;
};

// All but the parts themselves.
absl::Status WriteBatch(const ExportedBatch& batch, BlobWriter& blob);
// With null for each part. kDataLoss for what WriteBatch does not write.
absl::StatusOr<ExportedBatch> ReadBatch(const BlobReader& blob);
// The name of a part's sections in exports.
std::string PartSection(size_t size);
// Whether the parts have the ports that the axes say; kDataLoss names the one
// that has not.
absl::Status CheckParts(const ExportedBatch& batch);

}  // namespace dovetail::batch

#endif  // DOVETAIL_BACKENDS_BATCH_BATCH_BYTES_H_
