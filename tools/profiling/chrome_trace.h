// Inferences as a trace in Chrome's format, which chrome://tracing and Perfetto
// open.
#ifndef DOVETAIL_TOOLS_PROFILING_CHROME_TRACE_H_
#define DOVETAIL_TOOLS_PROFILING_CHROME_TRACE_H_

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "dovetail/tools/profiling/profile.h"

namespace dovetail::profiling {

// A stretch of time in a row of a picture.
struct Span {
  std::string name, category;  // "layer", "stage" or "inference"
  int64_t start_ns = 0, duration_ns = 0;
  const ProfilingRecord* record = nullptr;  // null: an inference
};

// Spans of one row never overlap.
struct Row {
  std::string process;  // "host" or a device
  std::string name;     // "inferences", "stages", "layers", "stream 0"
  std::vector<Span> spans;
};

// Rows for the inferences of the host's thread, its stages, which may have
// lanes of their own, and the lanes of each device, in the order of their names
// and numbers. A record of several lanes, "SHAVE 0, SHAVE 1", is in all of
// them. Records whose start nobody knows are left out; where a lane has records
// at the same time (as a loop's steps, whose times are added up), it has
// several rows. Points into `inferences`.
std::vector<Row> RowsOf(const std::deque<Inference>& inferences,
                        const std::string& device);

// The JSON text: an object with "traceEvents". Times are in µs from the first
// inference on.
std::string ChromeTrace(const std::deque<Inference>& inferences,
                        const std::string& device);

}  // namespace dovetail::profiling

#endif  // DOVETAIL_TOOLS_PROFILING_CHROME_TRACE_H_
