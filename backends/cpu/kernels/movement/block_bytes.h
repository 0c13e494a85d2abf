// Tensors of bytes from row-major order, or channels last, to blocks of 8
// channels.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_MOVEMENT_BLOCK_BYTES_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_MOVEMENT_BLOCK_BYTES_H_

#include <cstdint>

namespace dovetail::cpu {

// One block: from `channels` rows of bytes, 1 to 8, each `row_stride` after the
// one before, to [count, 8]. Channels that are not there become 0.
void BlockBytes(const uint8_t* from, int64_t row_stride, int64_t channels,
                int64_t count, uint8_t* to);

// The same from `count` pixels, each `pixel_stride` after the one before.
void BlockBytesOfPixels(const uint8_t* from, int64_t pixel_stride,
                        int64_t channels, int64_t count, uint8_t* to);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_MOVEMENT_BLOCK_BYTES_H_
