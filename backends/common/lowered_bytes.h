// What devices export that run a lowered model.
#ifndef DOVETAIL_BACKENDS_COMMON_LOWERED_BYTES_H_
#define DOVETAIL_BACKENDS_COMMON_LOWERED_BYTES_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/common/lowered_model.h"

namespace dovetail {

// Errors as of WriteModel.
absl::StatusOr<std::string> WriteLowered(const LoweredModel& lowered);
// kDataLoss says what is wrong with the bytes.
absl::StatusOr<LoweredModel> ReadLowered(absl::string_view bytes);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_LOWERED_BYTES_H_
