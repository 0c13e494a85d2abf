#include "dovetail/backends/vpu/contention/ddr_shares.h"

#include <numeric>

namespace dovetail::vpu {

std::vector<double> SpeedsUnderSharing(const std::vector<double>& demands,
                                       double streams) {
  const double all = std::accumulate(demands.begin(), demands.end(), 0.0);
  std::vector<double> speeds;
  speeds.reserve(demands.size());
  double busy = 0;
  for (const double demand : demands) {
    speeds.push_back(1 / (1 + demand * (all - demand) / streams));
    busy += speeds.back() * demand;
  }
  if (busy <= streams) return speeds;
  for (double& speed : speeds) speed *= streams / busy;
  return speeds;
}

}  // namespace dovetail::vpu
