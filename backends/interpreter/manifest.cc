#include "dovetail/core/plugin/manifest.h"

#include "dovetail/backends/interpreter/interpreter_plugin.h"

DOVETAIL_SHARED_PLUGIN("REFERENCE", dovetail::MakeInterpreterPlugin);
