#include "dovetail/backends/multi/multi_plugin.h"
#include "dovetail/backends/multi/plugin_build.h"
#include "dovetail/core/plugin/registry/manifest.h"

DOVETAIL_PLUGIN("MULTI", "", "runs inferences on several devices",
                /*priority=*/0, dovetail::MakeMultiPlugin);
