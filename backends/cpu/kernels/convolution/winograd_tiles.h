// The tiles of 4 x 4 outputs of Winograd's algorithm F(4 x 4, 3 x 3).
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_WINOGRAD_TILES_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_WINOGRAD_TILES_H_

#include <cstdint>

namespace dovetail::cpu {

struct WinogradShape {
  int64_t batch = 1;
  int64_t inputs = 0, outputs = 0;  // channels; blocks are padded with zeros
  int64_t height = 0, width = 0;    // of the input
  int64_t out_height = 0, out_width = 0;
  // Rows and columns of zeros before the input; those behind it follow.
  int64_t pad_top = 0, pad_left = 0;
};

inline constexpr int64_t kWinogradIn = 6;   // extent of what a tile reads
inline constexpr int64_t kWinogradOut = 4;  // extent of a tile
inline constexpr int64_t kWinogradSpots = kWinogradIn * kWinogradIn;

inline int64_t WinogradTilesAlong(int64_t extent) {
  return (extent + kWinogradOut - 1) / kWinogradOut;
}

inline int64_t WinogradTiles(const WinogradShape& shape) {
  return shape.batch * WinogradTilesAlong(shape.out_height) *
         WinogradTilesAlong(shape.out_width);
}

// Where a tile is.
struct WinogradTile {
  WinogradTile(const WinogradShape& shape, int64_t number) {
    const int64_t columns = WinogradTilesAlong(shape.out_width);
    const int64_t rows = WinogradTilesAlong(shape.out_height);
    x = number % columns * kWinogradOut;
    y = number / columns % rows * kWinogradOut;
    n = number / columns / rows;
    top = y - shape.pad_top;
    left = x - shape.pad_left;
    reads_inside = top >= 0 && left >= 0 && top + kWinogradIn <= shape.height &&
                   left + kWinogradIn <= shape.width;
  }
  int64_t n, y, x;
  int64_t top, left;  // of what it reads
  bool reads_inside;  // whether all of that is in the input
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_WINOGRAD_TILES_H_
