#include "dovetail/backends/cpu/kernels/integer/work_split.h"

#include <algorithm>

#include "dovetail/backends/cpu/kernels/integer/tile_axis.h"

namespace dovetail::cpu {
namespace {

// What a thread takes at a time: one of so many parts of its share.
constexpr int64_t kPartsOfAShare = 2;
// The part of a piece for which the other threads wait at the end.
constexpr double kIdlePart = 1.0 / 8;
constexpr int64_t kMoreTilesOfAThread = 8, kGroupsOfAThread = 2;

}  // namespace

std::vector<int64_t> PartBounds(int64_t pieces, int threads) {
  std::vector<int64_t> bounds = {0};
  const int64_t divisor = threads > 1 ? kPartsOfAShare * threads : 1;
  for (int64_t begin = 0; begin < pieces; bounds.push_back(begin)) {
    begin += std::max<int64_t>(1, (pieces - begin) / divisor);
  }
  return bounds;
}

double TimeOfPieces(int64_t pieces, double time, int threads) {
  const int64_t rounds = DivideUp(pieces, threads);
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
    const double piece =
        tile_time + panel_time * static_cast<double>(groups.panels);
    groups.time = TimeOfPieces(tiles * groups.count, piece, threads);
    if (groups.time < best.time) best = groups;
  }
  return best;
}

}  // namespace dovetail::cpu
