// Closed loops of inferences for people and for other programs.
#ifndef DOVETAIL_TOOLS_ESTIMATING_LOOP_TABLES_H_
#define DOVETAIL_TOOLS_ESTIMATING_LOOP_TABLES_H_

#include <nlohmann/json.hpp>
#include <ostream>
#include <vector>

#include "dovetail/backends/vpu/contention/closed_loop.h"

namespace dovetail::cli {

nlohmann::ordered_json LoopsToJson(const std::vector<vpu::LoopTimes>& loops);

// A line for each number of requests: throughput, and where a latency goes.
void PrintLoops(const std::vector<vpu::LoopTimes>& loops, std::ostream& out);

}  // namespace dovetail::cli

#endif  // DOVETAIL_TOOLS_ESTIMATING_LOOP_TABLES_H_
