#include "dovetail/backends/cpu/cpu_plugin.h"
#include "dovetail/core/plugin/registry.h"

DOVETAIL_REGISTER_PLUGIN("CPU", dovetail::MakeCpuPlugin);
