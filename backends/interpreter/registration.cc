#include "dovetail/backends/interpreter/interpreter_plugin.h"
#include "dovetail/core/plugin/registry.h"

DOVETAIL_REGISTER_PLUGIN("REFERENCE", dovetail::MakeInterpreterPlugin);
DOVETAIL_REGISTER_PLUGIN_ALIAS("TEMPLATE", "REFERENCE");
