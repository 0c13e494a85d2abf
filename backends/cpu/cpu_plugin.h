// The device "CPU": oneDNN's primitives and kernels of its own, over all of a
// processor's cores.
#ifndef DOVETAIL_BACKENDS_CPU_CPU_PLUGIN_H_
#define DOVETAIL_BACKENDS_CPU_CPU_PLUGIN_H_

#include <memory>

#include "absl/status/statusor.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail {

// Linking this has no effect; linking :registration adds it to the registry.
absl::StatusOr<std::unique_ptr<Plugin>> MakeCpuPlugin();

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_CPU_CPU_PLUGIN_H_
