#include "dovetail/backends/null/null_plugin.h"
#include "dovetail/backends/null/plugin_build.h"
#include "dovetail/core/plugin/registry/manifest.h"

DOVETAIL_PLUGIN("NULL", "", "takes every model and gives zeros",
                /*priority=*/0, dovetail::MakeNullPlugin);
