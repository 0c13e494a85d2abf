// How a neural engine takes the channels of a convolution: its modes.
#ifndef DOVETAIL_BACKENDS_VPU_COMPILER_TILING_HW_MODE_H_
#define DOVETAIL_BACKENDS_VPU_COMPILER_TILING_HW_MODE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "dovetail/backends/vpu/machine/machine.h"

namespace dovetail::vpu {

inline constexpr int64_t kAutoPad = -1;

// A convolution or a tile of one: channels, pixels, window.
struct ConvShape {
  int64_t in_channels = 1, out_channels = 1;
  int64_t in_width = 1, in_height = 1, out_width = 1, out_height = 1;
  int64_t kernel_x = 1, kernel_y = 1, stride = 1;
  // Of padding before the plane; kAutoPad: half of what the outputs need.
  int64_t pad_x = kAutoPad, pad_y = kAutoPad;
  // Of a convolution by 3x3 of stride 1 whose outputs are pooled by 2x2 as they
  // are made: out_width and out_height are those of the pool.
  bool pools = false;

  // Pixels that are computed.
  int64_t pixels() const { return (pools ? 4 : 1) * out_width * out_height; }

  bool operator==(const ConvShape&) const = default;
};

// Whether the window is a row of 16 pixels without padding, which engines take
// as two of 8.
bool IsHalved(const ConvShape& shape);

// A mode as it takes one tile.
struct HwMode {
  int64_t in_block = 0;     // input channels held at once
  int64_t descriptors = 0;  // each makes a group of output channels
  int64_t steps = 0;        // of one descriptor: blocks times window
  int64_t overhead = 0;     // cycles a pixel, of one descriptor
  // What the compiler compares: cycles for one pixel of all output channels.
  int64_t cost() const { return descriptors * (steps + overhead); }
};

// The cheapest mode, then that of fewest descriptors. kUnimplemented, with the
// limit that the last mode broke, where none takes the tile.
absl::StatusOr<HwMode> ChooseMode(const Machine& machine,
                                  const ConvShape& tile);

// The most channels, inputs or outputs, that an engine takes.
inline constexpr int64_t kMostChannels = 2048;

// Bytes of one row of f16 as engines need it: whole lines of 16 bytes.
int64_t RowBytes(int64_t width);
int64_t RoundUp(int64_t value, int64_t to);
// Rows of one channel that an engine's buffer holds of this tile in a mode.
int64_t BufferedRows(const Machine& machine, const ConvShape& tile,
                     int64_t in_block);
// Rows that it has to hold to read some while it computes others.
int64_t RowsToReadAhead(const ConvShape& tile);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_COMPILER_TILING_HW_MODE_H_
