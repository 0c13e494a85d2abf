// Interpolate over height and width of pixels of many channels that lie last,
// stored as bf16.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_IMAGE_RESIZE_BF16_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_IMAGE_RESIZE_BF16_H_

#include <cstdint>

#include "dovetail/backends/common/kernels/image/resize.h"

namespace dovetail::cpu {

struct Bf16Resize {
  // A pixel fills a vector at least.
  static constexpr int64_t kFewestChannels = 16;
  // Of both axes together: each is read from memory by itself.
  static constexpr int64_t kMostTaps = 16;

  static bool IsSupported(int64_t channels, const host::ResizeTaps& rows,
                          const host::ResizeTaps& columns) {
    return channels >= kFewestChannels &&
           rows.count() * columns.count() <= kMostTaps;
  }
};

// As host::Resize, of what IsSupported: rows [begin, end) of the output; sums
// are f32, and rounded to the nearest once, to the even one of two.
void ResizeBf16(const host::ResizeProblem& problem, const uint16_t* in,
                uint16_t* out, int64_t begin, int64_t end);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_IMAGE_RESIZE_BF16_H_
