#include "dovetail/backends/vpu/compiler/tiling/hw_mode.h"

#include <algorithm>

#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"

namespace dovetail::vpu {
namespace {

struct ModeRow {
  int64_t in_block;
  int64_t overhead;
};
// Input channels held at once; the machine's macs_per_cycle over them is the
// outputs of a descriptor.
constexpr ModeRow kModes[] = {{1, 0}, {2, 5}, {4, 11}, {8, 19}, {16, 31}};
constexpr int64_t kMostPixels = 4096;

absl::Status CheckTile(const ConvShape& tile) {
  const int64_t channels = std::max(tile.in_channels, tile.out_channels);
  if (channels > kMostChannels) {
    return Unimplemented(channels, " channels, more than ", kMostChannels);
  }
  const int64_t pixels = std::max(tile.in_width, tile.in_height);
  if (pixels > kMostPixels) {
    return Unimplemented("an extent of ", pixels, ", more than ", kMostPixels);
  }
  if (tile.in_width > 507 && tile.in_height > 1 && tile.in_height < 64 &&
      tile.in_channels != 3) {
    return Unimplemented("a width of ", tile.in_width,
                         ", more than 507 with fewer than 64 rows");
  }
  return absl::OkStatus();
}

absl::Status CheckMode(const Machine& machine, const ConvShape& tile,
                       const HwMode& mode) {
  if (mode.steps > machine.coefficient_steps) {
    return Unimplemented(mode.steps, " steps of coefficients, more than ",
                         machine.coefficient_steps);
  }
  const int64_t needed = std::min(RowsToReadAhead(tile), tile.in_height);
  const int64_t rows = BufferedRows(machine, tile, mode.in_block);
  if (rows < needed) {
    return Unimplemented("the line buffer holds ", rows, " of ", needed,
                         " rows");
  }
  return absl::OkStatus();
}

}  // namespace

int64_t RoundUp(int64_t value, int64_t to) {
  return CeilDivide(value, to) * to;
}
int64_t RowBytes(int64_t width) { return RoundUp(width * 2, 16); }

int64_t BufferedRows(const Machine& machine, const ConvShape& tile,
                     int64_t in_block) {
  const int64_t row_of_all =
      RoundUp(tile.in_channels, in_block) * RowBytes(tile.in_width);
  return std::min(static_cast<int64_t>(machine.line_buffer_bytes) / row_of_all,
                  tile.in_height);
}

int64_t RowsToReadAhead(const ConvShape& tile) {
  const int64_t narrow = tile.in_width <= 8 ? 1 : 0;
  return tile.kernel_y + tile.stride + 2 + narrow;
}

bool IsHalved(const ConvShape& shape) {
  constexpr int64_t kWidth = 16;
  return shape.kernel_x == kWidth && shape.kernel_y == 1 &&
         (shape.out_width - 1) * shape.stride + kWidth <= shape.in_width;
}

absl::StatusOr<HwMode> ChooseMode(const Machine& machine,
                                  const ConvShape& tile) {
  DOVETAIL_RETURN_IF_ERROR(CheckTile(tile));
  absl::StatusOr<HwMode> best = Unimplemented("no mode");
  const int64_t outputs = RoundUp(tile.out_channels, 8);
  for (const ModeRow& row : kModes) {
    HwMode mode;
    mode.in_block = row.in_block;
    mode.overhead = row.overhead;
    const auto group =
        static_cast<int64_t>(machine.macs_per_cycle) / row.in_block;
    mode.descriptors =
        CeilDivide(outputs, std::clamp<int64_t>(group, 1, outputs));
    mode.steps = CeilDivide(tile.in_channels, row.in_block) * tile.kernel_x *
                 tile.kernel_y;
    absl::Status fits = CheckMode(machine, tile, mode);
    if (!fits.ok()) {
      if (!best.ok()) best = std::move(fits);
      continue;
    }
    const bool is_better =
        !best.ok() || mode.cost() < best->cost() ||
        (mode.cost() == best->cost() && mode.descriptors < best->descriptors);
    if (is_better) best = mode;
  }
  return best;
}

}  // namespace dovetail::vpu
