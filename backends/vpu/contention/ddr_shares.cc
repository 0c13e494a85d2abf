#include "dovetail/backends/vpu/contention/ddr_shares.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace dovetail::vpu {

std::vector<double> SpeedsUnderSharing(const std::vector<double>& demands,
                                       double streams) {
  std::vector<size_t> order(demands.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return demands[a] < demands[b];
  });
  std::vector<double> speeds(demands.size(), 1);
  double left = streams;
  for (size_t i = 0; i < order.size(); ++i) {
    const double demand = demands[order[i]];
    const double fair = left / static_cast<double>(order.size() - i);
    const double share = std::min(demand, fair);
    if (demand > share) speeds[order[i]] = share / demand;
    left -= share;
  }
  return speeds;
}

}  // namespace dovetail::vpu
