#include "dovetail/backends/cpu/kernels/integer/work_split.h"

#include <algorithm>

#include "dovetail/backends/cpu/kernels/integer/tile_axis.h"

namespace dovetail::cpu {
namespace {

// A thread takes one of so many parts of what is left of its share.
constexpr int64_t kPartsOfARest = 2;
// The part of a work item for which the other threads wait at the end.
constexpr double kIdlePart = 1.0 / 8;
constexpr int64_t kMoreTilesOfAThread = 8, kGroupsOfAThread = 2;

}  // namespace

std::vector<std::vector<int64_t>> SharesOf(int64_t items, int threads) {
  const int64_t count =
      std::clamp<int64_t>(threads, 1, std::max<int64_t>(1, items));
  const int64_t divisor = count > 1 ? kPartsOfARest : 1;
  std::vector<std::vector<int64_t>> shares;
  for (int64_t i = 0; i < count; ++i) {
    int64_t begin = items * i / count;
    const int64_t end = items * (i + 1) / count;
    std::vector<int64_t>& bounds = shares.emplace_back(1, begin);
    while (begin < end) {
      begin += std::max<int64_t>(1, (end - begin) / divisor);
      bounds.push_back(begin);
    }
  }
  return shares;
}

double TimeOfItems(int64_t items, double time, int threads) {
  const int64_t rounds = DivideUp(items, threads);
  const double idle = threads > 1 ? kIdlePart : 0;
  return time * (static_cast<double>(rounds) + idle);
}

int64_t MoreTiles(int threads) {
  return threads > 1 ? kMoreTilesOfAThread * threads : 0;
}

PanelGroups ChooseGroups(int64_t tiles, int64_t panels, double tile_time,
                         double panel_time, int threads) {
  const int64_t most =
      threads > 1 ? std::min(panels, kGroupsOfAThread * threads) : 1;
  PanelGroups best;
  for (int64_t count = 1; count <= most; ++count) {
    PanelGroups groups;
    groups.panels = DivideUp(panels, count);
    groups.count = DivideUp(panels, groups.panels);
    const double item =
        tile_time + panel_time * static_cast<double>(groups.panels);
    groups.time = TimeOfItems(tiles * groups.count, item, threads);
    if (groups.time < best.time) best = groups;
  }
  return best;
}

}  // namespace dovetail::cpu
