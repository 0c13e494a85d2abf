// The device HETERO: one model on several devices, each layer on one of them.
#ifndef DOVETAIL_BACKENDS_HETERO_HETERO_PLUGIN_H_
#define DOVETAIL_BACKENDS_HETERO_HETERO_PLUGIN_H_

#include <memory>

#include "absl/status/statusor.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail {

absl::StatusOr<std::unique_ptr<Plugin>> MakeHeteroPlugin();

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_HETERO_HETERO_PLUGIN_H_
