// The tiles of Winograd's algorithm: see winograd.h.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_WINOGRAD_WINOGRAD_TILES_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_WINOGRAD_WINOGRAD_TILES_H_

#include <algorithm>
#include <cstdint>

#include "dovetail/backends/cpu/kernels/convolution/window_axis.h"

namespace dovetail::cpu {

// The most that a tile reads along an axis, and the numbers that becomes.
inline constexpr int64_t kWinogradPoints = 6;

// One spatial axis, of stride 1 and a kernel shorter than a tile.
struct WinogradAxis : WindowAxis {
  static constexpr int64_t kMaxKernel = kWinogradPoints - 1;

  // What a tile reads: kWinogradPoints, or 4.
  int64_t tile = kWinogradPoints;

  // Numbers that a tile is transformed to, and results it has.
  int64_t points() const { return kernel == 1 ? 1 : tile; }
  int64_t extent() const { return points() + 1 - kernel; }
  // Tiles that have the same first element modulo `dilation`, and all.
  int64_t tiles_a_phase() const {
    const int64_t a_phase = (output + dilation - 1) / dilation;
    return (a_phase + extent() - 1) / extent();
  }
  int64_t tiles() const { return tiles_a_phase() * dilation; }
};

struct WinogradShape {
  int64_t batch = 1;
  int64_t inputs = 0, outputs = 0;  // channels
  // Of one kernel, or one of them of kernel 1.
  WinogradAxis rows, columns;
  // Of a volume, whose rows and columns those are: the planes of a window are
  // summed over as channels are. Windows of several have whole blocks of
  // inputs.
  WindowAxis planes;
  // Channels that are computed side by side: WinogradLanes().
  int64_t lanes = 8;
  // [N, C / lanes, D, H, W, lanes], blocks being padded with zeros, or else
  // [N, D, H, W, C].
  bool is_blocked = true;
  // What transformed tiles may take of a cache, in floats.
  int64_t cache_floats = 96 << 10;

  // Numbers that a tile is transformed to.
  int64_t points() const { return rows.points() * columns.points(); }
  // What a result sums over, in channels and their blocks.
  int64_t summed() const { return planes.kernel * inputs; }
  int64_t summed_blocks() const { return planes.kernel * input_blocks(); }
  int64_t input_blocks() const { return (inputs + lanes - 1) / lanes; }
  int64_t output_blocks() const { return (outputs + lanes - 1) / lanes; }
};

inline int64_t WinogradTiles(const WinogradShape& shape) {
  return shape.batch * shape.planes.output * shape.rows.tiles() *
         shape.columns.tiles();
}

// Goes through the tiles along one axis: phase by phase.
class WinogradAxisWalk {
 public:
  WinogradAxisWalk(const WinogradAxis& axis, int64_t number)
      : axis_(axis),
        a_phase_(axis.tiles_a_phase()),
        phase_(number / a_phase_),
        index_(number % a_phase_) {}

  int64_t first() const {
    return phase_ + index_ * axis_.extent() * axis_.dilation;
  }
  int64_t results() const {
    const int64_t left = axis_.output - first() + axis_.dilation - 1;
    if (axis_.dilation == 1) return std::min(left, axis_.extent());
    return std::clamp<int64_t>(left / axis_.dilation, 0, axis_.extent());
  }
  // Of what the tile reads.
  int64_t begin() const { return first() - axis_.pad; }
  bool is_inside() const {
    return begin() >= 0 &&
           begin() + (axis_.points() - 1) * axis_.dilation < axis_.input;
  }
  // Whether that was the last one: then it is at the first again.
  bool Advance() {
    if (++index_ < a_phase_) return false;
    index_ = 0;
    if (++phase_ < axis_.dilation) return false;
    phase_ = 0;
    return true;
  }

 private:
  const WinogradAxis& axis_;
  const int64_t a_phase_;
  int64_t phase_, index_;
};

// Where a tile is.
struct WinogradTile {
  WinogradTile() = default;
  // In a plane of that number, of all images' results.
  WinogradTile(const WinogradShape& shape, int64_t plane,
               const WinogradAxisWalk& down, const WinogradAxisWalk& across)
      : n(plane / shape.planes.output),
        z(plane % shape.planes.output),
        y(down.first()),
        x(across.first()),
        rows(down.results()),
        columns(across.results()),
        top(down.begin()),
        left(across.begin()),
        reads_inside(down.is_inside() && across.is_inside()) {}
  WinogradTile(const WinogradShape& shape, int64_t number)
      : WinogradTile(
            shape, number / (shape.rows.tiles() * shape.columns.tiles()),
            {shape.rows, number / shape.columns.tiles() % shape.rows.tiles()},
            {shape.columns, number % shape.columns.tiles()}) {}

  int64_t n = 0, z = 0;
  int64_t y = 0, x = 0;           // of its first result
  int64_t rows = 0, columns = 0;  // how many results there are
  int64_t top = 0, left = 0;      // of what it reads
  bool reads_inside = false;      // whether all of that is in the input
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_WINOGRAD_WINOGRAD_TILES_H_
