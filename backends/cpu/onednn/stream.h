// oneDNN's queue of a context: primitives run in the calling thread and split
// their work over the context's team.
#ifndef DOVETAIL_BACKENDS_CPU_ONEDNN_STREAM_H_
#define DOVETAIL_BACKENDS_CPU_ONEDNN_STREAM_H_

#include "dovetail/backends/common/plan/run_environment.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace dovetail::cpu {

// Made at the first call for an environment; throws like all of oneDNN.
dnnl::stream& StreamOf(RunEnvironment& environment);

// While a plan is compiled in this thread: how many threads primitives divide
// their work by. oneDNN keeps the number by thread.
void SetPrimitiveThreads(int threads);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_ONEDNN_STREAM_H_
