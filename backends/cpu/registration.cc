#include "dovetail/backends/cpu/cpu_plugin.h"
#include "dovetail/backends/cpu/plugin_build.h"
#include "dovetail/core/plugin/registry/manifest.h"

DOVETAIL_PLUGIN("CPU", "", "oneDNN and own kernels for x86 processors",
                /*priority=*/2, dovetail::MakeCpuPlugin);
