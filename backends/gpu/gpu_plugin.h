// The GPU as a plugin: models run by OpenCL kernels on any driver's devices.
#ifndef DOVETAIL_BACKENDS_GPU_GPU_PLUGIN_H_
#define DOVETAIL_BACKENDS_GPU_GPU_PLUGIN_H_

#include <memory>

#include "absl/status/statusor.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail {

absl::StatusOr<std::unique_ptr<Plugin>> MakeGpuPlugin();

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_GPU_GPU_PLUGIN_H_
