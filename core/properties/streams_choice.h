// Choice of threads from hints: one rule for all CPU devices.
#ifndef DOVETAIL_CORE_PROPERTIES_STREAMS_CHOICE_H_
#define DOVETAIL_CORE_PROPERTIES_STREAMS_CHOICE_H_

#include "dovetail/core/properties/config.h"

namespace dovetail {

struct StreamsChoice {
  int streams = 1;
  int threads_per_stream = 1;
};

// Reads PERFORMANCE_HINT, PERFORMANCE_HINT_NUM_REQUESTS, NUM_STREAMS and
// INFERENCE_NUM_THREADS as far as the schema has them. `usable_cpus` is what
// the process may use. An explicit NUM_STREAMS beats the hint. Streams divide
// the threads evenly and have at least one each; there are never more streams
// than requests nor, unless asked for by number, than threads. `nodes` of
// memory are what NUM_STREAMS NUMA counts.
StreamsChoice ChooseStreams(const Config& config, int usable_cpus,
                            int nodes = 1);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PROPERTIES_STREAMS_CHOICE_H_
