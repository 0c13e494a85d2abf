// Tiles of a convolution's output along one axis, and what they read.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_TILE_AXIS_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_TILE_AXIS_H_

#include <algorithm>
#include <cstdint>

namespace dovetail::cpu {

inline int64_t DivideUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

// How many work items are enough for so many threads, of which one may be
// slower than the others.
inline int64_t WorkItemsFor(int threads) {
  return threads > 1 ? 4 * threads : 1;
}

// What a tile reads of the input is kept in places: from one to the next it is
// `unit` in the input.
struct TileAxis {
  // Places that `count` outputs read.
  int64_t PlacesOf(int64_t count) const {
    return (count - 1) * step + reach + 1;
  }
  // How many outputs so many places are enough for.
  int64_t OutputsOf(int64_t places) const {
    return places <= reach ? 0 : (places - reach - 1) / step + 1;
  }

  // Cuts `all` outputs into tiles of about equal extents, at most `most` each.
  void Cut(int64_t all, int64_t most) {
    outputs = DivideUp(all, DivideUp(all, std::max<int64_t>(1, most)));
    tiles = DivideUp(all, outputs);
    places = PlacesOf(outputs);
  }

  int64_t unit = 1;
  int64_t step = 1;      // places from an output to the next
  int64_t tap_step = 1;  // and from a tap to the next
  int64_t reach = 0;     // from the first tap to the last
  int64_t outputs = 1;   // of a tile, at most
  int64_t places = 1;    // for so many
  int64_t tiles = 1;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_TILE_AXIS_H_
