#include "dovetail/backends/gpu/gpu_plugin.h"
#include "dovetail/backends/gpu/plugin_build.h"
#include "dovetail/core/plugin/registry/manifest.h"

DOVETAIL_PLUGIN("GPU", "", "OpenCL kernels for graphics and other processors",
                /*priority=*/1, dovetail::MakeGpuPlugin);
