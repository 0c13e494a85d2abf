#include "dovetail/core/plugin/manifest.h"

#include "dovetail/backends/cpu/cpu_plugin.h"

DOVETAIL_SHARED_PLUGIN("CPU", dovetail::MakeCpuPlugin);
