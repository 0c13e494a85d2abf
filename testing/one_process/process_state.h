// State of this process, as the system tells it.
#ifndef DOVETAIL_TESTING_ONE_PROCESS_PROCESS_STATE_H_
#define DOVETAIL_TESTING_ONE_PROCESS_PROCESS_STATE_H_

#include <cstdint>
#include <map>
#include <string>

namespace dovetail {

// Dovetail's own threads, "dovetail-…", and how many there are of each name.
// Those that have been told to end are still there for a moment.
std::map<std::string, int> DovetailThreads();

// How many bytes of the mapping that begins at `begin` are in memory; -1 when
// there is none.
int64_t ResidentBytesAt(const void* begin);

// A line of /proc/self/status in KiB, such as "VmRSS"; -1 without it.
int64_t StatusKib(const std::string& line);

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_ONE_PROCESS_PROCESS_STATE_H_
