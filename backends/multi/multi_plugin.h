// The device MULTI: inferences of one model on several devices.
#ifndef DOVETAIL_BACKENDS_MULTI_MULTI_PLUGIN_H_
#define DOVETAIL_BACKENDS_MULTI_MULTI_PLUGIN_H_

#include <memory>

#include "absl/status/statusor.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail {

absl::StatusOr<std::unique_ptr<Plugin>> MakeMultiPlugin();

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_MULTI_MULTI_PLUGIN_H_
