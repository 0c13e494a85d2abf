// The parts that Winograd's algorithm cuts its work into. Within the library
// `winograd` only.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_WINOGRAD_WINOGRAD_PARTS_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_WINOGRAD_WINOGRAD_PARTS_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/convolution/output_group.h"
#include "dovetail/backends/cpu/kernels/convolution/winograd/winograd.h"

namespace dovetail::cpu::winograd {

inline constexpr int64_t kPoints = kWinogradPoints;
inline constexpr int64_t kMinTogether = 18, kMaxTogether = 96;  // tiles

// Elements of transformed tiles from one point to the next: a cache line more
// than there are, as points that lie a power of two apart would displace each
// other.
inline int64_t PointStep(const WinogradShape& shape, int64_t blocks,
                         int64_t tiles) {
  constexpr int64_t kCacheLine = 16;
  return blocks * tiles * shape.lanes + kCacheLine;
}

// Blocks of outputs of a part.
struct OutputBlocks {
  OutputBlocks(const WinogradShape& shape, const WinogradPart& part)
      : first(
            OutputGroup(shape.output_blocks(), part.first_group).first_block) {
    const OutputGroup last(shape.output_blocks(),
                           part.first_group + part.groups - 1);
    count = last.first_block + last.blocks - first;
  }
  int64_t first, count;
};

// The tiles of a part.
inline void LocateTiles(const WinogradShape& shape, const WinogradPart& part,
                        WinogradTile* tiles) {
  const int64_t across = shape.columns.tiles();
  const int64_t a_plane = shape.rows.tiles() * across;
  WinogradAxisWalk y(shape.rows, part.first_tile % a_plane / across);
  WinogradAxisWalk x(shape.columns, part.first_tile % across);
  int64_t plane = part.first_tile / a_plane;
  for (int64_t t = 0; t < part.tiles; ++t) {
    tiles[t] = WinogradTile(shape, plane, y, x);
    if (x.Advance() && y.Advance()) ++plane;
  }
}

}  // namespace dovetail::cpu::winograd

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_WINOGRAD_WINOGRAD_PARTS_H_
