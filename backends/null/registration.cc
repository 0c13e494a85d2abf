#include "dovetail/backends/null/null_plugin.h"
#include "dovetail/core/plugin/registry.h"

DOVETAIL_REGISTER_PLUGIN("NULL", dovetail::MakeNullPlugin);
