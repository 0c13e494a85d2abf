// How a convolution or pooling is cut into tiles that an engine takes.
#ifndef DOVETAIL_BACKENDS_VPU_COMPILER_TILING_TILING_H_
#define DOVETAIL_BACKENDS_VPU_COMPILER_TILING_TILING_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/backends/vpu/compiler/tiling/hw_mode.h"
#include "dovetail/backends/vpu/compiler/tiling/plane_tiles.h"
#include "dovetail/backends/vpu/machine/machine.h"

namespace dovetail::vpu {

struct Tiling {
  int64_t channels = 1;       // tiles of input channels, …
  int64_t tile_channels = 1;  // … of so many each, the last of fewer
  std::vector<PlaneTile> rows, columns;
  std::string reason;  // which limit forced more than one tile

  int64_t spatial() const {
    return static_cast<int64_t>(rows.size() * columns.size());
  }
  int64_t count() const { return channels * spatial(); }
  // What an engine computes for a row tile and a column tile, junk included.
  ConvShape TileAt(const ConvShape& shape, size_t row, size_t column) const;
  // The same without junk.
  ConvShape KeptAt(const ConvShape& shape, size_t row, size_t column) const;
};

// Of up to 15 tiles along each axis the cheapest by the compiler's cost, then
// that of fewest; for each number of tiles of channels and columns the fewest
// rows that fit. Shapes that the compiler has a tiling for get that.
// kUnimplemented, with the limit of the whole, where no tile fits.
absl::StatusOr<Tiling> SearchTiling(const Machine& machine,
                                    const ConvShape& shape);
// The same for a convolution with a pool (ConvShape::pools), whose channels and
// columns are never cut.
absl::StatusOr<Tiling> SearchPooledTiling(const Machine& machine,
                                          const ConvShape& shape);
// The same for a pooling, whose channels are never cut.
absl::StatusOr<Tiling> SearchPoolTiling(const Machine& machine,
                                        const ConvShape& shape);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_COMPILER_TILING_TILING_H_
