// Times of an inference, layer by layer and stage by stage.
#ifndef DOVETAIL_CORE_PLUGIN_PROFILING_H_
#define DOVETAIL_CORE_PLUGIN_PROFILING_H_

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace dovetail {

// Of the last inference of a request that was compiled with PERF_COUNT.
struct ProfilingRecord {
  enum class Kind { kLayer, kStage };
  enum class Status { kNotRun, kOptimizedOut, kExecuted };

  Kind kind = Kind::kLayer;
  std::string name;    // friendly name of the layer; name of the stage
  std::string type;    // "Convolution"; "Stage"
  std::string kernel;  // what ran it, such as "reference_f32"
  std::string device;  // "GPU.0"; empty: the one that was compiled for
  // What of the device ran it: "stream 0"; of several, "SHAVE 0, SHAVE 1".
  std::string lane;
  Status status = Status::kNotRun;
  int64_t start_ns = 0;     // by SteadyNanoseconds(); 0: not known
  int64_t duration_ns = 0;  // wall clock, or the device's own clock
  int64_t cpu_ns = 0;       // of all host threads that ran it
  // What the device counted, by name: "cycles", "bytes", "macs".
  std::vector<std::pair<std::string, int64_t>> counters;
};

// The clock of start times: one for all threads and devices of a process.
inline int64_t SteadyNanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PLUGIN_PROFILING_H_
