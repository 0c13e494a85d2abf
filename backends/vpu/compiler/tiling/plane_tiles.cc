#include "dovetail/backends/vpu/compiler/tiling/plane_tiles.h"

#include <algorithm>

#include "dovetail/core/base/checked_math.h"

namespace dovetail::vpu {
namespace {

// Outputs that padding of `room` pixels lets the engine compute beyond those
// that `used` pixels of it serve.
int64_t JunkAfter(const PlaneAxis& axis, int64_t used) {
  return std::max<int64_t>(0, (axis.after - used) / axis.stride);
}

PlaneTile TileOf(const PlaneAxis& axis, int64_t begin, int64_t end) {
  PlaneTile tile;
  tile.out_begin = begin;
  tile.out_end = end;
  tile.in_begin = begin * axis.stride - axis.before;
  tile.in_end = (end - 1) * axis.stride + axis.kernel - axis.before;
  int64_t junk = 0;
  if (tile.in_begin <= 0) {
    // The plane's own padding; the tile begins where the plane does.
    junk = tile.in_begin < 0 ? begin : axis.before / axis.stride;
    tile.in_begin = 0;
  } else {
    const int64_t rest = tile.in_begin % axis.stride;
    tile.in_begin -= rest;
    junk = (rest + axis.before) / axis.stride;
  }
  const int64_t beyond = std::max<int64_t>(0, tile.in_end - axis.input);
  tile.in_end -= beyond;
  tile.computed = junk + tile.output() + JunkAfter(axis, beyond);
  return tile;
}

// `pad` pixels before, the rest of what the outputs need after.
PlaneAxis AxisOf(PlaneAxis axis, int64_t pad) {
  const int64_t padding = std::max<int64_t>(
      0, (axis.output - 1) * axis.stride + axis.kernel - axis.input);
  axis.before = pad == kAutoPad ? padding / 2 : pad;
  axis.after = std::max<int64_t>(0, padding - axis.before);
  return axis;
}

}  // namespace

PlaneAxis RowsOf(const ConvShape& s) {
  const int64_t pool = s.pools ? 1 : 0;
  return AxisOf(
      {s.in_height, s.out_height, s.kernel_y + pool, s.stride + pool}, s.pad_y);
}

PlaneAxis ColumnsOf(const ConvShape& s) {
  const int64_t pool = s.pools ? 1 : 0;
  return AxisOf({s.in_width, s.out_width, s.kernel_x + pool, s.stride + pool},
                s.pad_x);
}

bool PadsConvolution(const PlaneAxis& axis) {
  if (axis.before == 0 && axis.after == 0) return true;
  return axis.before == axis.kernel / 2 && axis.after <= (axis.kernel - 1) / 2;
}

bool PadsPool(const PlaneAxis& axis) {
  if (axis.kernel % 2 == 0 && axis.input % 2 == 1) return false;
  return (axis.before == 0 || axis.before == axis.kernel / 2) &&
         (axis.after == 0 || axis.after <= (axis.kernel - 1) / 2);
}

int64_t OutputsOf(const PlaneAxis& axis, int64_t input, bool ceil) {
  const int64_t steps = input - axis.kernel + axis.before + axis.after;
  if (steps < 0) return 0;
  return (ceil ? CeilDivide(steps, axis.stride) : steps / axis.stride) + 1;
}

std::vector<PlaneTile> CutAxis(const PlaneAxis& axis, int64_t most_outputs) {
  if (most_outputs >= axis.output) {
    return {{0, axis.input, 0, axis.output, axis.output}};
  }
  std::vector<PlaneTile> tiles;
  for (int64_t begin = 0; begin < axis.output;) {
    int64_t end = std::min(axis.output, begin + most_outputs);
    PlaneTile tile = TileOf(axis, begin, end);
    while (tile.computed > most_outputs && --end > begin) {
      tile = TileOf(axis, begin, end);
    }
    if (end <= begin) return {};
    tiles.push_back(tile);
    begin = end;
  }
  return tiles;
}

std::vector<PlaneTile> CutPooledAxis(const PlaneAxis& axis,
                                     int64_t most_outputs) {
  if (most_outputs >= axis.output) {
    return {{0, axis.input, 0, axis.output, axis.output}};
  }
  const int64_t most = most_outputs - (most_outputs % 2 == 0 ? 1 : 0);
  std::vector<PlaneTile> tiles;
  if (most < 3) return tiles;
  for (int64_t begin = 0;;) {  // of what is computed
    const int64_t end = std::min(axis.output, begin + most);
    PlaneTile tile;
    tile.in_begin = axis.stride * begin;
    tile.in_end = axis.stride * end;
    tile.computed = end - begin;
    tile.out_begin = begin + (begin > 0 ? 1 : 0);
    tile.out_end = end - (end < axis.output ? 1 : 0);
    tiles.push_back(tile);
    if (end == axis.output) return tiles;
    begin = tile.out_end - 1;
  }
}

}  // namespace dovetail::vpu
