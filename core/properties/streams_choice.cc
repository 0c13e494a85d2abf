#include "dovetail/core/properties/streams_choice.h"

#include <algorithm>
#include <string>

#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {
namespace {

// Streams of one thread as long as that makes at most four; beyond, streams of
// four threads, since memory bandwidth is shared by all.
int ThroughputStreams(int threads) {
  return std::max(std::min(threads, 4), threads / 4);
}

}  // namespace

StreamsChoice ChooseStreams(const Config& config, int usable_cpus, int nodes) {
  int threads =
      static_cast<int>(config.GetInt(properties::kInferenceNumThreads));
  if (threads <= 0) threads = std::max(1, usable_cpus);

  StreamsChoice choice;
  const int asked = static_cast<int>(config.GetInt(properties::kNumStreams));
  const std::string hint = config.GetString(properties::kPerformanceHint);
  if (asked > 0) {  // the words read as 0
    choice.streams = asked;
  } else if (config.GetString(properties::kNumStreams) == "NUMA") {
    choice.streams = std::clamp(nodes, 1, threads);
  } else if (hint == "THROUGHPUT" || hint == "CUMULATIVE_THROUGHPUT") {
    choice.streams = ThroughputStreams(threads);
    const int requests = static_cast<int>(
        config.GetInt(properties::kPerformanceHintNumRequests));
    if (requests > 0) choice.streams = std::min(choice.streams, requests);
  }
  choice.threads_per_stream = std::max(1, threads / choice.streams);
  return choice;
}

}  // namespace dovetail
