#include "dovetail/core/plugin/manifest.h"

#include "dovetail/backends/null/null_plugin.h"

DOVETAIL_SHARED_PLUGIN("NULL", dovetail::MakeNullPlugin);
