#include "dovetail/backends/batch/batch_plugin.h"
#include "dovetail/backends/batch/plugin_build.h"
#include "dovetail/core/plugin/registry/manifest.h"

DOVETAIL_PLUGIN("BATCH", "", "runs requests together on another device",
                /*priority=*/0, dovetail::MakeBatchPlugin);
