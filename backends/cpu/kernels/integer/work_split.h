// Division of the work items of a convolution among threads.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_WORK_SPLIT_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_WORK_SPLIT_H_

#include <cstdint>
#include <limits>
#include <vector>

namespace dovetail::cpu {

// For each of `threads` threads, or fewer where there are fewer work items, its
// share of neighbouring work items, in parts: number i is
// [bounds[i], bounds[i + 1]). Parts become smaller, so that others can help at
// last.
std::vector<std::vector<int64_t>> SharesOf(int64_t items, int threads);

// The time until all is done where each work item takes `time`. Many small work
// items are a little better than few, as threads do not begin together.
double TimeOfItems(int64_t items, double time, int threads);

// How many more tiles than needed are worth a try, for the threads' sake.
int64_t MoreTiles(int threads);

// Panels of outputs in groups: a tile and a group are a work item.
struct PanelGroups {
  int64_t count = 1;
  int64_t panels = 1;  // of a group; the last one may have fewer
  double time = std::numeric_limits<double>::infinity();  // of all work items
};

// The groups of the least time where a work item takes `tile_time`, as each
// packs its tile, and `panel_time` for each of its panels.
PanelGroups ChooseGroups(int64_t tiles, int64_t panels, double tile_time,
                         double panel_time, int threads);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_WORK_SPLIT_H_
