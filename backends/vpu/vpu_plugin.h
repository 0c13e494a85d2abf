// The vision processor as a plugin: a simulator that gives the values of a
// model in f16, and the time that a Myriad X would take for it.
#ifndef DOVETAIL_BACKENDS_VPU_VPU_PLUGIN_H_
#define DOVETAIL_BACKENDS_VPU_VPU_PLUGIN_H_

#include <memory>

#include "absl/status/statusor.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail {

absl::StatusOr<std::unique_ptr<Plugin>> MakeVpuPlugin();

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_VPU_VPU_PLUGIN_H_
