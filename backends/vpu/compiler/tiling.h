// How a convolution is cut into tiles that an engine takes.
#ifndef DOVETAIL_BACKENDS_VPU_COMPILER_TILING_H_
#define DOVETAIL_BACKENDS_VPU_COMPILER_TILING_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "dovetail/backends/vpu/compiler/hw_mode.h"
#include "dovetail/backends/vpu/machine/machine.h"

namespace dovetail::vpu {

struct Tiling {
  int64_t channels = 1, rows = 1, columns = 1;  // numbers of tiles
  ConvShape tile;                               // the largest one
  HwMode mode;                                  // of the largest
  std::string reason;  // which limit forced more than one tile

  int64_t spatial() const { return rows * columns; }
  int64_t count() const { return channels * spatial(); }
};

// The cheapest tiling of up to 15 tiles along each axis, then that of fewest.
// kUnimplemented, with the limit of the whole, where no tile fits.
absl::StatusOr<Tiling> SearchTiling(const Machine& machine,
                                    const ConvShape& shape);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_COMPILER_TILING_H_
