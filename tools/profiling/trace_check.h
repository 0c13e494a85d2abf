// The rules of Chrome's Trace Event Format, which chrome://tracing and
// Perfetto's importer of JSON go by.
#ifndef DOVETAIL_TOOLS_PROFILING_TRACE_CHECK_H_
#define DOVETAIL_TOOLS_PROFILING_TRACE_CHECK_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace dovetail::profiling {

// What is wrong with a trace, a line each; empty: nothing. Stricter than the
// viewers, which pass over what they do not understand:
//
// - an object with an array "traceEvents" and, if it likes, "displayTimeUnit";
// - events of the phases X (complete), B and E (begin, end), i and I
//   (instants), C (counters) and M (metadata), with all fields of their phase,
//   of its types, and no other ones; times in µs, finite, not negative;
// - in each thread of a process, X events lie within each other or apart, and
//   each E ends the last B;
// - each process and each thread that has events has a name, and only one.
std::vector<std::string> TraceProblems(const nlohmann::json& trace);

}  // namespace dovetail::profiling

#endif  // DOVETAIL_TOOLS_PROFILING_TRACE_CHECK_H_
