#include "dovetail/backends/vpu/plugin_build.h"
#include "dovetail/backends/vpu/vpu_plugin.h"
#include "dovetail/core/plugin/registry/manifest.h"

DOVETAIL_PLUGIN("VPU", "MYRIAD", "simulator of vision processors",
                /*priority=*/0, dovetail::MakeVpuPlugin);
