// Maximum pooling of 8-bit integers whose channels lie side by side: channels
// last, or in blocks [N, C / 8, H, W, 8].
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_POOLING_MAX_POOL_BYTES_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_POOLING_MAX_POOL_BYTES_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/convolution/window_axis.h"

namespace dovetail::cpu {

// Windows have at least one element of the input; what lies around it counts
// for nothing.
struct MaxPoolShape {
  int64_t planes = 1;  // batch, or batch times blocks
  int64_t width = 8;   // channels of a pixel that lie side by side
  WindowAxis rows, columns;

  int64_t row_count() const { return planes * rows.output; }
};

// Computes `count` rows of the output, of all planes, from number `first` on.
void MaxPoolBytes(const MaxPoolShape& shape, const uint8_t* input,
                  int64_t first, int64_t count, uint8_t* output);
void MaxPoolBytes(const MaxPoolShape& shape, const int8_t* input,
                  int64_t first, int64_t count, int8_t* output);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_POOLING_MAX_POOL_BYTES_H_
