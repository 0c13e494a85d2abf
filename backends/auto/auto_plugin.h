// The device AUTO, which takes the best of the devices that there are.
#ifndef DOVETAIL_BACKENDS_AUTO_AUTO_PLUGIN_H_
#define DOVETAIL_BACKENDS_AUTO_AUTO_PLUGIN_H_

#include <memory>

#include "absl/status/statusor.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail {

absl::StatusOr<std::unique_ptr<Plugin>> MakeAutoPlugin();

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_AUTO_AUTO_PLUGIN_H_
