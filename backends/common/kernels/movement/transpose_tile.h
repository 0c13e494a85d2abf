// Turns a matrix, in registers.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_MOVEMENT_TRANSPOSE_TILE_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_MOVEMENT_TRANSPOSE_TILE_H_

#include <cstdint>

namespace dovetail::host {

// Element (row, column), which is at from[row * from_stride + column], goes to
// to[column * to_stride + row]; strides in elements. Good for sizes that fit
// the L1 cache.
using TransposeTileFn = void (*)(const void* from, int64_t from_stride,
                                 void* to, int64_t to_stride, int64_t rows,
                                 int64_t columns);

// For elements of 1, 2, 4, 8 or 16 bytes, else null.
TransposeTileFn FindTransposeTile(int element_size);

}  // namespace dovetail::host

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_MOVEMENT_TRANSPOSE_TILE_H_
