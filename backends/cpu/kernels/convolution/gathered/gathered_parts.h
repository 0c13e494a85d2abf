// How the work of gathered windows lies in memory. Within the library
// `gathered` only.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_GATHERED_GATHERED_PARTS_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_GATHERED_GATHERED_PARTS_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/convolution/gathered/gathered.h"
#include "dovetail/backends/cpu/kernels/convolution/output_group.h"

namespace dovetail::cpu::gathered {

inline constexpr int64_t kLanes = GatheredShape::kLanes;
// Vectors of a window that are multiplied at a time: weights of a group of
// outputs then take 16 KB, of which the next ones are fetched meanwhile, into
// an L1 cache of 32 or more.
inline constexpr int64_t kVectorsAtATime = 32;

// Floats from one gathered vector of all pixels to the next: a cache line more
// where pixels would lie a multiple of 4 KB apart, and displace each other.
inline int64_t VectorStep(const GatheredPart& part) {
  return part.pixels * kLanes + (part.pixels % 16 == 0 ? 16 : 0);
}

// Blocks of outputs of a part.
struct OutputBlocks {
  OutputBlocks(const GatheredShape& shape, const GatheredPart& part)
      : first(
            OutputGroup(shape.output_blocks(), part.first_group).first_block) {
    const OutputGroup last(shape.output_blocks(),
                           part.first_group + part.groups - 1);
    count = last.first_block + last.blocks - first;
  }
  int64_t first, count;
};

// Puts side by side what the windows of a part read in `count` of their
// vectors, from number `first` on: to[vector][pixel][lane].
void Gather(const GatheredShape& shape, const GatheredPart& part,
            const float* input, int64_t first, int64_t count, float* to);

}  // namespace dovetail::cpu::gathered

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_GATHERED_GATHERED_PARTS_H_
