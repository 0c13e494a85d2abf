#include "dovetail/backends/hetero/hetero_plugin.h"
#include "dovetail/backends/hetero/plugin_build.h"
#include "dovetail/core/plugin/registry/manifest.h"

DOVETAIL_PLUGIN("HETERO", "", "runs each layer on one of several devices",
                /*priority=*/0, dovetail::MakeHeteroPlugin);
