// Shapes of convolutions whose tiles the compiler does not search for.
#ifndef DOVETAIL_BACKENDS_VPU_COMPILER_TILING_KNOWN_TILINGS_H_
#define DOVETAIL_BACKENDS_VPU_COMPILER_TILING_KNOWN_TILINGS_H_

#include <cstdint>
#include <optional>

#include "dovetail/backends/vpu/compiler/tiling/hw_mode.h"
#include "dovetail/backends/vpu/machine/machine.h"

namespace dovetail::vpu {

// Extents of a tile's input; larger ones than the whole are the whole.
struct KnownTile {
  int64_t channels = 0, height = 0, width = 0;
};

// The tile of such a shape, on a machine of at least 9 slices of CMX, for which
// they were chosen; none for others.
std::optional<KnownTile> FindKnownTile(const Machine& machine,
                                       const ConvShape& shape);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_COMPILER_TILING_KNOWN_TILINGS_H_
