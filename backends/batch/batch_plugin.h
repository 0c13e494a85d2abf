// The device BATCH: single inferences of several requests, as batches of
// another device.
#ifndef DOVETAIL_BACKENDS_BATCH_BATCH_PLUGIN_H_
#define DOVETAIL_BACKENDS_BATCH_BATCH_PLUGIN_H_

#include <memory>

#include "absl/status/statusor.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail {

absl::StatusOr<std::unique_ptr<Plugin>> MakeBatchPlugin();

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_BATCH_BATCH_PLUGIN_H_
