#include "dovetail/backends/interpreter/interpreter_plugin.h"
#include "dovetail/backends/interpreter/plugin_build.h"
#include "dovetail/core/plugin/registry/manifest.h"

DOVETAIL_PLUGIN("REFERENCE", "TEMPLATE", "reference interpreter",
                /*priority=*/1, dovetail::MakeInterpreterPlugin);
