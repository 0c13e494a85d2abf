#include "dovetail/core/plugin/registry/manifest.h"
#include "sample_backend.h"

DOVETAIL_PLUGIN("SAMPLE", "", "the sample of a backend of one's own",
                /*priority=*/0, MakeSamplePlugin);
