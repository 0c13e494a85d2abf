// The export of devices that run a lowered model.
#ifndef DOVETAIL_CORE_PLUGIN_LOWERED_LOWERED_BYTES_H_
#define DOVETAIL_CORE_PLUGIN_LOWERED_LOWERED_BYTES_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/blob/blob_writer.h"
#include "dovetail/core/ops/binary/constants_section.h"
#include "dovetail/core/ops/binary/model_bytes.h"
#include "dovetail/core/plugin/lowered/lowered_model.h"

namespace dovetail {

// A lowered model as an executable has it; the views outlive it.
struct LoweredView {
  const Model& model;
  absl::Span<const PortInfo> inputs, outputs;
  absl::Span<const VariableInfo> variables;
  absl::Span<const LayerName> optimized_out;
};
LoweredView ViewOf(const LoweredModel& lowered);

// Constants of fewer bytes are read whenever a model is imported, and stand
// with the model; the others are written from where they lie.
inline constexpr int64_t kLeastMappedBytes = 1 << 16;

// Writes the sections "lowered" and those of ConstantsWriter. Errors as of
// WriteModel and of the writer.
absl::Status WriteLowered(const LoweredView& lowered, WeightsPlace weights,
                          BlobWriter& writer);
// The same model; large constants are views of the container, compared with
// their checksums as `checking` says. kDataLoss says what is wrong with it;
// `find` as of ReadModel.
absl::StatusOr<LoweredModel> ReadLowered(
    const BlobReader& reader, const FindExtensionOpFn& find = nullptr,
    ConstantsReader::Checking checking = ConstantsReader::Checking::kAtOnce);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PLUGIN_LOWERED_LOWERED_BYTES_H_
