// What devices export that run a lowered model.
#ifndef DOVETAIL_CORE_PLUGIN_LOWERED_BYTES_H_
#define DOVETAIL_CORE_PLUGIN_LOWERED_BYTES_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/blob/blob_writer.h"
#include "dovetail/core/plugin/lowered_model.h"

namespace dovetail {

// Writes the section "model". Errors as of WriteModel.
absl::Status WriteLowered(const LoweredModel& lowered, BlobWriter& blob);
// Reads it. kDataLoss says what is wrong with the bytes.
absl::StatusOr<LoweredModel> ReadLowered(const BlobReader& blob);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PLUGIN_LOWERED_BYTES_H_
