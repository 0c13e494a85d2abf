#include "dovetail/backends/auto/auto_plugin.h"
#include "dovetail/backends/auto/plugin_build.h"
#include "dovetail/core/plugin/registry/manifest.h"

DOVETAIL_PLUGIN("AUTO", "", "takes the best of the devices that there are",
                /*priority=*/0, dovetail::MakeAutoPlugin);
