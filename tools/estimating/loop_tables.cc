#include "dovetail/tools/estimating/loop_tables.h"

#include "absl/strings/str_format.h"

namespace dovetail::cli {

using Json = nlohmann::ordered_json;

Json LoopsToJson(const std::vector<vpu::LoopTimes>& loops) {
  Json all = Json::array();
  for (const vpu::LoopTimes& loop : loops) {
    all.push_back({{"requests", loop.requests},
                   {"inferences_per_second", loop.per_second()},
                   {"latency_us", loop.latency},
                   {"host_and_link_us", loop.host},
                   {"wait_us", loop.wait},
                   {"device_us", loop.device},
                   {"ddr_busy", loop.ddr_busy}});
  }
  return all;
}

void PrintLoops(const std::vector<vpu::LoopTimes>& loops, std::ostream& out) {
  out << absl::StrFormat("%10s %9s %11s  %s\n", "requests", "1/s",
                         "latency us", "host+link, waiting, device; DDR");
  for (const vpu::LoopTimes& loop : loops) {
    out << absl::StrFormat("%10d %9.2f %11.1f  %.1f, %.1f, %.1f; %.1f %%\n",
                           loop.requests, loop.per_second(), loop.latency,
                           loop.host, loop.wait, loop.device,
                           100 * loop.ddr_busy);
  }
}

}  // namespace dovetail::cli
